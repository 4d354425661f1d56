import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createAdminToken } from '../../src/platform/people/first-admin.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { testDatabase } from '../platform/postgres.ts'
import { definition, serveFake } from '../server/served.ts'
import { Place, start, until, waybill } from './fixture.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'
const STATE = withStateChecksum({
  sc_standard: 'SC-006',
  state_id: randomUUID(),
  agent_id: AGENT,
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'paused',
})
const NEVER = 'states:\n  plaintext: never\n'

describe('states.plaintext', () => {
  test('AAIF-12-15: a server follows its configuration: by default a state crosses loopback, with "never" it does not', async (t) => {
    const { ownerUrl, database } = await testDatabase(t)
    let token = ''
    await createAdminToken(database.engine, (created) => {
      token = created
    })
    for (const [config, status, code] of [
      [NEVER, 426, 'TLS_REQUIRED'],
      ['states:\n  plaintext: loopback\n', 404, 'RUN_NOT_FOUND'],
      ['{}', 404, 'RUN_NOT_FOUND'],
    ] as const) {
      const place = new Place(t)
      place.write('config.yaml', config)
      const argv = ['server', '--port', '0', '--json', '--config', 'config.yaml']
      const { child, out, err, ended } = start(place, argv, { DATABASE_URL: ownerUrl })
      await until('the server', () => out().includes('"ready"') || child.exitCode !== null, 120_000)
      assert.equal(child.exitCode, null, `${out()}${err()}`)
      const { url } = JSON.parse(out().split('\n')[0] ?? '')
      const answer = await fetch(`${url}/v1/runs/${randomUUID()}/state`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const problem = (await answer.json()) as { code: string }
      child.kill('SIGTERM')
      await ended
      assert.deepEqual([answer.status, problem.code], [status, code], config)
    }
  })

  test('an unknown value is an error of the configuration', async (t) => {
    const place = new Place(t)
    for (const value of ['always', 'true', 'Never']) {
      place.write('config.yaml', `states:\n  plaintext: ${value}\n`)
      const { code, out } = await waybill(place, ['manifest', '--config', 'config.yaml', '--json'])
      assert.deepEqual([code, JSON.parse(out).error?.code], [2, 'CONFIG_INVALID'], value)
    }
  })

  test('AAIF-12-15: a command with "never" neither sends a state over http nor asks for one', async (t) => {
    const { server, token, send } = await serveFake(t)
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'content-type': 'application/json' }
    await send('POST', '/v1/agents', { token, body: definition(AGENT), headers })
    const { run_id } = (await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: {} })).json
    const place = new Place(t)
    place.write('state.json', JSON.stringify(STATE))
    const commands = [
      ['state', 'export', run_id, '--server', url, '--json'],
      ['resume', 'state.json', '--server', url, '--json'],
    ]
    const env = { WAYBILL_TOKEN: token }
    const codeOf = async (argv: readonly string[]) =>
      JSON.parse((await waybill(place, argv, { env })).out).error?.code
    // The platform of this test takes no state; the point is that it was sent.
    assert.deepEqual(
      [await codeOf(commands[0] ?? []), await codeOf(commands[1] ?? [])],
      [undefined, 'STATE_CHECKSUM_MISSING'],
    )
    place.write('never.yaml', NEVER)
    assert.equal(await codeOf([...(commands[1] ?? []), '--config', 'never.yaml']), 'TLS_REQUIRED')
    mkdirSync(place.home, { recursive: true, mode: 0o700 })
    writeFileSync(join(place.home, 'config.yaml'), NEVER)
    for (const argv of commands) {
      const said = await waybill(place, argv, { env })
      assert.equal(said.code, 1)
      assert.equal(JSON.parse(said.out).error.code, 'TLS_REQUIRED', argv.join(' '))
    }
  })
})
