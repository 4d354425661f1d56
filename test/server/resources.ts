import assert from 'node:assert/strict'
import { decodeCbor } from '../../src/document/index.ts'
import { definition, type Served } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'

/** Sends requests of one principal with the role `admin`. */
type Send = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options?: Omit<NonNullable<Parameters<Served['send']>[2]>, 'token'>,
) => ReturnType<Served['send']>

/** The routes of agents, tried on any platform. */
export async function tryAgents(send: Send): Promise<void> {
  const bytes = definition(AGENT)
  const upload = (body: string | Uint8Array, type: string) =>
    send('POST', '/v1/agents', { body, headers: { 'content-type': type } })
  const made = await upload(bytes, 'application/json; charset=utf-8')
  assert.equal(made.status, 201, made.text)
  assert.equal(made.json.agent_id, AGENT)
  assert.equal(made.json.status, 'active')
  const again = await upload(bytes, 'application/json; charset=utf-8')
  assert.equal(again.status, 200, again.text)
  assert.equal(again.json.digest, made.json.digest)
  const other = await upload(` ${bytes}`, 'application/json')
  assert.equal(other.status, 409, other.text)
  assert.equal(other.json.code, 'VERSION_EXISTS')
  const yaml = `agent_id: ${AGENT}\nsc_standard: SC-006\nsc_version: 1.0.0\nversion: 2.0.0\nagent: {name: Clerk, goal: Answer.}\n`
  assert.equal((await upload(yaml, 'application/yaml')).status, 201)

  const listed = await send('GET', '/v1/agents')
  assert.deepEqual(
    listed.json.items.map(({ agent_id }: { agent_id: string }) => agent_id),
    [AGENT],
  )
  const versions = await send('GET', `/v1/agents/${AGENT}/versions`)
  assert.deepEqual(versions.json.items.map(({ version }: { version: string }) => version).sort(), [
    '1.0.0',
    '2.0.0',
  ])

  const same = await send('GET', `/v1/agents/${AGENT}/versions/1.0.0`, {
    headers: { accept: 'application/json' },
  })
  assert.equal(same.text, bytes)
  const any = await send('GET', `/v1/agents/${AGENT}/versions/2.0.0`)
  assert.equal(any.text, yaml)
  assert.match(String(any.headers['content-type']), /^application\/yaml/)
  const preferred = await send('GET', `/v1/agents/${AGENT}/versions/2.0.0`, {
    headers: { accept: 'text/html, application/json;q=0.2, application/cbor;q=0.9' },
  })
  assert.match(String(preferred.headers['content-type']), /^application\/cbor/)
  assert.equal((decodeCbor(preferred.bytes) as { agent_id: string }).agent_id, AGENT)
  const none = await send('GET', `/v1/agents/${AGENT}/versions/1.0.0`, {
    headers: { accept: 'text/html, application/json;q=0' },
  })
  assert.equal(none.status, 406, none.text)
  assert.equal(none.json.code, 'NOT_ACCEPTABLE')

  const activated = await send('POST', `/v1/agents/${AGENT}/activate`)
  assert.equal(activated.json.version, '2.0.0')
  const back = await send('POST', `/v1/agents/${AGENT}/activate`, { json: { version: '1.0.0' } })
  assert.equal(back.json.status, 'active')
  assert.equal((await send('GET', `/v1/agents/${AGENT}`)).json.version, '1.0.0')
  const labelled = await send('PUT', `/v1/agents/${AGENT}/labels/production`, { json: { version: '2.0.0' } })
  assert.deepEqual(labelled.json.labels, ['production'])
  assert.equal((await send('GET', `/v1/agents/${AGENT}?version=production`)).json.version, '2.0.0')
  assert.equal((await send('DELETE', `/v1/agents/${AGENT}/labels/production`)).status, 200)
  assert.equal((await send('GET', `/v1/agents/${AGENT}?version=production`)).json.code, 'VERSION_NOT_FOUND')
  const deprecated = await send('POST', `/v1/agents/${AGENT}/deprecate`, { json: { version: '2.0.0' } })
  assert.equal(deprecated.json.status, 'deprecated')
}

/** The routes of batches and sessions. The agent of {@link tryAgents} must exist. */
export async function tryConversations(send: Send): Promise<void> {
  const batch = await send('POST', `/v1/agents/${AGENT}/batches`, {
    json: { inputs: ['a', 'b', 'c'], rehearse: true },
  })
  assert.equal(batch.status, 202, batch.text)
  assert.equal(batch.json.inputs, 3)
  const page = await send('GET', `/v1/batches/${batch.json.batch_id}?limit=2`)
  assert.equal(page.json.items.length, 2)
  assert.ok(page.json.next)
  const rest = await send('GET', `/v1/batches/${batch.json.batch_id}?limit=2&cursor=${page.json.next}`)
  assert.equal(rest.json.items.length, 1)
  assert.equal(rest.json.next, null)
  const empty = await send('POST', `/v1/agents/${AGENT}/batches`, { json: { inputs: [] } })
  assert.equal(empty.json.code, 'REQUEST_INVALID')

  const created = await send('POST', '/v1/sessions', { json: { agent_id: AGENT, user: 'ada' } })
  assert.equal(created.status, 201, created.text)
  const path = `/v1/sessions/${created.json.session}`
  const sent = await send('POST', `${path}/messages`, { json: { input: 'hello' } })
  assert.equal(sent.status, 202, sent.text)
  assert.equal((await send('GET', path)).json.session, created.json.session)
  assert.equal((await send('GET', '/v1/sessions')).json.items.length, 1)
}

/** What a platform without runs and records answers: empty pages. */
export async function tryEmpty(send: Send): Promise<void> {
  for (const path of ['/v1/approvals', '/v1/rules', '/v1/memory', '/v1/audit']) {
    const answer = await send('GET', path)
    assert.deepEqual(answer.json, { items: [], next: null }, path)
  }
  const all = await send('DELETE', '/v1/memory')
  assert.equal(all.json.code, 'QUERY_INVALID')
  assert.deepEqual((await send('DELETE', '/v1/memory?user=ada')).json, { removed: 0 })
}

/** Returns a function that sends with a token. */
export function sender({ send }: Served, token: string): Send {
  return (method, path, options = {}) => send(method, path, { ...options, token })
}
