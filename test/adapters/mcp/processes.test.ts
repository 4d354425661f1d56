import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { slowSecrets } from '../../contract/slow-secrets.ts'
import { failure, openTools, scripted } from './opening.ts'
import { PEERS } from './peers.ts'

const ADAPTER = join(import.meta.dirname, '../../../src/adapters/mcp/mcp-tools.ts')

describe('processes of MCP servers', () => {
  test('AAIF-12-02: a definition cannot start a process; only servers in the configuration are started', async (t) => {
    const { server, log, folder } = scripted(t, {})
    const { mcp } = openTools(t, { servers: { office: server } })
    const mark = join(folder, 'started')
    for (const endpoint of [
      `stdio:touch ${mark}`,
      `stdio:///usr/bin/touch%20${mark}`,
      `stdio://touch/${mark}`,
    ]) {
      const found = await mcp.discover({ name: 'x', endpoint })
      assert.ok(!found.found)
      assert.equal(found.rule, 'AAIF-12-02')
      assert.match(found.reason, /cannot start a process.*mcp_servers/)
    }
    assert.ok(!existsSync(mark))
    assert.deepEqual(log(), [])
    for (const name of ['constructor', '__proto__', 'elsewhere']) {
      const found = await mcp.discover({ name: 'x', endpoint: `mcp://${name}/send` })
      assert.match(found.found ? '' : found.reason, /no MCP server/)
    }
    assert.deepEqual(log(), [])
    // The same server, named in each of the supported forms.
    const line = [server.command, ...(server.args ?? [])].join(' ')
    for (const endpoint of [
      'mcp://office',
      'mcp://office/send',
      'stdio:office',
      'stdio://office/send',
      `stdio:${line}`,
    ]) {
      const found = await mcp.discover({ name: 'x', endpoint: encodeURI(endpoint) })
      assert.deepEqual(found.found && found.tools[0]?.binding, { server: 'office', tool: 'send' }, endpoint)
    }
    assert.equal(log().filter((entry) => entry.startsWith('pid')).length, 1, 'one process for all of them')
  })

  test('a process gets only PATH and the variables that the configuration names', async (t) => {
    const { servers } = await (PEERS.stdio as NonNullable<typeof PEERS.stdio>)(t)
    const server = { ...(servers.everything as { command: string; args: string[] }), env: ['OFFICE_TOKEN'] }
    const env = {
      PATH: process.env.PATH,
      OFFICE_TOKEN: 'lantern-mosaic-71',
      HOME: '/home/x',
      AWS_SECRET: 'no',
    }
    const { call } = openTools(t, { servers: { everything: server }, env })
    const given = JSON.parse(String(await call('get-env')))
    assert.deepEqual(given, { PATH: process.env.PATH, OFFICE_TOKEN: 'lantern-mosaic-71' })
  })

  test('a named variable is taken from the store of secrets, and an ordinary one from the environment', async (t) => {
    const { servers } = await (PEERS.stdio as NonNullable<typeof PEERS.stdio>)(t)
    const { command, args } = servers.everything as { command: string; args: string[] }
    const server = { command, args, env: ['OFFICE_TOKEN', 'LANG', 'DEBUG'] }
    const env = { PATH: process.env.PATH, OFFICE_TOKEN: 'of the environment', LANG: 'nb_NO', DEBUG: '' }
    const { secrets } = slowSecrets({ OFFICE_TOKEN: 'of the store', LANG: 'of the store' })
    const { call } = openTools(t, { servers: { everything: server }, env, secrets })
    const given = JSON.parse(String(await call('get-env')))
    assert.deepEqual(given, {
      PATH: process.env.PATH,
      OFFICE_TOKEN: 'of the store',
      LANG: 'nb_NO',
      DEBUG: '',
    })
  })

  test('a secret store that does not answer does not delay an aborted call', async (t) => {
    const { server } = scripted(t, {}, { env: ['OFFICE_TOKEN'] })
    const secrets = { has: () => true, get: () => new Promise<never>(() => {}) }
    const { call } = openTools(t, { servers: { office: server }, secrets })
    await assert.rejects(call('send', {}, {}, AbortSignal.timeout(100)), { name: 'TimeoutError' })
  })

  test('a variable that is not set is reported before the process starts', async (t) => {
    const { server, log } = scripted(t, {}, { env: ['OFFICE_TOKEN'] })
    const { mcp, call } = openTools(t, { servers: { office: server } })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
    assert.match(found.found ? '' : found.reason, /OFFICE_TOKEN.*is not set/)
    await assert.rejects(call('send'), failure('MCP_UNREACHABLE', 'unsent', /OFFICE_TOKEN/))
    assert.deepEqual(log(), [])
  })

  test("a tool's credential is passed to a process only by the configuration", async (t) => {
    const { server, log } = scripted(t, {})
    const auth = { type: 'bearer', secret: 'OFFICE_TOKEN' } as const
    const { mcp } = openTools(t, { servers: { office: server } })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office', auth })
    assert.match(found.found ? '' : found.reason, /OFFICE_TOKEN may not be passed.*env: \[OFFICE_TOKEN\]/)
    assert.deepEqual(log(), [])
  })

  test('the output of a server that cannot start is reported, truncated and without secrets', async (t) => {
    const token = 'lantern-mosaic-71'
    const { server } = scripted(
      t,
      { fail: true, notes: ['OFFICE_TOKEN', 'x'.repeat(5000)] },
      { env: ['OFFICE_TOKEN'] },
    )
    const env = { PATH: process.env.PATH, OFFICE_TOKEN: token }
    const { mcp } = openTools(t, { servers: { office: server }, env })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
    const reason = found.found ? '' : found.reason
    assert.match(reason, /it wrote:/)
    assert.ok(!reason.includes(token))
    assert.ok(reason.length < 800, String(reason.length))
    const absent = openTools(t, { servers: { office: { command: 'no-such-program-here' } } })
    const missing = await absent.mcp.discover({ name: 'x', endpoint: 'mcp://office' })
    assert.match(
      missing.found ? '' : missing.reason,
      /the program no-such-program-here, or its working folder, does not exist/,
    )
  })

  test('a process ends with the run, even if it ignores SIGTERM', async (t) => {
    const { server, log } = scripted(t, { stubborn: true })
    const { mcp, call } = openTools(t, { servers: { office: server } })
    await call('send')
    const pid = pidIn(log())
    assert.ok(isRunning(pid))
    await mcp.close()
    assert.ok(!isRunning(pid))
    assert.ok(log().includes('SIGTERM'), 'it was asked first')
    await assert.rejects(call('send'), failure('MCP_UNREACHABLE', 'unsent', /has ended/))
  })

  test('a process ends if Waybill is killed, even if it ignores SIGTERM', async (t) => {
    const { server, log } = scripted(t, { stubborn: true })
    const program = `
      const { openMcpTools } = await import(${JSON.stringify(ADAPTER)})
      const servers = { office: ${JSON.stringify(server)} }
      const mcp = openMcpTools({ servers, grants: { hosts: [] }, env: process.env, secretGrants: [], secrets: { has: () => false, get: async () => undefined } })
      await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      console.log('ready')
      setInterval(() => {}, 1000)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    const pid = pidIn(log())
    assert.ok(isRunning(pid))
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    for (let i = 0; i < 100 && isRunning(pid); i++) await sleep(50)
    assert.ok(!isRunning(pid))
  })

  test('Ctrl-C at the terminal does not reach a server, which has its own process group', async (t) => {
    const { server, log } = scripted(t, {})
    const program = `
      const { openMcpTools } = await import(${JSON.stringify(ADAPTER)})
      const servers = { office: ${JSON.stringify(server)} }
      const mcp = openMcpTools({ servers, grants: { hosts: [] }, env: process.env, secretGrants: [], secrets: { has: () => false, get: async () => undefined } })
      await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      process.on('SIGINT', () => console.log('interrupted'))
      console.log('ready')
      setInterval(() => {}, 1000)`
    // In the group of a terminal of its own, which the terminal signals.
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    t.after(() => parent.kill('SIGKILL'))
    await once(parent.stdout, 'data')
    const pid = pidIn(log())
    process.kill(-(parent.pid ?? 0), 'SIGINT')
    const [said] = await once(parent.stdout, 'data')
    assert.equal(String(said), 'interrupted\n')
    // A process of that group would have ended by it.
    await sleep(300)
    assert.ok(isRunning(pid))
  })
})

function pidIn(log: readonly string[]): number {
  return Number(/pid (\d+)/.exec(log.join(' '))?.[1])
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
