import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FunctionModule } from '../../../src/adapters/functions/function-process.ts'
import {
  FunctionProcesses,
  type FunctionProcessesOptions,
} from '../../../src/adapters/functions/function-processes.ts'
import type { Json } from '../../../src/document/json.ts'
import { ToolFailure } from '../../../src/run/ports.ts'

/** Functions that show what their process is and may do, and that fail in every way. */
export const MODULE = `
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { word } from './word.ts'

let count = 0
let active = 0
let most = 0
const attempt = (act) => { try { act(); return 'allowed' } catch (error) { return error.code } }
export const tools = {
  who: () => ({ env: { ...process.env }, cwd: process.cwd(), pid: process.pid, sends: typeof process.send, word }),
  count: () => ++count,
  slow: async ({ ms }, { signal }) => {
    most = Math.max(most, ++active)
    try { await sleep(ms, undefined, { signal }) } finally { active-- }
    return most
  },
  deaf: async ({ ms }) => { await sleep(ms); return 'late' },
  echo: (args, { idempotencyKey, headers }) => ({ args, idempotencyKey, headers }),
  rights: ({ read, write }) => ({
    read: read.map((path) => attempt(() => readFileSync(path))),
    write: write.map((path) => attempt(() => writeFileSync(path, 'x'))),
    start: attempt(() => { const { error } = spawnSync('/bin/true'); if (error) throw error }),
  }),
  files: () => readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' } }),
  fails: () => { throw new Error('no such parcel') },
  odd: () => Symbol("x"),
  huge: () => ({ id: 9007199254740993n }),
  big: ({ size }) => 'x'.repeat(size),
  dies: () => process.exit(3),
  fills: () => { const all = []; for (;;) all.push(new Array(1e5).fill({ a: all.length })) },
  blocks: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  talks: () => { writeSync(3, 'not JSON\\n') },
  prints: () => { console.log('a'.repeat(9000)); console.error('to the log') },
}
tools.count.readOnly = true
tools.echo.idempotent = true
export const hooks = {
  check: ({ amount }, { idempotencyKey }) => (amount > 5 ? { veto: 'too much for ' + idempotencyKey } : undefined),
  odd: () => () => {},
  fails: () => { throw new Error('hook failed') },
}
`

export interface Site {
  readonly folder: string
  readonly file: string
  readonly lines: string[]
  readonly processes: FunctionProcesses
  readonly module: FunctionModule
  /** Calls a function; a failure is returned as data. */
  call(name: string, args?: Json, options?: Partial<CallOptions>): Promise<unknown>
  /** Opens other processes, which are closed after the test. */
  open(options?: Partial<FunctionProcessesOptions>): FunctionProcesses
}

interface CallOptions {
  readonly org: string
  readonly signal: AbortSignal
  readonly module: FunctionModule
  readonly processes: FunctionProcesses
}

export function site(
  after: (close: () => Promise<void>) => void,
  options: Partial<FunctionProcessesOptions> = {},
): Site {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-functions-')))
  const opened: FunctionProcesses[] = []
  const lines: string[] = []
  const open = (more: Partial<FunctionProcessesOptions> = {}) => {
    const processes = new FunctionProcesses({
      onLine: (module, org, stream, line) => lines.push(`${module.name} ${org} ${stream} ${line}`),
      ...options,
      ...more,
    })
    opened.push(processes)
    return processes
  }
  after(async () => {
    for (const one of opened) await one.close()
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(join(folder, 'functions'))
  const file = join(folder, 'functions', 'module.mjs')
  writeFileSync(file, MODULE)
  writeFileSync(join(folder, 'functions', 'word.ts'), `export const word: string = 'typed'\n`)
  const processes = open()
  const module = { name: 'm', file, env: {}, kept: { home: join(folder, 'home'), closed: [] } }
  return {
    folder,
    file,
    lines,
    processes,
    module,
    open,
    async call(name, args = {}, { org = 'a', signal = new AbortController().signal, ...more } = {}) {
      const found = (await (more.processes ?? processes).moduleOf(more.module ?? module, org)).tools.get(name)
      if (found === undefined) throw new Error(`there is no function ${name}`)
      try {
        return await found.call(args as never, { signal, idempotencyKey: 'key', headers: { a: 'b' } })
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        return `${error.code} ${error.outcome}: ${error.message}`
      }
    },
  }
}
