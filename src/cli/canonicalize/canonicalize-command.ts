import { Command, Option } from 'commander'
import { canonicalize, sha256 } from '../../document/canonical.ts'
import type { Encoding } from '../../document/document.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'

interface Options {
  readonly from?: Encoding
  readonly output?: string
  readonly json?: boolean
  readonly format?: string
}

export function canonicalizeCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('canonicalize')
    .description('print the one spelling that a document is hashed and signed in (RFC 8785)')
    .argument('<file>', 'the document (- for standard input)')
    .addOption(
      new Option('--from <encoding>', 'what it is, when its name does not tell').choices([
        'json',
        'yaml',
        'cbor',
        'msgpack',
      ]),
    )
    .option('-o, --output <file>', 'write to this file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const document = await readAnyDocument(file, io, options.from)
      const { assertSafeToSign } = await import('../../trust/safe-to-sign.ts')
      assertSafeToSign(document)
      const text = canonicalize(document.value)
      if (options.output !== undefined) writeWhole(options.output, text, io)
      if (wantsJson(options)) io.out(`${JSON.stringify({ canonical: text, sha256: sha256(text) })}\n`)
      // Without a line break: the bytes are what is hashed.
      else if (options.output === undefined) io.out(text)
    })
}

const EXAMPLES = `
Examples:
  $ waybill canonicalize agent.yaml
  $ waybill canonicalize agent.json | sha256sum             the same for each encoding and order
`
