import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { Role } from '../../src/session/principal.ts'
import { serve } from '../server/served.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'

interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly requestBody?: unknown
  readonly 'x-roles'?: readonly string[]
}

/** All roles but admin. */
const ROLES: readonly Role[] = ['viewer', 'author', 'operator', 'approver']

/** The real platform, without a worker, with the organisations `default` and `other`. */
async function place(t: TestContext) {
  const { ownerUrl } = await testDatabase(t)
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
  })
  t.after(() => opened.close())
  const limits = { requestsPerSecond: 10_000, burst: 10_000 }
  const { send } = await serve(t, opened.platform, { limits })
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
  return { send, make, admin, other, own: await roles('default', admin), others: await roles('other', other) }
}

/** One of each resource of the first organisation, by the name of its parameter. */
async function resources({ make, send, admin }: Awaited<ReturnType<typeof place>>) {
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

function peer(name: string): object {
  const { publicKey } = generateKeyPairSync('ed25519')
  return { name, url: 'https://partner.example', keys: { keys: [publicKey.export({ format: 'jwk' })] } }
}

/** Valid bodies, some of which name resources of the first organisation. */
function bodyOf(operation: string, names: Readonly<Record<string, string>>): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    uploadAgent: definitionOf({ name: 'Other' }, { agent_id: '0198c0de-0000-7000-8000-000000000099' }),
    planDefinition: definitionOf({ name: 'Other' }, { agent_id: '0198c0de-0000-7000-8000-000000000099' }),
    setLabel: { version: '1.0.0' },
    startRun: { input: 'x' },
    startBatch: { inputs: ['x'] },
    createSession: { agent_id: names.agent, session: 'new' },
    sendMessage: { input: 'x' },
    decide: { verdict: 'approve' },
    decideSeveral: { items: [{ id: names.approval, verdict: 'approve' }] },
    createRule: { agent_id: names.agent, what: 'send to=*@ours.example' },
    previewRule: { agent_id: names.agent, what: 'send to=*@ours.example' },
    replaceBudgets: { budgets: [] },
    createOrganisation: { organisation: 'third', admin: { user: 'x' } },
    setMember: { user: 'mallory', roles: ['admin'] },
    setTeam: { team: 'duty', members: [] },
    createToken: { organisation: names.organisation, user: names.user },
    stop: { run: names.run },
    createWebhook: { url: 'https://hooks.acme.example/other' },
    changeWebhook: { url: 'https://hooks.acme.example/other' },
    setApprovalPolicy: { starter_may_decide: false },
    createTrigger: { agent_id: names.agent, kind: 'message' },
    sendTriggerMessage: { from: 'eve', text: 'x' },
    eraseUser: { user: 'gone' },
    setPeer: peer('own'),
    migrateRun: { to: 'partner' },
    reportMigration: { statement: 'x' },
    askArrivals: { question: 'x' },
    setSecret: { value: 'x', hosts: ['api.acme.example'] },
    createChatCompletion: { model: names.model, messages: [{ role: 'user', content: 'x' }] },
  }
  return bodies[operation] ?? {}
}

/** Operations on the own organisation only: what they do is checked by what the first organisation sees afterwards. */
const OWN = new Set([
  'uploadAgent',
  'planDefinition',
  'readOwnPeer',
  'enrolMachine',
  'invitePeer',
  'joinPeer',
  'askArrivals',
  'listAgents',
  'listRuns',
  'listSessions',
  'listApprovals',
  'listApprovalPolicies',
  'setApprovalPolicy',
  'readBudgets',
  'replaceBudgets',
  'readPrincipal',
  'openBrowserSession',
  'readBrowserSession',
  'endBrowserSession',
  'listOrganisations',
  'listTokens',
  'listRules',
  'listMemory',
  'readAudit',
  'exportAudit',
  'verifyAudit',
  'listStops',
  'listWebhooks',
  'createWebhook',
  'listTriggers',
  'listSecrets',
  'listErasures',
  'eraseUser',
  'listPeers',
  'setPeer',
  'receiveState',
  'receiveHandoff',
  'openHandoff',
  'withdrawMigration',
  'setSecret',
  'listOpenAiModels',
  'forgetMemory',
  'metrics',
])

/** Operations that create what they name. */
const OWN_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  setSecret: { name: 'OWN_KEY' },
  setApprovalPolicy: { policy: 'own' },
}

