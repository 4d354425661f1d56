import { defined } from '../../document/defined.ts'
import type { Document, Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import { WaybillError } from '../../document/issue.ts'
import { encodeCbor, toDiagnostic } from '../../document/lazy-encodings.ts'
import { findLostDigits } from '../../document/lost-digits.ts'
import { encodingOfFile, mediaTypeOf } from '../../document/media-types.ts'
import { detectKind } from '../../spec/kinds.ts'
import { parseAnyDocument, readFileOrInput } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

type Target = Encoding | 'diag'

export interface TranscodeOptions extends FormatOptions {
  readonly to?: Target
  readonly from?: Encoding
  readonly output?: string
}

/**
 * Converts a document to another encoding, and writes the result to a file or to standard output.
 * @throws USAGE if the encoding of the output is unknown, or is binary and would go to a terminal
 */
export async function transcodeFile(file: string, options: TranscodeOptions, io: Io): Promise<void> {
  const to = options.to ?? (options.output === undefined ? undefined : encodingOfFile(options.output))
  if (to === undefined) throw usageError('no output encoding given', 'add --to json|yaml|cbor|msgpack|diag')
  const source = await readFileOrInput(file, io)
  const from = options.from ?? encodingOfFile(file)
  const { bytes, mediaType } =
    to === 'diag'
      ? { bytes: diagnosticOf(source, file, from), mediaType: undefined }
      : encode(source, file, from, to, io)
  if (options.output !== undefined) writeWhole(options.output, bytes, io)
  if (wantsJson(options)) {
    const binary = to === 'cbor' || to === 'msgpack'
    const contents = Buffer.from(bytes).toString(binary ? 'base64' : 'utf8')
    const report = {
      ok: true,
      encoding: to,
      ...defined({ media_type: mediaType }),
      bytes: bytes.byteLength,
      ...(options.output === undefined ? { contents, base64: binary } : { output: options.output }),
    }
    io.out(`${jsonText(report)}\n`)
  } else if (options.output === undefined) {
    writeOut(bytes, to, io)
  } else io.err(`the document was written to ${plainLine(options.output)} as ${to}\n`)
}

/** CBOR input is printed as it is, including values that JSON cannot represent; other input is encoded as CBOR first. */
function diagnosticOf(source: Buffer, file: string, from: Encoding | undefined): Buffer {
  const isCbor = from === 'cbor' || (from === undefined && beginsLikeCbor(source))
  const cbor = isCbor ? source : encodeCbor(parseAnyDocument(source, file, from).value)
  return Buffer.from(`${toDiagnostic(cbor)}\n`)
}

/** Returns whether the first bytes are a CBOR map or the self-described CBOR tag, the same test as for reading. */
function beginsLikeCbor([first = 0, second, third]: Buffer): boolean {
  return (first >= 0xa0 && first <= 0xbf) || (first === 0xd9 && second === 0xd9 && third === 0xf7)
}

function encode(source: Buffer, file: string, from: Encoding | undefined, to: Encoding, io: Io) {
  const document = parseAnyDocument(source, file, from)
  assertKeepsNumbers(document)
  warnOfLoss(document, io)
  const kind = detectKind(document.value)?.kind ?? null
  return { bytes: encodeDocument(document.value, to), mediaType: mediaTypeOf(to, kind) }
}

/** @throws DIGITS_LOST */
function assertKeepsNumbers(document: Document): void {
  const lost = findLostDigits(document)
  if (lost === undefined) return
  const { line, column } = document.locate(lost.pointer)
  throw new WaybillError('DIGITS_LOST', {
    fault: 'refused',
    at: lost.pointer,
    line,
    column,
    ...defined({ file: document.file }),
    message: `the number ${lost.written.slice(0, 40)} would become ${lost.read}`,
    hint: 'write it as a string',
  })
}

/** Prints what reading could not preserve, because the output then differs from the input. */
function warnOfLoss(document: Document, io: Io): void {
  for (const { code, line, column, message, hint } of document.warnings) {
    const place = `${document.file ?? '-'}:${line}:${column}`
    io.err(`${plainLine(`warning ${code} ${place}: ${message}`, 2000)}\n`)
    if (hint !== undefined) io.err(`  hint ${plainLine(hint, 1000)}\n`)
  }
}

function writeOut(bytes: Uint8Array, to: Target, io: Io): void {
  if (to === 'json' || to === 'yaml' || to === 'diag') {
    io.out(Buffer.from(bytes).toString('utf8'))
    return
  }
  if (io.outIsTty || io.outBytes === undefined) {
    throw usageError(
      `${to} is binary and cannot be printed on a terminal`,
      'name a file with -o, pipe the output to another program, or print a readable form with --to diag',
    )
  }
  io.outBytes(bytes)
}
