import { parseExact } from '../../../document/exact-numbers.ts'
import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import { type FileSpeech, readFileOrInput } from '../../files/read-any-document.ts'
import { utf8Text } from '../../files/utf8-text.ts'
import type { Io } from '../../io.ts'

/**
 * Reads the inputs of a batch: one JSON array, or one JSON value per line. Empty lines are skipped.
 * @param given a path, or `-` for standard input
 * @throws BATCH_UNREADABLE, BATCH_INVALID, ENCODING_NOT_UTF8
 */
export async function readBatch(given: string, io: Io): Promise<readonly Json[]> {
  const text = utf8Text(await readFileOrInput(given, io, UNREADABLE), given, 'the batch')
  const inputs = asArray(text) ?? linesOf(text, given)
  if (inputs.length > 0) return inputs
  throw new WaybillError('BATCH_INVALID', {
    fault: 'usage',
    file: given,
    message: 'the batch contains no input',
    hint: HINT,
  })
}

const UNREADABLE: FileSpeech = {
  what: 'the inputs',
  hint: 'use --batch FILE or --batch -',
  code: 'BATCH_UNREADABLE',
}

const HINT =
  'write one JSON value per line, or one JSON array; a value is a quoted text, or matches io.input_schema'

function asArray(text: string): readonly Json[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value = parseExact(text)
    return Array.isArray(value) ? (value as readonly Json[]) : null
  } catch {
    // The first line may itself be an array: then the file has one value per line.
    return null
  }
}

function linesOf(text: string, file: string): readonly Json[] {
  return text.split('\n').flatMap((line, index): readonly Json[] => {
    if (line.trim() === '') return []
    try {
      return [parseExact(line)]
    } catch (cause) {
      throw new WaybillError('BATCH_INVALID', {
        fault: 'usage',
        file,
        line: index + 1,
        message: `the line is not valid JSON: ${(cause as Error).message}`,
        hint: HINT,
        cause,
      })
    }
  })
}
