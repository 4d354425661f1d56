import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { noCertificates, ownAuthority, tlsFront } from '../adapters/tls-front.ts'
import { Place, type Said, waybill } from './fixture.ts'

const DEFINITION = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  agent: {
    name: 'Clerk',
    goal: 'Answer.',
    model: { provider: 'openai', preferred: 'gpt-4o-mini' },
    runtime: { max_retries: 1, retry_backoff: 'fixed' },
  },
}

interface Server {
  readonly url: string
  readonly requests: () => number
}

async function serverOf(t: TestContext, answer: RequestListener): Promise<Server> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests }
}

/** Returns a port on which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const answering =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const RUN = ['run', 'agent.json', '--input', 'Go'] as const

/** Runs the agent as text and as JSON; returns the text without its last lines. */
async function failing(place: Place, flags: readonly string[], env: Record<string, string> = {}) {
  const text = await waybill(place, [...RUN, ...flags], { env })
  const json = await waybill(place, [...RUN, ...flags, '--json'], { env })
  const { error } = JSON.parse(json.out) as { error: { code: string; message: string; hint: string } }
  assert.equal(text.code, json.code)
  return { ...text, error, hint: error.hint }
}

/** Asserts that a person sees one error with one hint, and no word of the other failures. */
function assertOneHint({ err }: Said, quote: string): void {
  assert.equal(err.split('\n').filter((line) => line.startsWith('error ')).length, 1, err)
  assert.equal(err.split('  hint ').length, 2, err)
  assert.equal(err.split(quote).length, 2, `"${quote}" once in:\n${err}`)
  assert.doesNotMatch(err, /no model answered|\(at \/agent\/model\)|AAIF-|no route|see `waybill plan`/)
}

