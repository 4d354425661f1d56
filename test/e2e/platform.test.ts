import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'
import { createParser } from 'eventsource-parser'
import OpenAI from 'openai'
import type { JsonObject } from '../../src/document/json.ts'
import { partsOf, type SmtpReceiver, smtpReceiver } from '../platform/inbox/smtp-receiver.ts'
import { isSigned, isSignedWithKey } from '../platform/verify-message.ts'
import { receiver, until } from '../platform/webhooks-fixture.ts'
import { type Started, startProcess } from '../started-process.ts'

/** `waybill up` as its users start it, with the embedded database and a model server on loopback. */

const models = new LLMock({ port: 0, host: '127.0.0.1' })
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
const AGENT_ID = '5f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d11'
let home = ''
let modelUrl = ''
let smtp: SmtpReceiver
let up: Started
let url = ''
let token = ''

function agent(version: string, members: JsonObject = {}): string {
  return JSON.stringify({
    sc_standard: 'SC-006',
    agent_id: AGENT_ID,
    agent: {
      name: 'Clerk',
      version,
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'test-model', base_url: `${modelUrl}/v1` },
      runtime: { queue: 'letters', async_execution: true },
      ...members,
    },
  })
}

async function start(): Promise<void> {
  up = startProcess(
    [
      'up',
      '--json',
      '--port',
      '0',
      '--lease',
      '1',
      '--config',
      join(home, 'config.yaml'),
      '--tools',
      join(home, 'tools.mjs'),
    ],
    {
      env: {
        ...process.env,
        WAYBILL_HOME: home,
        OPENAI_API_KEY: 'sk-test-0123456789abcdefghijklmnop',
        DATABASE_URL: undefined,
      },
    },
  )
  for (let waited = 0; up.out() === '' && waited < 600; waited++) {
    if (up.child.exitCode !== null) assert.fail(up.out() + up.err())
    await sleep(50)
  }
  const ready = JSON.parse(up.out()) as { url: string; token_file: string; ready: boolean }
  assert.equal(ready.ready, true, up.out() + up.err())
  url = ready.url
  token = readFileSync(ready.token_file, 'utf8').trim()
  assert.equal(statSync(ready.token_file).mode & 0o777, 0o600)
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is what the tests check
  readonly json: any
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) }
}

/** Reads an event stream until its end, or until `enough` says so. */
async function stream(
  path: string,
  headers: Record<string, string> = {},
  enough: (events: readonly { event: string; id: string; data: string }[]) => boolean = () => false,
) {
  const events: { event: string; id: string; data: string }[] = []
  const stop = new AbortController()
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  })
  const parser = createParser({
    onEvent: ({ event = '', id = '', data }) => {
      events.push({ event, id, data })
    },
  })
  try {
    for await (const chunk of answer.body ?? []) {
      parser.feed(Buffer.from(chunk).toString())
      if (enough(events)) stop.abort()
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return events
}

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'waybill-up-'))
  modelUrl = await models.start()
  smtp = await smtpReceiver({ after: () => {} })
  writeFileSync(
    join(home, 'config.yaml'),
    `allow_hosts: ["127.0.0.1"]\nproviders:\n  openai:\n    base_urls: ["${modelUrl}/v1"]\n` +
      `mail: { host: 127.0.0.1, port: ${smtp.port}, from: clerk@acme.example, public_url: "https://wb.acme.example" }\n`,
  )
  writeFileSync(
    join(home, 'tools.mjs'),
    `import { appendFileSync } from 'node:fs'
     export const tools = { pay: async ({ amount }) => {
       appendFileSync(${JSON.stringify(join(home, 'paid'))}, amount + '\\n')
       return 'paid'
     } }`,
  )
  await start()
})

