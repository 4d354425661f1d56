import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScriptedProvider } from '../../scripts/scripted-provider.ts'
import { BIN } from '../started-process.ts'
import { fencesOf, readPage, root } from './docs-fences.ts'

/**
 * The commands of a page run from top to bottom in one shell, in a folder with the files of
 * `examples/parcel-clerk` and `examples/refunds`, and in `newsroom/` those of `examples/newsroom`.
 * ` ```sh ` holds commands, each ending with 0 or as its comment `# exit N` says; ` ```sh elsewhere ` those that need
 * more than this machine; ` ```console ` a transcript, whose output must be what is printed. A script on loopback
 * stands in for the provider.
 */
interface Command {
  readonly text: string
  readonly line: number
  readonly exit: number
  /** What a transcript shows. */
  readonly shows?: string
}

interface Ran {
  readonly code: number
  readonly output: string
}

const LIMIT_MS = 100_000

/** Runs the commands of a page in a pipe, and compares what they print with the page. */
export async function followPage(page: string): Promise<void> {
  const commands = commandsOf(readPage(page))
  const ran = await runInOneShell(commands, inPipe)
  compare(page, commands, ran)
}

/**
 * Runs the commands of a page as a person does: on a terminal, where a command may ask a question. The person presses
 * Enter at each.
 */
export async function followPageOnTerminal(page: string): Promise<void> {
  const commands = commandsOf(readPage(page))
  const ran = await runInOneShell(commands, onTerminal)
  compare(page, commands, ran)
}

function compare(page: string, commands: readonly Command[], ran: readonly Ran[]): void {
  for (const [index, command] of commands.entries()) {
    const { code, output } = ran[index] ?? { code: Number.NaN, output: '(never reached)' }
    const where = `${page}:${command.line}: ${command.text}`
    assert.equal(code, command.exit, `${where}\n${output}`)
    if (command.shows !== undefined) assert.equal(steady(output), steady(command.shows), where)
  }
}

export function commandsOf(markdown: string): readonly Command[] {
  return fencesOf(markdown).flatMap(({ language, words, text, line }) => {
    if (words.includes('elsewhere')) return []
    if (language === 'sh') return scriptCommands(text, line)
    return language === 'console' ? transcriptCommands(text, line) : []
  })
}

/** A command may span several lines that end in a backslash, and a here-document. */
function scriptCommands(text: string, fenceLine: number): readonly Command[] {
  const commands: Command[] = []
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const first = lines[index] ?? ''
    if (first.trim() === '' || first.startsWith('#')) continue
    const from = index
    const end = /<<'?(\w+)'?/.exec(first)?.[1]
    while (end !== undefined && lines[index] !== end && index < lines.length) index++
    while (end === undefined && lines[index]?.endsWith('\\')) index++
    const whole = lines.slice(from, index + 1).join('\n')
    commands.push({ text: whole, line: fenceLine + 1 + from, exit: exitOf(whole) })
  }
  return commands
}

function transcriptCommands(text: string, fenceLine: number): readonly Command[] {
  const commands: Command[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) {
      commands.push({ text: line.slice(2), line: fenceLine + 1 + index, exit: exitOf(line), shows: '' })
    } else if (last !== undefined) {
      commands[commands.length - 1] = { ...last, shows: `${last.shows}${line}\n` }
    }
  }
  return commands
}

function exitOf(text: string): number {
  return Number(/# exit (\d+)\b/.exec(text)?.[1] ?? 0)
}

/** How a shell runs a script: its command line, and how the output of each command is kept in `N.out`. */
interface Way {
  readonly argv: readonly string[]
  readonly keeps: (index: number) => { readonly before: string; readonly after: string }
}

const inPipe: Way = {
  argv: ['bash'],
  keeps: (index) => ({ before: '', after: `>"$OUT/${index}.out" 2>&1` }),
}
/** The terminal begins the next file when it reads this mark. */
const onTerminal: Way = {
  argv: ['python3', join(import.meta.dirname, 'on-terminal.py'), 'bash'],
  keeps: (index) => ({ before: `printf '\\036${index}\\037'\n`, after: '' }),
}

async function runInOneShell(commands: readonly Command[], way: Way): Promise<readonly Ran[]> {
  const place = mkdtempSync(join(tmpdir(), 'waybill-docs-'))
  const provider = await startScriptedProvider()
  const work = join(place, 'work')
  mkdirSync(work)
  for (const name of ['clerk.yaml', 'mistaken.yaml', 'tools.mjs'])
    cpSync(join(root, 'examples/parcel-clerk', name), join(work, name))
  cpSync(join(root, 'examples/refunds/refunds.yaml'), join(work, 'refunds.yaml'))
  cpSync(join(root, 'examples/newsroom'), join(work, 'newsroom'), { recursive: true })
  writeCommands(join(place, 'bin'), provider.url)
  const steps = commands.map(({ text, exit }, index) => {
    const { before, after } = way.keeps(index)
    return `${before}{\n${text}\n} ${after}\ncode=$?\necho $code >"$OUT/${index}.code"\n[ $code -eq ${exit} ] || exit\n`
  })
  writeFileSync(join(place, 'page.sh'), steps.join(''))
  try {
    const [program = '', ...argv] = way.argv
    const shell = spawn(program, [...argv, join(place, 'page.sh')], {
      cwd: work,
      stdio: 'ignore',
      timeout: LIMIT_MS,
      env: {
        PATH: `${join(place, 'bin')}:${process.env.PATH}`,
        HOME: place,
        USER: 'ada',
        OUT: place,
        NO_COLOR: '1',
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/waybill-test'),
        TZ: 'UTC',
        WAYBILL_HOME: join(place, 'home'),
      },
    })
    await once(shell, 'exit')
    return commands.flatMap((_, index) => {
      const file = join(place, `${index}`)
      if (!existsSync(`${file}.code`)) return []
      return [
        { code: Number(readFileSync(`${file}.code`, 'utf8')), output: readFileSync(`${file}.out`, 'utf8') },
      ]
    })
  } finally {
    provider.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** `waybill` as it is, save that it finds the stand-in where it would find the provider; and `npx waybill`. */
function writeCommands(folder: string, url: string): void {
  mkdirSync(folder)
  const waybill = `#!/bin/sh
case " $* " in
  *" --rehearse "*) ;;
  " run "*|" chat "*) exec "${BIN}" "$@" --base-url ${url} ;;
esac
exec "${BIN}" "$@"
`
  writeFileSync(join(folder, 'waybill'), waybill, { mode: 0o755 })
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
}

/** Without what differs from one run to the next: ids, times, ports. */
function steady(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\b(run|show|approve|resume) [0-9a-f]{6,12}\b/g, '$1 ID')
    .replaceAll(/\b\d{2}:\d{2}:\d{2}\b/g, 'TIME')
    .replaceAll(/\b\d+(\.\d+)? m?s\b/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}
