import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openPlatform, type PlatformOptions } from '../../src/compose/open-platform.ts'
import type { ServerOptions } from '../../src/server/create-server.ts'
import type { Role } from '../../src/session/principal.ts'
import { serve } from '../server/served.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'

/** All roles but admin. */
export const ROLES: readonly Role[] = ['viewer', 'author', 'operator', 'approver']

/**
 * The real platform, with the organisations `default` and `other`.
 * @param more of the platform; default: without a worker, on a prepared database
 */
export async function place(
  t: TestContext,
  options: Partial<ServerOptions> = {},
  more: Partial<PlatformOptions> = {},
) {
  const ownerUrl = more.databaseUrl ?? (await testDatabase(t)).ownerUrl
  const home = mkdtempSync(join(tmpdir(), 'waybill-separation-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), 'allow_hosts: [hooks.acme.example]\n')
  let admin = ''
  const opened = await openPlatform({
    home,
    data: join(home, 'data'),
    databaseUrl: ownerUrl,
    env: {},
    version: '9.9.9',
    keepToken: (token) => {
      admin = token
    },
    log: () => {},
    ...more,
  })
  t.after(() => opened.close())
  const limits = { requestsPerSecond: 10_000, burst: 10_000 }
  const { send } = await serve(t, opened.platform, { limits, ...options })
  const make = async (path: string, json: unknown, token = admin) => {
    const answer = await send('POST', path, { token, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const created = await make('/v1/organisations', { organisation: 'other', admin: { user: 'eve' } })
  const other: string = created.admin_token.token
  /** @returns a token of each role of an organisation */
  const roles = async (organisation: string, token: string) => {
    const tokens = new Map<Role, string>()
    for (const role of ROLES) {
      await make(`/v1/organisations/${organisation}/members`, { user: `the-${role}`, roles: [role] }, token)
      tokens.set(role, (await make('/v1/tokens', { user: `the-${role}` }, token)).token)
    }
    return tokens
  }
  return {
    send,
    make,
    admin,
    other,
    ownerUrl,
    platform: opened.platform,
    own: await roles('default', admin),
    others: await roles('other', other),
  }
}

/** One of each resource of the first organisation, by the name of its parameter. */
export async function resources({ make, send, admin }: Awaited<ReturnType<typeof place>>) {
  await make('/v1/agents', definitionOf({ version: '1.0.0' }))
  const { run_id } = await make(`/v1/agents/${AGENT}/runs`, { input: 'secret of default', rehearse: true })
  const { batch_id } = await make(`/v1/agents/${AGENT}/batches`, { inputs: ['a'], rehearse: true })
  await make('/v1/sessions', { agent_id: AGENT, session: 'talk' })
  await make('/v1/organisations/default/members', { user: 'ann', roles: ['viewer'] })
  await make('/v1/organisations/default/teams', { team: 'duty', members: ['ann'] })
  const { id: token } = await make('/v1/tokens', { user: 'ann' })
  const { id: stop } = await make('/v1/stop', { user: 'ann' })
  const { id: webhook } = await make('/v1/webhooks', { url: 'https://hooks.acme.example/secret-of-default' })
  const { id: trigger } = await make('/v1/triggers', { agent_id: AGENT, kind: 'webhook' })
  const secret = { value: 'secret of default', hosts: ['api.acme.example'] }
  assert.equal((await send('PUT', '/v1/secrets/API_KEY', { token: admin, json: secret })).status, 200)
  const policy = await send('PUT', '/v1/approval-policies/four-eyes', { token: admin, json: { order: 1 } })
  assert.equal(policy.status, 200)
  const label = await send('PUT', `/v1/agents/${AGENT}/labels/live`, {
    token: admin,
    json: { version: '1.0.0' },
  })
  assert.equal(label.status, 200)
  await make('/v1/peers', peer('partner'))
  const jti = '0198c0de-0000-7000-8000-00000000000c'
  assert.equal((await send('DELETE', `/v1/migrations/${jti}`, { token: admin })).status, 200)
  const { id: erasure } = await make('/v1/erasures', { user: 'gone' })
  return {
    agent: AGENT,
    version: '1.0.0',
    label: 'live',
    run: run_id as string,
    batch: batch_id as string,
    session: 'talk',
    approval: approvalOf(run_id),
    organisation: 'default',
    user: 'ann',
    team: 'duty',
    token: token as string,
    rule: '0198c0de-0000-7000-8000-00000000000a',
    stop: stop as string,
    webhook: webhook as string,
    trigger: trigger as string,
    delivery: '0198c0de-0000-7000-8000-00000000000b',
    name: 'API_KEY',
    policy: 'four-eyes',
    erasure: erasure as string,
    peer: 'partner',
    jti,
    model: AGENT,
  }
}

export function peer(name: string): object {
  const { publicKey } = generateKeyPairSync('ed25519')
  return { name, url: 'https://partner.example', keys: { keys: [publicKey.export({ format: 'jwk' })] } }
}

/** Names a question of a run. */
export function approvalOf(run: string): string {
  return `${run}~1~Yzx`
}

/** Returns the path of a resource. */
export function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    assert.ok(value !== undefined, `the test has no ${name}`)
    return encodeURIComponent(value)
  })
}