after(async () => {
  up.child.kill('SIGTERM')
  await up.ended
  // The functions ran in a process of their own, which ends with the platform.
  const processes = execFileSync('ps', ['ax', '-o', 'args'], { encoding: 'utf8' }).split('\n')
  assert.deepEqual(
    processes.filter((line) => line.includes(join(home, 'tools.mjs'))),
    [],
  )
  await models.stop()
  await smtp.stop()
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

describe('the platform over HTTP', () => {
  test('AAIF-4.1-06: a definition is uploaded once, updated, activated, rolled back, and exported byte for byte', async () => {
    const first = agent('1.0.0')
    const made = await send('POST', '/v1/agents', first)
    assert.equal(made.status, 201, JSON.stringify(made.json))
    assert.equal((await send('POST', '/v1/agents', first)).status, 200)
    assert.equal((await send('POST', '/v1/agents', agent('1.1.0', { goal: 'Answer well.' }))).status, 201)
    assert.equal((await send('GET', '/v1/agents')).json.items.length, 1)
    const back = await send('POST', `/v1/agents/${AGENT_ID}/activate`, { version: '1.0.0' })
    assert.equal(back.json.version, '1.0.0')
    const bytes = await fetch(`${url}/v1/agents/${AGENT_ID}/versions/1.0.0`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    assert.equal(await bytes.text(), first)
  })

  test('AAIF-4.6-06, AAIF-4.6-07: a run on a named queue answers at once with its id, and its stream is complete', async () => {
    models.clearFixtures()
    models.addFixture({ match: {}, response: { content: 'hello there', usage } })
    const begun = await send('POST', `/v1/agents/${AGENT_ID}/runs`, { input: 'hi' })
    assert.equal(begun.status, 202, JSON.stringify(begun.json))
    const { run_id } = begun.json
    const events = await stream(`/v1/runs/${run_id}/events`)
    assert.equal(events.at(-1)?.event, 'end')
    const seqs = events
      .filter(({ id, event }) => id !== '' && !event.startsWith('text'))
      .map(({ id }) => Number(id))
    assert.deepEqual(
      [...new Set(seqs)],
      Array.from({ length: Math.max(...seqs) }, (_, n) => n + 1),
    )
    const run = await send('GET', `/v1/runs/${run_id}`)
    assert.equal(run.json.status, 'completed', JSON.stringify(run.json.error))
    assert.equal(run.json.output, 'hello there')
    // The plan says nothing of a queue that is not served.
    assert.doesNotMatch(JSON.stringify(run.json.warnings), /queue/)
    const rest = await stream(`/v1/runs/${run_id}/events`, { 'last-event-id': '1' })
    assert.equal(rest[0]?.id, '2')
  })

  test('the same Idempotency-Key is the same run, and another body is refused', async () => {
    const key = { 'idempotency-key': 'once' }
    const bodies = { input: 'key', rehearse: true, wait_seconds: 10 }
    const [one, two] = await Promise.all([
      send('POST', `/v1/agents/${AGENT_ID}/runs`, bodies, key),
      send('POST', `/v1/agents/${AGENT_ID}/runs`, bodies, key),
    ])
    assert.equal(one.json.run_id, two.json.run_id)
    const other = await send('POST', `/v1/agents/${AGENT_ID}/runs`, { ...bodies, input: 'other' }, key)
    assert.deepEqual([other.status, other.json.code], [409, 'IDEMPOTENCY_CONFLICT'])
  })

  test('a run that is cancelled before it begins never asks a model', async () => {
    models.clearRequests()
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { json } = await send('POST', `/v1/agents/${AGENT_ID}/runs`, { input: 'x', start_after: later })
    assert.equal(json.status, 'scheduled')
    const cancelled = await send('POST', `/v1/runs/${json.run_id}/cancel`)
    assert.equal(cancelled.json.status, 'cancelled', JSON.stringify(cancelled.json))
    assert.equal(models.getRequests().length, 0)
  })

  test('a run notifies the webhook that it names, and a URL, each verified as its receiver would', async (t) => {
    const { url: hooks, messages } = await receiver(t)
    const { id, secret } = (await send('POST', '/v1/webhooks', { url: `${hooks}/named`, runs: 'named' })).json
    for (const webhook of [id, `${hooks}/url`]) {
      const body = { input: 'hi', rehearse: true, wait_seconds: 10, webhook }
      assert.equal((await send('POST', `/v1/agents/${AGENT_ID}/runs`, body)).status, 200)
    }
    await until(() => messages.length === 2, 'both messages')
    const { keys } = (await send('GET', '/.well-known/jwks.json')).json
    const byPath = new Map(messages.map((message) => [message.path, message]))
    const [named, other] = [byPath.get('/named'), byPath.get('/url')]
    assert.ok(named !== undefined && isSigned(named, secret))
    assert.ok(other !== undefined && isSignedWithKey(other, keys[0]))
    const { type, data } = JSON.parse(named.body)
    assert.deepEqual([type, data.status, data.rehearsal], ['run.ended', 'completed', true])
    // The run of a session names it too: one that begins, and one that has begun without.
    for (const webhook of [undefined, id]) {
      const body = { input: 'hi', session: 'with hooks', wait_seconds: 10, ...(webhook && { webhook }) }
      assert.equal((await send('POST', `/v1/agents/${AGENT_ID}/runs`, body)).status, 200)
    }
    await until(() => messages.length >= 3, 'the message about the second turn')
    assert.equal(JSON.parse(messages.at(-1)?.body ?? '').data.session, 'with hooks')
  })

  test('a batch answers in the order of its inputs', async () => {
    const made = await send('POST', `/v1/agents/${AGENT_ID}/batches`, {
      inputs: ['a', 'b', 'c'],
      rehearse: true,
    })
    assert.equal(made.status, 202, JSON.stringify(made.json))
    for (let waited = 0; waited < 200; waited++) {
      const { json } = await send('GET', `/v1/batches/${made.json.batch_id}`)
      if (json.done === 3) {
        const outputs = json.items.map(({ output }: { output: string }) => /"(.)"/.exec(output)?.[1])
        assert.deepEqual(outputs, ['a', 'b', 'c'])
        return
      }
      await sleep(50)
    }
    assert.fail('the batch has not ended')
  })

  test('an administrator sets budgets, sees what is spent, and a run that nothing is left for is refused', async () => {
    models.clearFixtures()
    models.addFixture({ match: {}, response: { content: 'yes', usage } })
    const empty = await send('PUT', '/v1/budgets', { budgets: [{ kind: 'user', per: 'day' }] })
    assert.deepEqual([empty.status, empty.json.code], [422, 'REQUEST_INVALID'])
    const budget = { kind: 'user', subject: 'spender', per: 'month', calls: 1 }
    const set = await send('PUT', '/v1/budgets', { budgets: [budget] })
    assert.equal(set.status, 200, JSON.stringify(set.json))
    const { renews_at } = set.json.budgets[0]
    assert.deepEqual(set.json.budgets, [{ ...budget, spent: { tokens: 0, usd: 0, calls: 0 }, renews_at }])
    const run = { input: 'hello', user: 'spender', wait_seconds: 20 }
    assert.equal((await send('POST', `/v1/agents/${AGENT_ID}/runs`, run)).json.status, 'completed')
    for (let waited = 0; waited < 400; waited++) {
      const { json } = await send('GET', '/v1/budgets')
      if (json.budgets[0].spent.calls === 1) break
      await sleep(50)
    }
    const refused = await send('POST', `/v1/agents/${AGENT_ID}/runs`, run)
    assert.equal(refused.status, 402)
    assert.equal(refused.json.code, 'BUDGET_EXHAUSTED')
    assert.match(refused.json.detail, /user spender for this month .*calls=1; it renews at /)
    assert.match(refused.json.hint, /PUT \/v1\/budgets/)
    assert.deepEqual((await send('PUT', '/v1/budgets', { budgets: [] })).json, { budgets: [] })
    assert.notEqual((await send('POST', `/v1/agents/${AGENT_ID}/runs`, run)).status, 402)
    const { items } = (await send('GET', '/v1/audit?limit=1000')).json
    const changes = items.filter(({ fact }: { fact: { kind: string } }) => fact.kind === 'budgets.changed')
    assert.deepEqual(
      changes.map(({ fact }: { fact: { budgets: unknown } }) => fact.budgets),
      [[budget], []],
    )
  })

  test('a conversation has a turn for each message', async () => {
    models.clearFixtures()
    models.addFixture({ match: {}, response: { content: 'yes', usage } })
    const begun = await send('POST', `/v1/agents/${AGENT_ID}/runs`, {
      input: 'one',
      session: 's1',
      wait_seconds: 10,
    })
    assert.equal(begun.json.status, 'completed', JSON.stringify(begun.json))
    await send('POST', '/v1/sessions/s1/messages', { input: 'two' })
    for (let waited = 0; waited < 200; waited++) {
      const { json } = await send('GET', `/v1/runs/${begun.json.run_id}`)
      if (json.usage.llm_calls === 2 && json.status === 'completed') return
      await sleep(50)
    }
    assert.fail('the second turn has not ended')
  })

  test('the official OpenAI client chats and streams with an agent that opted in', async () => {
    models.clearFixtures()
    models.addFixture({ match: {}, response: { content: 'from the agent', usage } })
    const label = await send('PUT', `/v1/agents/${AGENT_ID}/labels/openai`, { version: '1.0.0' })
    assert.equal(label.status, 200, JSON.stringify(label.json))
    const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: token })
    const listed = await client.models.list()
    const model = listed.data[0]?.id ?? ''
    const answer = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'hi' }],
    })
    assert.equal(answer.choices[0]?.message.content, 'from the agent')
    let text = ''
    const parts = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'again' }],
      stream: true,
    })
    for await (const part of parts) text += part.choices[0]?.delta.content ?? ''
    assert.equal(text, 'from the agent')
  })

  test('AAIF-7-11, AAIF-7-12, AAIF-6-14: the documents about the platform need no token', async () => {
    for (const path of ['aaif-manifest.json', 'aaif-conformance.json']) {
      const answer = await fetch(`${url}/.well-known/${path}`)
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as JsonObject).sc_standard, 'SC-006')
    }
    assert.equal((await fetch(`${url}/v1/runs`)).status, 401)
  })

  test('a question outlives the platform, is answered once, and its call is sent once', async () => {
    models.clearFixtures()
    const tools = [
      {
        name: 'pay',
        description: 'Pays.',
        parameters_schema: { type: 'object', properties: { amount: { type: 'number' } } },
      },
    ]
    const careful = agent('2.0.0', { tools, compliance: { human_in_the_loop: { enabled: true } } })
    const made = await send('POST', '/v1/agents', careful)
    assert.equal(made.status, 201, JSON.stringify(made.json))
    models.addFixture({
      match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
      response: { content: 'It is paid.', usage },
    })
    models.addFixture({
      match: {},
      response: { toolCalls: [{ id: 'call_1', name: 'pay', arguments: '{"amount":5}' }], usage },
    })
    const policy = { match: { tool: 'p*' }, notify: { mail: ['desk@acme.example'] } }
    assert.equal((await send('PUT', '/v1/approval-policies/payments', policy)).status, 200)
    const run = await send('POST', `/v1/agents/${AGENT_ID}/runs`, {
      input: 'pay',
      version: '2.0.0',
      wait_seconds: 20,
    })
    assert.equal(run.json.status, 'awaiting_approval', JSON.stringify(run.json))
    // A message to the run's conversation or a restart never answers a question.
    up.child.kill('SIGKILL')
    await up.ended
    await start()
    const { json } = await send('GET', '/v1/approvals')
    assert.deepEqual(
      [json.items.length, json.items[0].tool, json.items[0].arguments],
      [1, 'pay', { amount: 5 }],
    )
    const path = `/v1/approvals/${encodeURIComponent(json.items[0].id)}`
    // A mail that was being sent when the process was killed is sent again when its claim ends, after 40 seconds.
    await until(async () => (await send('GET', path)).json.notified[0].state === 'sent', 'the mail', 60)
    const mails = smtp.mails.map((mail) => partsOf(mail))
    // A mail that was being sent when the process was killed arrives twice.
    assert.equal(new Set(mails.map(({ headers }) => headers.get('message-id'))).size, 1)
    for (const part of [
      /^Tool: {6}pay$/m,
      /"amount": 5/,
      /waybill approvals approve .* --server https:\/\/wb.acme.example/,
    ])
      assert.match(mails[0]?.text ?? '', part)
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', path, { verdict: 'approve' })))
    const statuses = answers.map(({ status }) => status).sort()
    assert.equal(statuses[0], 200)
    assert.ok(
      statuses.slice(1).every((status) => status === 409 || status === 404),
      String(statuses),
    )
    for (let waited = 0; waited < 200; waited++) {
      const now = await send('GET', `/v1/runs/${run.json.run_id}`)
      if (now.json.status === 'completed') {
        assert.equal(now.json.output, 'It is paid.')
        assert.equal(readFileSync(join(home, 'paid'), 'utf8'), '5\n')
        assert.equal((await send('GET', '/v1/audit/verify')).json.ok, true)
        return
      }
      assert.ok(waited < 190 || existsSync(join(home, 'paid')), JSON.stringify(now.json))
      await sleep(50)
    }
    assert.fail('the run has not continued after the answer')
  })

  test('a platform that is killed in the middle of a run continues it at the next start', async () => {
    models.clearFixtures()
    models.clearRequests()
    let asked = 0
    const answer = async () => {
      asked++
      if (asked === 1) await sleep(20_000, undefined, { ref: false })
      return { content: `answer ${asked}`, usage }
    }
    models.addFixture({ match: {}, response: answer })
    const { json } = await send('POST', `/v1/agents/${AGENT_ID}/runs`, { input: 'survive' })
    for (let waited = 0; asked === 0 && waited < 200; waited++) await sleep(50)
    up.child.kill('SIGKILL')
    await up.ended
    await start()
    for (let waited = 0; waited < 200; waited++) {
      const run = await send('GET', `/v1/runs/${json.run_id}`)
      if (run.json.status === 'completed') {
        assert.equal(run.json.output, 'answer 2')
        return
      }
      await sleep(50)
    }
    assert.fail('the run was not continued')
  })
})

