import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Io } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import { terminalSvg } from './terminal-svg.ts'

const ROOT = join(import.meta.dirname, '../..')
export const PICTURE = join(ROOT, 'docs/images/first-minute.svg')
export const AGENT = join(ROOT, 'examples/refunds/refunds.yaml')

/** What the picture shows: each command line, and the exit code that it must have. */
const COMMANDS: readonly (readonly [argv: readonly string[], exit: number])[] = [
  [['run', 'refunds.yaml', '--rehearse', '--ask', 'Parcel 1Z99A1 is lost.'], 4],
  [['approvals', 'approve', 'last', '--resume', '--why', 'the parcel is lost'], 0],
]

const COLUMNS = 104
const TITLE =
  'An agent wants to pay a customer back. The run stops until a person approves the call, and then continues.'

/** Returns the picture of the README, drawn from the output of the real program. */
export async function firstMinute(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'waybill-picture-'))
  try {
    let text = ''
    for (const [argv, exit] of COMMANDS) {
      text += `${text === '' ? '' : '\n'}$ waybill ${argv.map(quoted).join(' ')}\n`
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
      const write = (part: string) => {
        text += part
        // The person decides later.
        if (/●.* Decide later/.test(part)) setTimeout(() => stdin.write('\r'))
      }
      const code = await main(argv, terminal(home, stdin, write))
      if (code !== exit) throw new Error(`exit ${code} instead of ${exit}:\n${text}`)
    }
    return terminalSvg(lasting(text), { columns: COLUMNS, title: TITLE })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function terminal(home: string, stdin: Io['stdin'], write: (text: string) => void): Io {
  return {
    cwd: join(AGENT, '..'),
    env: { WAYBILL_HOME: home, HOME: home, USER: 'ada' },
    out: write,
    err: write,
    stdin,
    outIsTty: true,
    errIsTty: true,
    color: true,
    columns: COLUMNS,
  }
}

/** The lines that replace a question when it is answered. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of a terminal are control characters.
const ANSWERED = /\x1b\[\d+A\r\x1b\[J(?:[^\n]*\n){3}/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of a terminal are control characters.
const MODES = /\x1b\[\?\d+[hl]/g

const quoted = (word: string) => (/[^\w./-]/.test(word) ? `"${word}"` : word)

/** Replaces what differs at each run, and leaves out what is drawn over. */
function lasting(text: string): string {
  return (
    text
      .replaceAll('\r\x1b[2K', '')
      // The question remains as it was before the answer.
      .replaceAll(ANSWERED, '')
      .replaceAll(MODES, '')
      .replaceAll(/(run|show|approve|resume) [0-9a-f]{6,12}\b/g, '$1 086f4e')
      .replaceAll(`by ${userInfo().username}`, 'by ada')
      .replaceAll(/\b\d+(?:\.\d+)? ms\b/g, '16 ms')
  )
}
