import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approvalOf, filled, peer, place, ROLES, resources } from './filled-platform.ts'
import { AGENT, definitionOf } from './organisation.ts'

interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly requestBody?: unknown
  readonly 'x-roles'?: readonly string[]
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
    reportMigration: { statement: 'x.y.z' },
    askArrivals: { question: 'x.y.z' },
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

/** No answer about a state is given before the connection is safe. */
const REFUSED = [403, 404, 426]

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
          else assert.ok(REFUSED.includes(far.json.items?.[0]?.status ?? status), what)
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
        const isRefused = REFUSED.includes(there.json.items?.[0]?.status ?? there.status)
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

/** Returns another name of the same form. */
function unlike(name: string): string {
  return name.replace(/[a-z0-9](?=[^a-z0-9]*$)/, (last) => (last === '7' ? '3' : '7'))
}