test('a run is cancelled while no worker lives; the log of the server is JSON without its token', async () => {
  const own = mkdtempSync(join(tmpdir(), 'waybill-server-'))
  const server = startProcess(['server', '--port', '0'], {
    env: { ...process.env, WAYBILL_HOME: own, WAYBILL_LOG: 'json', DATABASE_URL: undefined },
  })
  try {
    for (let waited = 0; !server.err().includes('ready') && waited < 600; waited++) await sleep(50)
    const ready = { url: /"ready: (\S+)"/.exec(server.err())?.[1] }
    const token = readFileSync(join(own, 'platform/admin-token'), 'utf8').trim()
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const post = async (path: string, body: string) =>
      (await (await fetch(`${ready.url}${path}`, { method: 'POST', headers, body })).json()) as JsonObject
    await post('/v1/agents', agent('1.0.0'))
    const run = await post(`/v1/agents/${AGENT_ID}/runs`, '{"input":"x","rehearse":true}')
    assert.equal(run.status, 'queued')
    const cancelled = await post(`/v1/runs/${run.run_id}/cancel`, '{}')
    assert.equal(cancelled.status, 'cancelled', server.err())
    server.child.kill('SIGTERM')
    await server.ended
    assert.ok(!server.err().includes(token))
    const lines = server.err().trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ level, message }) => `${level} ${message}`),
      [`info ready: ${ready.url}`, 'info stopping: runs in progress are saved'],
    )
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})
