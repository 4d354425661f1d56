import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { serve } from '../server/served.ts'
import { testDatabase } from './postgres.ts'

const AGENT = '55555555-5555-4555-8555-555555555555'

/** More queries than any request sends. */
const MOST_QUERIES = 40

/** Bodies that pass the schemas, so that requests reach the database. */
const BODIES: Readonly<Record<string, object>> = {
  startRun: { input: 'hello', rehearse: true },
  startBatch: { inputs: ['a'], rehearse: true },
  createSession: { agent_id: AGENT, user: 'ada' },
  sendMessage: { input: 'hello' },
  createChatCompletion: { model: 'Clerk', messages: [{ role: 'user', content: 'hello' }] },
  createToken: { user: 'ada', roles: ['viewer'] },
  createOrganisation: { organisation: 'other', admin: { user: 'eve' } },
  putSecret: { value: 'a value that is long', hosts: ['api.example.com'] },
  stop: { run: 'r1' },
  replaceBudgets: { budgets: [] },
}

async function site(t: TestContext) {
  const { ownerUrl, urls } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-outages-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), '{}')
  let token = ''
  const opened = await openPlatform({
    home,
    data: home,
    databaseUrl: ownerUrl,
    env: {},
    keepToken: (made) => {
      token = made
    },
    version: '9.9.9',
    log: () => {},
  })
  t.after(() => opened.close())
  const served = await serve(t, opened.platform, {
    limits: { requestsPerSecond: 10_000, burst: 10_000 },
    furtherOperations: OPENAI_OPERATIONS,
    register: (app, server) => registerOpenAi(app, server, { waitMs: 10 }),
  })
  const definition = {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: AGENT,
    agent: { name: 'Clerk', goal: 'Answer.' },
  }
  const uploaded = await served.send('POST', '/v1/agents', { token, json: definition })
  assert.equal(uploaded.status, 201, uploaded.text)
  await served.send('PUT', `/v1/agents/${AGENT}/labels/openai`, {
    token,
    json: { version: uploaded.json.version },
  })
  return { ...served, token, definition, roles: [urls.app, urls.engine].map((url) => new URL(url).username) }
}

/** Cuts the connection of requests at their n-th statement from now on, once. @returns whether it was cut */
function cutAt(t: TestContext, roles: readonly string[]) {
  const { query } = pg.Client.prototype
  let left = 0
  let hasCut = false
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    if (roles.includes(this.user ?? '') && left > 0 && --left === 0) {
      hasCut = true
      ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    }
    return (query as (...all: never[]) => unknown).apply(this, args)
  } as never
  t.after(() => {
    pg.Client.prototype.query = query
  })
  return {
    at(statement: number) {
      left = statement
      hasCut = false
    },
    get hasCut() {
      return hasCut
    },
  }
}

describe('a connection to the database that is lost during a request', () => {
  test('at any statement of any route gives 503 with a hint, and one warning in the log', async (t) => {
    const { send, token, definition, roles, log } = await site(t)
    const cut = cutAt(t, roles)
    const { paths } = (await send('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, JsonObject>>
    }
    let cuts = 0
    const untouched: string[] = []
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods)) {
        const name = String(operation.operationId)
        const url = path
          .replaceAll('{agent}', AGENT)
          .replaceAll('{organisation}', 'default')
          .replaceAll('{model}', 'Clerk')
          .replaceAll('{secret}', 'KEY')
          .replaceAll(/\{\w+\}/g, 'x1')
        let touched = false
        for (let statement = 1; statement <= MOST_QUERIES; statement++) {
          cut.at(statement)
          // The caller's own token must stay.
          const json =
            name === 'uploadAgent'
              ? { ...definition, 'x-count': statement }
              : (BODIES[name] ?? (operation.requestBody === undefined ? undefined : {}))
          const answer = await send(method.toUpperCase() as 'GET', url, {
            token,
            ...(json !== undefined && { json }),
            headers: { 'idempotency-key': `${name}-${statement}` },
          })
          const what = `${method} ${url}, statement ${statement}: ${answer.status} ${answer.text.slice(0, 300)}`
          assert.notEqual(answer.status, 500, what)
          if (!cut.hasCut) break
          touched = true
          cuts++
          if (answer.status !== 503) continue
          const { code, message, hint } = path.startsWith('/openai') ? answer.json.error : answer.json
          assert.equal(code, 'DATABASE_UNREACHABLE', what)
          assert.ok(hint ?? /check that PostgreSQL/.test(message), what)
          assert.equal(answer.headers['retry-after'], '1', what)
        }
        cut.at(0)
        if (!touched) untouched.push(name)
      }
    assert.ok(cuts > 300, `${cuts} cuts`)
    assert.ok(untouched.length < 12, untouched.join(', '))
    assert.deepEqual(
      log.map(({ level }) => level),
      ['warn'],
    )
  })
})
