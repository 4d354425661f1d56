import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFunctionTool } from '../../../src/adapters/tools/function-tool.ts'
import { createHookPort } from '../../../src/adapters/tools/hook-port.ts'
import { site } from './module-fixture.ts'

const until = async (holds: () => boolean, what: string) => {
  for (let n = 0; !holds(); n++) {
    if (n > 400) assert.fail(what)
    await sleep(25)
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

interface Who {
  readonly env: Record<string, string>
  readonly cwd: string
  readonly pid: number
  readonly sends: string
  readonly word: string
}

describe('a process of functions', () => {
  const one = site((close) => after(close))
  const { call, folder, module } = one
  const at = (name: string) => join(folder, name)
  const [keys, extra, out] = [at('functions/home/keys'), at('extra'), at('out')]
  const kept = { home: dirname(keys), closed: [] }
  const limited = { ...module, name: 'limited', env: { CRM: 'x' }, kept, read: [extra], write: [out] }
  const free = { ...limited, name: 'free', unrestricted: true }
  before(() => {
    mkdirSync(dirname(keys))
    for (const file of [keys, extra]) writeFileSync(file, 'content')
  })
  const who = async (options = {}) => (await call('who', {}, options)) as Who

  test('has no variables but those of its module, its own folder, and no channel of Node', async (t) => {
    process.env.DATABASE_URL = 'postgres://waybill:planted@db/waybill'
    process.env.OPENAI_API_KEY = 'planted'
    t.after(() => {
      delete process.env.DATABASE_URL
      delete process.env.OPENAI_API_KEY
    })
    const { env, cwd, sends, word } = await who({ module: limited })
    assert.deepEqual(env, { CRM: 'x' })
    assert.deepEqual([cwd, sends, word], [dirname(module.file), 'undefined', 'typed'])
  })

  test('is one for a module and organisation: the state of another organisation cannot be seen', async () => {
    const counts = []
    for (const org of ['a', 'a', 'b', 'a']) counts.push(await call('count', {}, { org }))
    assert.deepEqual(counts, [1, 2, 1, 3])
    assert.equal(await call('count', {}, { module: free }), 1)
  })

  test('reads its folder and the paths of the operator, writes only those, and starts no process', async () => {
    const environment = `/proc/${process.pid}/environ`
    const args = { read: [module.file, extra, keys, environment], write: [out, at('functions/new')] }
    const denied = 'ERR_ACCESS_DENIED'
    assert.deepEqual(await call('rights', args, { module: limited }), {
      read: ['allowed', 'allowed', denied, denied],
      write: ['allowed', denied],
      start: denied,
    })
    const all = { read: [extra, keys], write: [at('functions/new')] }
    assert.deepEqual(await call('rights', all, { module: free }), {
      read: ['allowed', 'allowed'],
      write: ['allowed'],
      start: 'allowed',
    })
  })

  test('inherits no open file', { skip: process.platform !== 'linux' }, async () => {
    const fd = openSync(module.file, 'r')
    const files = (await call('files', {}, { module: free })) as string[]
    closeSync(fd)
    assert.deepEqual(
      files.filter((file) => file.startsWith(folder)),
      [],
    )
  })

  test('gets the arguments, the key and the headers, and performs calls at the same time', async () => {
    assert.deepEqual(await call('echo', { x: [1, 'ü'] }), {
      args: { x: [1, 'ü'] },
      idempotencyKey: 'key',
      headers: { a: 'b' },
    })
    const many = await Promise.all(Array.from({ length: 20 }, () => call('slow', { ms: 100 })))
    assert.equal(many.at(-1), 20)
  })

  test('reports failures as a function in this process does, and stays', async () => {
    const { pid } = await who()
    assert.equal(await call('fails'), 'TOOL_THREW answered: fails failed: no such parcel')
    // Its stack is in the log of the worker only.
    const stack = () => one.lines.filter((line) => / stderr /.test(line)).join('\n')
    await until(() => /stderr fails threw Error\n.* +at /.test(stack()), 'the stack is in the log')
    assert.equal(await call('odd'), null)
    assert.match(String(await call('big', { size: 10_485_760 })), /^TOOL_RESULT_TOO_LARGE answered/)
    assert.equal(((await call('big', { size: 10_485_758 })) as string).length, 10_485_758)
    assert.equal((await who()).pid, pid)
  })

  test('the tool port passes its failures on, and hooks of the module veto', async () => {
    const tools = await one.processes.moduleOf(module, 'a')
    const request = { tool: { name: 'big' } as never, args: { size: 2e7 }, key: 'k' }
    const { signal } = new AbortController()
    const { note } = (await createFunctionTool(tools).call(request, { signal })) as { readonly note?: string }
    assert.match(note ?? '', /The call was made\. .* larger than the limit/)
    const read = { ...request, tool: { name: 'big', effect: 'read' } as never }
    await assert.rejects(createFunctionTool(tools).call(read, { signal }), { code: 'TOOL_RESULT_TOO_LARGE' })
    const hooks = createHookPort(tools.hooks)
    const run = { run_id: 'r', agent_id: 'a', agent_name: 'A', input: null }
    const asked = (name: string, amount = 1) =>
      hooks.run({ hook: 'on_tool_call', name, key: 'k1', ...run, ...({ amount } as object) })
    assert.deepEqual(await asked('check', 9), { ok: true, veto: 'too much for k1' })
    assert.deepEqual(await asked('check', 1), { ok: true })
    assert.match((await asked('odd')).message ?? '', /not a verdict/)
    assert.match((await asked('fails')).message ?? '', /hook failed/)
    assert.deepEqual(await hooks.run({ hook: 'on_start', name: 'odd', key: 'k1', ...run }), { ok: true })
  })

  test('that ends in a call: its calls may have taken effect, another organisation is not affected, the next call works', async () => {
    const small = { ...module, name: 'small', memoryMb: 32 }
    const other = await who({ module: small, org: 'b' })
    for (const [name, why] of [
      ['dies', /exit code 3/],
      ['fills', /SIGABRT|SIGILL|SIGTRAP|exit code/],
      ['talks', /not JSON/],
    ] as const) {
      const parallel = call('deaf', { ms: 60_000 }, { module: small })
      const failed = String(await call(name, {}, { module: small }))
      assert.match(failed, new RegExp(`^FUNCTION_PROCESS_FAILED unknown: ${name} may have taken effect`))
      assert.match(failed, why)
      assert.match(String(await parallel), /^FUNCTION_PROCESS_FAILED unknown/)
    }
    assert.equal(await call('count', {}, { module: small }), 1)
    assert.equal((await who({ module: small, org: 'b' })).pid, other.pid)
  })

  test('a cancelled call ends; a process that ignores it is replaced, after its other calls; one that blocks is killed', async () => {
    const processes = one.open({ timing: { cancelMs: 100, silentMs: 1000 } })
    const abort = () => AbortSignal.timeout(50)
    const { pid } = await who({ processes })
    await assert.rejects(call('slow', { ms: 60_000 }, { processes, signal: abort() }), {
      name: 'TimeoutError',
    })
    await sleep(150)
    assert.equal((await who({ processes })).pid, pid)
    // Longer than a process takes to start on a busy machine.
    const parallel = call('deaf', { ms: 2500 }, { processes })
    await assert.rejects(call('deaf', { ms: 60_000 }, { processes, signal: abort() }), {
      name: 'TimeoutError',
    })
    await sleep(150)
    assert.notEqual((await who({ processes })).pid, pid)
    assert.deepEqual([isAlive(pid), await parallel], [true, 'late'])
    await until(() => !isAlive(pid), 'it must end after its last call')
    const silent = call('blocks', {}, { processes, org: 'b' })
    await assert.rejects(call('blocks', {}, { processes, signal: abort() }), { name: 'TimeoutError' })
    await until(() => processes.pids.length < 2, 'a blocked process must be killed')
    assert.match(String(await silent), /unknown: .*did not answer for 1000 ms/)
  })

  test('ends when it is not used, or when there are too many; nothing is left after the end', async () => {
    const idle = one.open({ idleMs: 100 })
    assert.equal(await call('deaf', { ms: 200 }, { processes: idle }), 'late')
    await until(() => idle.pids.length === 0, 'the unused process must end')
    assert.equal(await call('count', {}, { processes: idle }), 1)
    const few = one.open({ most: 1 })
    // Its process is there, so that the call is sent before the end.
    await who({ processes: few, org: 'busy' })
    const busy = call('deaf', { ms: 60_000 }, { processes: few, org: 'busy' })
    const first = await who({ processes: few, org: 'a' })
    await who({ processes: few, org: 'b' })
    await until(() => !isAlive(first.pid), 'the unused process must end')
    const pids = few.pids
    assert.equal(pids.length, 2)
    await few.close()
    assert.match(String(await busy), /unknown: .*it was ended/)
    assert.deepEqual([pids.filter(isAlive), few.pids], [[], []])
  })

  test('its output is passed on line by line, each cut to 4000 characters', async () => {
    one.lines.length = 0
    await call('prints', {}, { org: 'c' })
    await until(() => one.lines.length === 2, 'two lines')
    assert.deepEqual(one.lines.toSorted(), ['m c stderr to the log', `m c stdout ${'a'.repeat(4000)}`])
  })

  test('is described once for a file; a changed file is described again', async () => {
    const file = join(folder, 'functions', 'changing.mjs')
    const changing = { ...module, name: 'changing', file }
    writeFileSync(file, 'export const tools = { a: () => 1 }; tools.a.readOnly = true')
    const first = await one.processes.describe(changing)
    assert.deepEqual(first, { tools: [{ name: 'a', readOnly: true, idempotent: false }], hooks: [] })
    assert.equal(await one.processes.describe(changing), first)
    assert.deepEqual(
      one.lines.filter((line) => line.startsWith('changing')),
      [],
    )
    writeFileSync(file, 'export const hooks = { h() {} }')
    assert.deepEqual(await one.processes.describe(changing), { tools: [], hooks: ['h'] })
    for (const [text, code] of [
      ['export const tools = {\n  a: () => 1,,\n}', 'TOOLS_MODULE_UNREADABLE'],
    ] as const) {
      writeFileSync(file, text)
      await assert.rejects(one.processes.describe(changing), { code })
    }
    const late = one.open({ timing: { startMs: 300 } })
    writeFileSync(file, 'await new Promise((r) => setTimeout(r, 60_000))')
    await assert.rejects(late.describe(changing), { code: 'FUNCTION_PROCESS_FAILED', message: /300 ms/ })
  })

  test('a call is not sent if the module cannot be loaded any more, or lost its function', async () => {
    const file = join(folder, 'functions', 'lost.mjs')
    const lost = { ...module, name: 'lost', file }
    writeFileSync(file, 'export const tools = { a: () => 1 }')
    const { tools } = await one.processes.moduleOf(lost, 'a')
    const context = { signal: new AbortController().signal, idempotencyKey: 'k', headers: {} }
    const a = async () => tools.get('a')?.call({}, context)
    writeFileSync(file, 'export const tools = { b: () => 1 }')
    await assert.rejects(a, { code: 'TOOL_FUNCTION_MISSING', outcome: 'unsent' })
    await one.processes.close()
    writeFileSync(file, 'throw new Error("broken")')
    await assert.rejects(a, { code: 'FUNCTION_PROCESS_FAILED', outcome: 'unsent', message: /broken/ })
  })

  test('ends when the process that started it is killed, also if it is blocked', async () => {
    const source = `
      import { FunctionProcesses } from ${JSON.stringify(join(import.meta.dirname, '../../../src/adapters/functions/function-processes.ts'))}
      const processes = new FunctionProcesses({ onLine() {} })
      const module = await processes.moduleOf(${JSON.stringify(module)}, 'a')
      const context = { signal: new AbortController().signal, idempotencyKey: 'k', headers: {} }
      await module.tools.get('count').call({}, context)
      void module.tools.get('blocks').call({}, context)
      console.log(processes.pids[0])`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [out] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(out.toString())
    assert.equal(isAlive(pid), true)
    parent.kill('SIGKILL')
    await until(() => !isAlive(pid), 'the process must end with its parent')
  })
})
