/**
 * Performs the first tasks of a new user on a real terminal, and keeps what the screen shows as text:
 * `npm run newcomer -- [--out DIR] [TASK…]`. Needs tmux and bash, no key and no network. Each task begins in an empty
 * folder with an empty home; a TASK is a number. `NEWCOMER_BIN` is the folder of an installed command, such as
 * `node_modules/.bin` of a package; without it, the command of the checkout is used. Exits with 1 if a screen does not show what the task expects.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startScriptedProvider } from '../scripted-provider.ts'
import { hasTmux } from '../tmux.ts'
import { serverTasks } from './server-tasks.ts'
import { type Desk, tasks as firstTasks } from './tasks.ts'
import { Terminal } from './terminal.ts'

const root = join(import.meta.dirname, '../..')
const bin = process.env.NEWCOMER_BIN ?? join(root, 'bin')
const tasks = [...firstTasks, ...serverTasks]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: join(root, 'screens') } },
})

/** Ends with a usage error. */
function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const numbers = positionals.map(Number)
if (!numbers.every((number) => tasks[number - 1] !== undefined))
  fail(`there are the tasks 1 to ${tasks.length}, not ${positionals.join(' ')}`)
if (!hasTmux()) fail('tmux is not installed\nhint: install it, for example with apt-get install tmux')

mkdirSync(values.out, { recursive: true })
const provider = await startScriptedProvider()
let failed = 0
for (const [index, task] of tasks.entries()) {
  const number = index + 1
  if (numbers.length > 0 && !numbers.includes(number)) continue
  const folder = mkdtempSync(join(tmpdir(), 'waybill-newcomer-'))
  // Started as root, the database of a platform runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const terminals: Terminal[] = []
  const open = (env: Readonly<Record<string, string>>) => {
    const opened = new Terminal(folder, { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: folder, ...env })
    terminals.push(opened)
    return opened
  }
  const terminal = open({})
  const desk: Desk = { terminal, open, folder, examples: join(root, 'examples'), provider: provider.url }
  const faults: string[] = []
  try {
    await task.perform(desk)
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  const screen = terminals.map((each) => each.screen()).join('\n\n')
  for (const pattern of task.shows)
    if (!pattern.test(screen)) faults.push(`the screen does not show ${pattern}`)
  for (const pattern of task.hides ?? []) if (pattern.test(screen)) faults.push(`the screen shows ${pattern}`)
  for (const each of terminals) each.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  const name = `${String(number).padStart(2, '0')}-${task.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.txt`
  writeFileSync(join(values.out, name), `${task.title}\n\n${screen.replaceAll(folder, '~')}\n`)
  process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${number} ${task.title}\n`)
  for (const fault of faults) process.stdout.write(`         ${fault}\n`)
  if (faults.length > 0) failed++
}
provider.close()
process.stdout.write(
  `${failed === 0 ? 'All tasks succeed' : `${failed} tasks fail`}; the screens are in ${values.out}\n`,
)
process.exitCode = failed === 0 ? 0 : 1
