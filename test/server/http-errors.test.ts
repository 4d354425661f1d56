import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unreachable } from '../../src/platform/records/storage-errors.ts'
import { OutageLog } from '../../src/server/outage-log.ts'
import { definition, type Received, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'
const RUNS = `/v1/agents/${AGENT}/runs`

function assertProblem(answer: Received, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(answer.json.code, code, answer.text)
  assert.equal(answer.json.status, status)
  for (const member of ['type', 'title', 'detail']) assert.equal(typeof answer.json[member], 'string')
}

describe('bodies', () => {
  for (const [what, body, codes] of [
    ['an unknown member', { input: 1, wait_secnds: 3 }, ['UNKNOWN_MEMBER']],
    ['an unknown member inside', { input: 1, budget: { token: 3 } }, ['UNKNOWN_MEMBER']],
    ['a number as a string', { input: 1, priority: '1' }, ['WRONG_TYPE']],
    ['a value outside its range', { input: 1, priority: 3 }, ['OUT_OF_RANGE']],
    ['a wait that is too long', { input: 1, wait_seconds: 61 }, ['OUT_OF_RANGE']],
    ['a day that does not exist', { start_after: '2026-02-30T00:00:00Z' }, ['SCHEMA_MISMATCH']],
    ['a value outside its list', { on_busy: 'enqeue' }, ['NOT_IN_ENUM']],
    ['a control character in an id', { user: 'a\u0000b' }, ['PATTERN_MISMATCH']],
    ['two errors at once', { user: 5, rehearse: 'yes' }, ['WRONG_TYPE', 'WRONG_TYPE']],
    ['an array', [], ['WRONG_TYPE']],
  ] as const) {
    test(`refuses ${what} and names the place`, async (t) => {
      const { send, token } = await serveFake(t)
      const answer = await send('POST', RUNS, { token, json: body })
      assertProblem(answer, 422, 'REQUEST_INVALID')
      assert.deepEqual(
        answer.json.issues.map(({ code }: { code: string }) => code),
        codes,
      )
      for (const issue of answer.json.issues) assert.equal(issue.line, 1)
    })
  }

  test('suggests the member that was meant', async (t) => {
    const { send, token } = await serveFake(t)
    const answer = await send('POST', RUNS, { token, json: { inptu: 'hello' } })
    assert.match(answer.json.hint, /did you mean "input"/)
    assert.equal(answer.json.issues[0].pointer, '/inptu')
  })

  for (const [what, body, type, status, code] of [
    ['text that is no JSON', '{"input":', 'application/json', 400, 'BODY_UNREADABLE'],
    ['a duplicate name', '{"input":1,"input":2}', 'application/json', 400, 'BODY_UNREADABLE'],
    [
      'nesting of 5,000',
      `{"input":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'application/json',
      400,
      'BODY_UNREADABLE',
    ],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 400, 'BODY_UNREADABLE'],
    ['a member named __proto__', '{"__proto__":{"input":1}}', 'application/json', 422, 'REQUEST_INVALID'],
    ['no body', '', 'application/json', 400, 'BODY_UNREADABLE'],
    ['YAML', 'input: 1', 'application/yaml', 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['a form', 'input=1', 'application/x-www-form-urlencoded', 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['another charset', '{}', 'application/json; charset=utf-16', 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['a content-type that is no media type', '{}', 'json', 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['more than 1 MiB', `{"input":"${'a'.repeat(1024 * 1024)}"}`, 'application/json', 413, 'BODY_TOO_LARGE'],
  ] as const) {
    test(`refuses ${what}`, async (t) => {
      const { send, token } = await serveFake(t)
      const answer = await send('POST', RUNS, { token, body, headers: { 'content-type': type } })
      assertProblem(answer, status, code)
    })
  }

  test('refuses a compressed body', async (t) => {
    const { send, token } = await serveFake(t)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assertProblem(await send('POST', RUNS, { token, body: '{}', headers }), 415, 'MEDIA_TYPE_UNSUPPORTED')
  })

  test('accepts UTF-8 by name, and a structured suffix', async (t) => {
    const { send, token } = await serveFake(t)
    for (const type of ['application/json; charset="UTF-8"', 'application/aaif+json', 'APPLICATION/JSON']) {
      const made = await send('POST', '/v1/agents', {
        token,
        body: definition(AGENT),
        headers: { 'content-type': type },
      })
      assert.ok(made.status === 201 || made.status === 200, `${type}: ${made.text}`)
    }
  })
})

describe('paths and queries', () => {
  for (const [query, pointer] of [
    ['limit=0', '/limit'],
    ['limit=1e2', '/limit'],
    ['limit=01', '/limit'],
    ['limit=', '/limit'],
    ['limt=5', '/limt'],
    ['status=finished', '/status'],
    ['since=yesterday', '/since'],
    ['__proto__=1', '/__proto__'],
  ] as const) {
    test(`refuses ?${query}`, async (t) => {
      const { send, token } = await serveFake(t)
      const answer = await send('GET', `/v1/runs?${query}`, { token })
      assertProblem(answer, 400, 'QUERY_INVALID')
      assert.equal(answer.json.pointer, pointer)
    })
  }

  test('refuses a repeated parameter and broken percent-encoding', async (t) => {
    const { send, token } = await serveFake(t)
    assertProblem(await send('GET', '/v1/runs?limit=1&limit=2', { token }), 400, 'QUERY_INVALID')
    assertProblem(await send('GET', '/v1/runs?user=%FF', { token }), 400, 'QUERY_INVALID')
    assertProblem(await send('GET', '/v1/runs/%FF', { token }), 400, 'REQUEST_MALFORMED')
    assertProblem(await send('GET', '/v1/runs/a%00b', { token }), 400, 'QUERY_INVALID')
  })

  test('answers an unknown path 404, and a wrong method 405 with the methods that exist', async (t) => {
    const { send, token } = await serveFake(t)
    assertProblem(await send('GET', '/v1/nothing', { token }), 404, 'ROUTE_NOT_FOUND')
    assertProblem(await send('GET', '/v1/runs/', { token }), 404, 'ROUTE_NOT_FOUND')
    const wrong = await send('PUT', '/v1/runs/r1', { token })
    assertProblem(wrong, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(wrong.headers.allow, 'DELETE, GET, HEAD')
    const several = await send('PUT', '/v1/agents', { token })
    assert.equal(several.headers.allow, 'GET, HEAD, POST')
    assertProblem(await send('OPTIONS', '/v1/agents', { token }), 405, 'METHOD_NOT_ALLOWED')
  })

  test('answers every unknown id 404 with the code of its kind', async (t) => {
    const { send, token, platform } = await serveFake(t)
    platform.ask('acme', 'a1')
    for (const [method, path, code, json] of [
      ['GET', '/v1/agents/none', 'AGENT_NOT_FOUND'],
      ['POST', '/v1/agents/none/runs', 'AGENT_NOT_FOUND', {}],
      ['POST', '/v1/agents/none/activate', 'AGENT_NOT_FOUND', {}],
      ['GET', '/v1/runs/none', 'RUN_NOT_FOUND'],
      ['GET', '/v1/runs/none/events', 'RUN_NOT_FOUND'],
      ['POST', '/v1/runs/none/cancel', 'RUN_NOT_FOUND', {}],
      ['GET', '/v1/batches/none', 'BATCH_NOT_FOUND'],
      ['GET', '/v1/sessions/none', 'SESSION_NOT_FOUND'],
      ['POST', '/v1/approvals/none', 'APPROVAL_NOT_FOUND', { verdict: 'approve' }],
      ['DELETE', '/v1/rules/none', 'GRANT_NOT_FOUND'],
    ] as const)
      assertProblem(await send(method, path, { token, ...(json !== undefined && { json }) }), 404, code)
    const stream = await send('GET', '/v1/runs/none/events', {
      token,
      headers: { accept: 'text/event-stream' },
    })
    assertProblem(stream, 404, 'RUN_NOT_FOUND')
  })
})

describe('failures', () => {
  test('an unexpected error is answered 500 without its message, and logged under the id of the answer', async (t) => {
    const { send, token, platform, log } = await serveFake(t)
    platform.failure = new Error('password=hunter2 at line 7')
    const answer = await send('GET', '/v1/runs', { token })
    assertProblem(answer, 500, 'INTERNAL')
    assert.doesNotMatch(answer.text, /hunter2|line 7/)
    assert.equal(log.length, 1)
    assert.ok(answer.json.detail.includes(log[0]?.id ?? 'no id'))
    assert.equal(log[0]?.message, 'password=hunter2 at line 7')
  })

  for (const [what, error, status, code] of [
    ['recovery', pgError('57P03', 'the database system is in recovery mode'), 503, 'DATABASE_UNREACHABLE'],
    ['a start', pgError('57P03', 'the database system is starting up'), 503, 'DATABASE_UNREACHABLE'],
    ['a shutdown', pgError('57P01', 'terminating connection'), 503, 'DATABASE_UNREACHABLE'],
    ['a crash', pgError('57P02', 'terminating connection because of crash'), 503, 'DATABASE_UNREACHABLE'],
    ['a reset connection', pgError('ECONNRESET', 'read ECONNRESET'), 503, 'DATABASE_UNREACHABLE'],
    ['a refused connection', pgError('ECONNREFUSED', 'connect'), 503, 'DATABASE_UNREACHABLE'],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 503, 'DATABASE_UNREACHABLE'],
    ['a full pool', new Error('timeout exceeded when trying to connect'), 503, 'DATABASE_UNREACHABLE'],
    ['too many connections', pgError('53300', 'sorry, too many clients'), 503, 'DATABASE_UNREACHABLE'],
    ['no memory', pgError('53200', 'out of memory'), 503, 'DATABASE_UNREACHABLE'],
    ['a broken disk', pgError('58030', 'could not read block 3'), 503, 'DATABASE_UNREACHABLE'],
    ['a deadlock', pgError('40P01', 'deadlock detected'), 503, 'DATABASE_UNREACHABLE'],
    ['a full disk', pgError('53100', 'could not extend file "base/1/2"'), 507, 'DISK_FULL'],
  ] as const)
    test(`${what} of the database is an outage, which is logged once as a warning`, async (t) => {
      const { send, token, platform, log } = await serveFake(t)
      platform.failure = error
      for (const path of ['/v1/runs', '/v1/agents', '/v1/runs/r1/events']) {
        const answer = await send('GET', path, { token, headers: { accept: 'text/event-stream, */*' } })
        assertProblem(answer, status, code)
        assert.ok(answer.json.hint)
        assert.doesNotMatch(answer.text, /base\/1|block 3|clients/)
        if (status === 503) assert.equal(answer.headers['retry-after'], '1')
      }
      assert.deepEqual(
        log.map(({ level, id }) => [level, id]),
        [['warn', undefined]],
      )
    })

  test('an error of a statement is not an outage', async (t) => {
    const { send, token, platform, log } = await serveFake(t)
    for (const code of ['42703', '23505', '22P02', 'ENOENT', 'EACCES']) {
      platform.failure = pgError(code, 'wrong')
      assertProblem(await send('GET', '/v1/runs', { token }), 500, 'INTERNAL')
    }
    assert.deepEqual([...new Set(log.map(({ level }) => level))], ['error'])
  })

  test('another outage, after a minute without one, is logged again', () => {
    let now = 0
    const warned: string[] = []
    const outages = new OutageLog(
      () => now,
      ({ code }) => warned.push(code),
    )
    const away = unreachable()
    for (now of [0, 30_000, 80_000, 139_000]) outages.note(away)
    assert.equal(warned.length, 1)
    now = 200_000
    outages.note(away)
    assert.equal(warned.length, 2)
  })

  test('a stream that fails ends with the problem, without an id and without `end`', async (t) => {
    const { send, token, platform, log } = await serveFake(t)
    const { runs, agents } = platform.tenant({ organisation: 'acme', user: 'u', roles: ['admin'] })
    await agents.upload(Buffer.from('{"agent_id":"x"}'), 'application/json')
    await runs.start('x', {}, 'r1')
    for (const [failure, code] of [
      [pgError('57P01', 'terminating connection'), 'DATABASE_UNREACHABLE'],
      [new Error('hunter2'), 'INTERNAL'],
    ] as const) {
      // biome-ignore lint/correctness/useYield: it fails at once
      platform.followed = async function* () {
        throw failure
      }
      const { text } = await send('GET', '/v1/runs/r1/events', {
        token,
        headers: { accept: 'text/event-stream' },
      })
      const [, last = ''] = /\n\nevent: problem\ndata: (.*)\n\n$/.exec(text) ?? []
      assert.equal(JSON.parse(last).code, code, text)
      assert.doesNotMatch(text, /event: end|hunter2/)
    }
    assert.deepEqual(
      log.map(({ level }) => level),
      ['warn', 'error'],
    )
  })

  test('the log never contains the token', async (t) => {
    const { send, token, platform, log } = await serveFake(t)
    platform.failure = new Error('broken')
    await send('POST', RUNS, { token, json: {} })
    assert.equal(log.length, 1)
    assert.ok(!JSON.stringify(log).includes(token))
  })

  test('readiness is 503 with the reason, while health is 200', async (t) => {
    const { send, platform } = await serveFake(t)
    assert.equal((await send('GET', '/readyz')).status, 200)
    const { WaybillError } = await import('../../src/document/issue.ts')
    platform.notReady = new WaybillError('DATABASE_UNREACHABLE', { fault: 'failed', message: 'no answer' })
    const answer = await send('GET', '/readyz')
    assertProblem(answer, 503, 'DATABASE_UNREACHABLE')
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal((await send('GET', '/healthz')).status, 200)
  })
})

function pgError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