describe('an organisation', () => {
  it('cannot read, change or recognise anything of another one, by any route, with any role; no token and no other role has access', async (t) => {
    const site = await place(t)
    const { send, admin, other, own, others } = site
    const names: Readonly<Record<string, string>> = await resources(site)
    const everything = async () => {
      const paths = [
        '/v1/agents',
        `/v1/agents/${AGENT}/versions`,
        '/v1/runs',
        `/v1/runs/${names.run}`,
        `/v1/runs/${names.run}/events`,
        `/v1/batches/${names.batch}`,
        '/v1/sessions',
        '/v1/budgets',
        '/v1/organisations/default/members',
        '/v1/organisations/default/teams',
        '/v1/stops',
        '/v1/webhooks',
        '/v1/approval-policies',
        '/v1/triggers',
        `/v1/triggers/${names.trigger}/firings`,
        '/v1/secrets',
        '/v1/rules',
        '/v1/erasures',
        '/v1/peers',
        `/v1/migrations/${names.jti}`,
        '/v1/audit',
      ]
      return Promise.all(paths.map(async (path) => (await send('GET', path, { token: admin })).text))
    }
    const before = await everything()
    const { paths } = (await send('GET', '/openapi.json')).json
    const texts: string[] = []
    let refused = 0
    let missing = 0
    for (const [path, operations] of Object.entries(paths as Record<string, Record<string, Operation>>)) {
      for (const [method, { operationId, security, requestBody, ...more }] of Object.entries(operations)) {
        if (security !== undefined) continue
        const ask = async (values: Readonly<Record<string, string>>, token = other) => {
          const body = bodyOf(operationId, values)
          return send(method.toUpperCase() as 'GET', filled(path, { ...values, ...OWN_NAMES[operationId] }), {
            ...(token !== '' && { token }),
            ...(requestBody !== undefined && { json: body }),
          })
        }
        const permitted = more['x-roles'] ?? []
        assert.ok(permitted.includes('admin'), operationId)
        const anonymous = await ask(names, '')
        assert.deepEqual([anonymous.status, anonymous.json.code], [401, 'TOKEN_REFUSED'], operationId)
        for (const role of ROLES) {
          const isPermitted = permitted.includes(role)
          const far = await ask(names, others.get(role))
          texts.push(far.text)
          const { status } = far
          const what = `${operationId} by ${role}: ${status} ${far.text}`
          if (!isPermitted) assert.deepEqual([status, far.json.code], [403, 'ROLE_MISSING'], what)
          else if (OWN.has(operationId)) assert.ok(status < 500, what)
          else assert.ok([403, 404].includes(far.json.items?.[0]?.status ?? status), what)
          if (isPermitted) continue
          const near = await ask(names, own.get(role))
          assert.deepEqual([near.status, near.json.code], [403, 'ROLE_MISSING'], what)
          missing++
        }
        const there = await ask(names)
        texts.push(there.text)
        if (OWN.has(operationId)) {
          assert.ok(there.status < 500, `${operationId}: ${there.text}`)
          continue
        }
        // Of several decisions, each has a status of its own.
        const isRefused = [403, 404].includes(there.json.items?.[0]?.status ?? there.status)
        assert.ok(isRefused, `${operationId}: ${there.status} ${there.text}`)
        const invented = Object.fromEntries(
          Object.entries(names).map(([name, value]) => [name, unlike(value)]),
        )
        invented.approval = approvalOf(invented.run ?? '')
        const nowhere = await ask(invented)
        const named = [...Object.values(names), ...Object.values(invented)].sort(
          (a, b) => b.length - a.length,
        )
        const plain = (text: string) => named.reduce((left, value) => left.replaceAll(value, '…'), text)
        assert.equal(there.status, nowhere.status, operationId)
        assert.equal(plain(there.text), plain(nowhere.text), operationId)
        refused++
      }
    }
    assert.ok(refused > 30, `${refused} operations refuse`)
    assert.ok(missing > 100, `${missing} roles are refused`)
    for (const text of texts) assert.doesNotMatch(text, /secret.of.default|Clerk|"ann"/)
    assert.deepEqual(await everything(), before)
  })
})

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    assert.ok(value !== undefined, `the test has no ${name}`)
    return encodeURIComponent(value)
  })
}

/** Names a question of a run. */
function approvalOf(run: string): string {
  return `${run}~1~Yzx`
}

/** Returns another name of the same form. */
function unlike(name: string): string {
  return name.replace(/[a-z0-9](?=[^a-z0-9]*$)/, (last) => (last === '7' ? '3' : '7'))
}
