import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import { type FileSpeech, readFileOrInput } from '../../files/read-any-document.ts'
import type { Io } from '../../io.ts'

/**
 * The inputs of a batch: one JSON array, or one JSON value a line; empty lines are passed over.
 * @param given a path, or `-` for standard input
 * @throws BATCH_UNREADABLE, BATCH_INVALID
 */
export async function readBatch(given: string, io: Io): Promise<readonly Json[]> {
  const text = (await readFileOrInput(given, io, UNREADABLE)).toString('utf8')
  const inputs = asArray(text) ?? linesOf(text, given)
  if (inputs.length > 0) return inputs
  throw new WaybillError('BATCH_INVALID', {
    fault: 'usage',
    file: given,
    message: 'it holds no input',
    hint: HINT,
  })
}

const UNREADABLE: FileSpeech = {
  what: 'the inputs',
  hint: 'write --batch FILE or --batch -',
  code: 'BATCH_UNREADABLE',
}

const HINT =
  'write one JSON value a line, or one JSON array: a text in quotes, or what io.input_schema describes'

function asArray(text: string): readonly Json[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value = JSON.parse(text) as Json
    return Array.isArray(value) ? (value as readonly Json[]) : null
  } catch {
    // Lines of which the first is an array.
    return null
  }
}

function linesOf(text: string, file: string): readonly Json[] {
  return text.split('\n').flatMap((line, index): readonly Json[] => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as Json]
    } catch (cause) {
      throw new WaybillError('BATCH_INVALID', {
        fault: 'usage',
        file,
        line: index + 1,
        message: `the line is not JSON: ${(cause as Error).message}`,
        hint: HINT,
        cause,
      })
    }
  })
}
