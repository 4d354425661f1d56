import { Command, Option } from 'commander'
import type { Document, Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import { WaybillError } from '../../document/issue.ts'
import { encodeCbor, toDiagnostic } from '../../document/lazy-encodings.ts'
import { encodingOfFile, mediaTypeOf } from '../../document/media-types.ts'
import { detectKind } from '../../spec/kinds.ts'
import { parseAnyDocument, readFileOrInput } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'

type Target = Encoding | 'diag'

interface Options {
  readonly to?: Target
  readonly from?: Encoding
  readonly output?: string
  readonly json?: boolean
  readonly format?: string
}

const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']

export function transcodeCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('transcode')
    .description('write a document in another encoding; the data stays the same, member by member')
    .argument('<file>', 'the document (- for standard input)')
    .addOption(new Option('--to <encoding>', 'what to write').choices([...ENCODINGS, 'diag']))
    .addOption(new Option('--from <encoding>', 'what it is, when its name does not tell').choices(ENCODINGS))
    .option('-o, --output <file>', 'write to this file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const to = options.to ?? (options.output === undefined ? undefined : encodingOfFile(options.output))
      if (to === undefined) {
        throw new WaybillError('USAGE', {
          fault: 'usage',
          message: 'nobody said which encoding to write',
          hint: `add --to ${[...ENCODINGS, 'diag'].join('|')}`,
        })
      }
      await transcode(file, to, options, io)
    })
}

async function transcode(file: string, to: Target, options: Options, io: Io): Promise<void> {
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
    const result = options.output === undefined ? { contents, base64: binary } : { output: options.output }
    const label = mediaType === undefined ? {} : { media_type: mediaType }
    io.out(`${JSON.stringify({ ok: true, encoding: to, ...label, bytes: bytes.byteLength, ...result })}\n`)
  } else if (options.output === undefined) {
    writeOut(bytes, to, io)
  }
}

/** CBOR is shown as it is, also when it holds what JSON has not; everything else as the CBOR it would be. */
function diagnosticOf(source: Buffer, file: string, from: Encoding | undefined): Buffer {
  const isCbor = from === 'cbor' || (from === undefined && firstByteIsCbor(source))
  const cbor = isCbor ? source : encodeCbor(parseAnyDocument(source, file, from).value)
  return Buffer.from(`${toDiagnostic(cbor)}\n`)
}

/** As reading tells it: a map, or the tag that says so. */
function firstByteIsCbor([first = 0, second, third]: Buffer): boolean {
  return (first >= 0xa0 && first <= 0xbf) || (first === 0xd9 && second === 0xd9 && third === 0xf7)
}

function encode(source: Buffer, file: string, from: Encoding | undefined, to: Encoding, io: Io) {
  const document = parseAnyDocument(source, file, from)
  warnOfLoss(document, io)
  const kind = detectKind(document.value)?.kind ?? null
  return { bytes: encodeDocument(document.value, to), mediaType: mediaTypeOf(to, kind) }
}

/** What reading could not keep was lost before it was written: the one thing that must be said aloud. */
function warnOfLoss(document: Document, io: Io): void {
  for (const { code, line, column, message, hint } of document.warnings) {
    io.err(`warning ${code} ${document.file ?? '-'}:${line}:${column}: ${message}\n`)
    if (hint !== undefined) io.err(`  hint ${hint}\n`)
  }
}

function writeOut(bytes: Uint8Array, to: Target, io: Io): void {
  if (to === 'json' || to === 'yaml' || to === 'diag') {
    io.out(Buffer.from(bytes).toString('utf8'))
    return
  }
  if (io.outIsTty || io.outBytes === undefined) {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: `${to} is binary, and a terminal cannot show it`,
      hint: 'name a file with -o, send it into a pipe, or look at it with --to diag',
    })
  }
  io.outBytes(bytes)
}

const EXAMPLES = `
Examples:
  $ waybill transcode agent.yaml --to json
  $ waybill transcode agent.json -o agent.cbor              the ending of the name tells the encoding
  $ waybill transcode agent.cbor --to diag                  CBOR for people (RFC 8949, section 8)
  $ cat state.bin | waybill transcode - --from msgpack --to yaml
`