describe('a failure of a model has its own hint, and quotes the provider once', () => {
  const statuses: readonly (readonly [
    rule: string,
    status: number,
    body: unknown,
    code: string,
    quote: string,
    hint: RegExp,
  ])[] = [
    [
      'a wrong key',
      401,
      { error: { message: 'Incorrect API key provided.' } },
      'MODEL_KEY_REFUSED',
      'Incorrect API key provided',
      /check the key in OPENAI_API_KEY/,
    ],
    [
      'a key without the permission',
      403,
      { error: { message: 'This key is not allowed to do that.' } },
      'MODEL_KEY_REFUSED',
      'This key is not allowed to do that',
      /not permit this model/,
    ],
    [
      'a model that does not exist',
      404,
      { error: { message: 'The model `gpt-4o-mimi` does not exist.', code: 'model_not_found' } },
      'MODEL_NOT_FOUND',
      'The model `gpt-4o-mimi` does not exist.',
      /did you mean --model openai\/gpt-4o-mini\?/,
    ],
    [
      'an account without credit',
      402,
      { error: { message: 'Payment required.' } },
      'MODEL_ROUTE_REFUSED',
      'Payment required.',
      /no credit left/,
    ],
    [
      'an exhausted quota',
      429,
      { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
      'MODEL_RATE_LIMITED',
      'You exceeded your current quota.',
      /no credit left/,
    ],
    [
      'a conversation that is too long',
      400,
      { error: { message: 'This is too long: maximum context length is 8192 tokens.' } },
      'MODEL_REQUEST_REFUSED',
      'maximum context length is 8192 tokens.',
      /shorten the input/,
    ],
    [
      'another refused request',
      400,
      { error: { message: 'temperature must not exceed 1' } },
      'MODEL_REQUEST_REFUSED',
      'temperature must not exceed 1',
      /check the part that the provider names/,
    ],
  ]
  for (const [rule, status, body, code, quote, hint] of statuses) {
    test(rule, async (t) => {
      const place = new Place(t, DEFINITION)
      const server = await serverOf(t, answering(status, body))
      const model = code === 'MODEL_NOT_FOUND' ? ['--model', 'openai/gpt-4o-mimi'] : []
      const said = await failing(place, [...model, '--base-url', server.url], { OPENAI_API_KEY: 'k-123456' })
      assert.deepEqual([said.code, said.error.code], [3, code], said.err)
      assert.match(said.hint, hint)
      assert.match(said.err, /failed \(model\)/)
      assertOneHint(said, quote)
      assert.equal(server.requests(), 2, 'a permanent refusal is not repeated')
      assert.doesNotMatch(said.err + said.out, /k-123456|\{"error"/)
    })
  }

  test('a rate limit is repeated, then asks for patience', async (t) => {
    const place = new Place(t, DEFINITION)
    const server = await serverOf(t, answering(429, { error: { message: 'Slow down.' } }))
    const said = await failing(place, ['--base-url', server.url], { OPENAI_API_KEY: 'k-123456' })
    assert.equal(said.error.code, 'MODEL_RATE_LIMITED')
    assert.match(said.hint, /wait and run it again/)
    assert.equal(server.requests(), 4)
  })

  test('a page instead of JSON names status, type and first characters, and is not repeated', async (t) => {
    for (const type of ['text/html; charset=utf-8', 'application/json']) {
      const place = new Place(t, DEFINITION)
      const page = '<!doctype html><title>Hotel</title><p>Please sign in'
      const server = await serverOf(t, answering(200, page, type))
      const said = await failing(place, ['--model', 'custom/x', '--base-url', server.url])
      assert.equal(said.error.code, 'MODEL_ANSWER_UNREADABLE')
      assert.match(said.error.message, /200/)
      assert.ok(said.error.message.includes(type.split(';')[0] ?? ''), said.error.message)
      assert.match(said.error.message, /<!doctype html>/)
      assert.ok(said.hint.includes(server.url), said.hint)
      assertOneHint(said, 'doctype')
      assert.equal(server.requests(), 2)
    }
  })

  test('an error page of a proxy is quoted without its tags', async (t) => {
    const place = new Place(t, DEFINITION)
    const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
    const server = await serverOf(t, answering(502, page, 'text/html'))
    const { error } = await failing(place, ['--model', 'custom/x', '--base-url', server.url])
    assert.equal(error.message, 'custom/x answered 502: 502 Bad Gateway')
  })

  test('a closed port is named with its address', async (t) => {
    const place = new Place(t, DEFINITION)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/v1`
    const said = await failing(place, ['--model', 'custom/x', '--base-url', url])
    assert.equal(said.error.code, 'MODEL_UNAVAILABLE')
    assert.equal(
      said.error.message,
      `custom/x cannot be reached at ${url}: the connection was refused (ECONNREFUSED)`,
    )
    assert.equal(said.hint, `is the server running at ${url}? start it, or give its address with --base-url`)
  })

  test('a port that HTTP clients refuse is named, is not called again, and does not count', async (t) => {
    const place = new Place(t, DEFINITION)
    for (const port of [9, 6000, 10080]) {
      const url = `http://127.0.0.1:${port}/v1`
      const said = await failing(place, ['--model', 'custom/x', '--base-url', url])
      assert.equal(said.error.code, 'MODEL_UNAVAILABLE')
      assert.match(said.error.message, new RegExp(`at ${url}: HTTP clients refuse this port`))
      assert.equal(said.hint, `let the server at ${url} listen on another port, such as 8080`)
    }
    const [id = ''] = await place.runIds()
    const attempts = (await place.events(id)).filter(({ decision }) => decision.attempt !== undefined)
    assert.equal(attempts.length, 1)
  })

  test('an unknown host is named, with what to check', async (t) => {
    const place = new Place(t, DEFINITION)
    const said = await failing(place, ['--model', 'custom/x', '--base-url', 'https://nowhere.invalid/v1'])
    assert.equal(said.error.code, 'MODEL_UNAVAILABLE')
    assert.match(said.hint, /check the name nowhere\.invalid and the network/)
  })

  test('a certificate of an unknown authority names ca_files', { skip: noCertificates }, async (t) => {
    const place = new Place(t, DEFINITION)
    const server = await serverOf(t, answering(200, {}))
    const front = await tlsFront(t, Number(new URL(server.url).port), ownAuthority(t).certify('IP:127.0.0.1'))
    const said = await failing(place, [
      '--model',
      'custom/x',
      '--base-url',
      `https://127.0.0.1:${front.port}/v1`,
    ])
    assert.equal(said.error.code, 'ENDPOINT_CERTIFICATE_REFUSED')
    assert.match(said.hint, /ca_files/)
    assertOneHint(said, 'authority that is not trusted')
  })

  test('https to a server without TLS names the scheme', async (t) => {
    const place = new Place(t, DEFINITION)
    const server = await serverOf(t, answering(200, {}))
    const url = server.url.replace('http:', 'https:')
    const said = await failing(place, ['--model', 'custom/x', '--base-url', url])
    assert.match(said.hint, /http:\/\/ instead of https:\/\//)
  })
})

describe('a route that cannot be used has a hint in run and in plan', () => {
  const cases: readonly (readonly [
    rule: string,
    model: Record<string, unknown>,
    flags: readonly string[],
    message: RegExp,
    hint: RegExp,
  ])[] = [
    [
      'a missing key names its variable',
      { provider: 'openai', preferred: 'gpt-4o-mini' },
      [],
      /^openai\/gpt-4o-mini cannot be used: OPENAI_API_KEY is not set$/,
      /^set it with `export OPENAI_API_KEY=YOUR_KEY`, or .*--env-file \.env$/,
    ],
    [
      'an unknown provider is compared with the known ones',
      { provider: 'openai', preferred: 'x' },
      ['--model', 'opnai/llama3'],
      /the provider opnai is not supported$/,
      /^did you mean openai\? providers: openai, anthropic, .*custom with --base-url; an extension/,
    ],
    [
      'a custom provider without an address',
      { provider: 'openai', preferred: 'x' },
      ['--model', 'custom/x'],
      /no address/,
      /^add --base-url URL/,
    ],
    [
      'a private address needs only --allow-host',
      { provider: 'custom', provider_id: 'mine', preferred: 'x', base_url: 'http://127.0.0.1:8099/v1' },
      [],
      /127\.0\.0\.1 is a private or loopback address$/,
      /^allow it on the command line: --allow-host 127\.0\.0\.1:8099$/,
    ],
    ['no model', { fallbacks: [] }, [], /the definition names no model/, /^add --model PROVIDER\/MODEL/],
  ]
  for (const [rule, model, flags, message, hint] of cases) {
    test(rule, async (t) => {
      const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, model } })
      const said = await failing(place, flags)
      assert.deepEqual([said.code, said.error.code], [3, 'NO_ROUTE'])
      assert.match(said.error.message, message)
      assert.match(said.hint, hint)
      if ('fallbacks' in model) return
      const plan = await waybill(place, ['plan', 'agent.json', ...flags])
      assert.ok(plan.out.includes(`hint ${said.hint}`), plan.out)
      assert.doesNotMatch(plan.out, /--model and --base-url/)
    })
  }

  test('a .env that sets the key is named, and its value is not printed', async (t) => {
    const place = new Place(t, DEFINITION)
    place.write('.env', 'OPENAI_API_KEY=sk-very-hidden-value\n')
    const said = await failing(place, [])
    const plan = await waybill(place, ['plan', 'agent.json'])
    for (const text of [said.err, said.hint, plan.out]) {
      assert.match(text, /add --env-file \.env: the \.env in this folder sets OPENAI_API_KEY(?:\n|$)/)
      assert.doesNotMatch(text, /very-hidden/)
    }
  })

  test('a .env without the key is not mentioned', async (t) => {
    const place = new Place(t, DEFINITION)
    place.write('.env', 'OTHER=1\n')
    assert.doesNotMatch((await failing(place, [])).hint, /in this folder/)
  })
})
