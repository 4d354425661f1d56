import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { StreamItem } from '../../src/platform/streams/stream-item.ts'
import type { ServerOptions } from '../../src/server/create-server.ts'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'

/** Serves one run over a socket. Its record has the events 1 to 3. */
async function serveRun(t: TestContext, options: Partial<ServerOptions> = {}) {
  const served = await serveFake(t, options)
  const { server, send, token } = served
  await send('POST', '/v1/agents', {
    token,
    body: definition(AGENT),
    headers: { 'content-type': 'application/json' },
  })
  const { run_id } = (await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: {} })).json as {
    run_id: string
  }
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const open = (headers: Record<string, string> = {}, query = '') =>
    fetch(`${url}/v1/runs/${run_id}/events${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    })
  return { ...served, url, run_id, open }
}

interface Stream {
  readonly messages: EventSourceMessage[]
  readonly comments: number
  readonly retry: number | undefined
}

/** Reads a stream to its end. */
async function readStream(response: Response): Promise<Stream> {
  const messages: EventSourceMessage[] = []
  let comments = 0
  let retry: number | undefined
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onComment: () => comments++,
    onRetry: (value) => {
      retry = value
    },
  })
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  } catch {
    // Cut: the messages until then count.
  }
  return { messages, comments, retry }
}

const text = (item: string, attempt = 1): StreamItem => ({ type: 'text', attempt, text: item })

describe('the event stream of a run', () => {
  test('gives events with their number, text without, and ends with "end"', async (t) => {
    const { open, platform, run_id } = await serveRun(t)
    platform.followed = async function* () {
      yield { type: 'text.snapshot', attempt: 1, text: 'so far\nline two' }
      yield text('more')
    }
    const response = await open()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const { messages, retry } = await readStream(response)
    assert.ok((retry ?? 0) > 0)
    assert.deepEqual(
      messages.map(({ id, event }) => [id, event]),
      [
        ['1', 'run.started'],
        ['2', 'run.started'],
        ['3', 'run.started'],
        [undefined, 'text.snapshot'],
        [undefined, 'text'],
        [undefined, 'end'],
      ],
    )
    const data = messages.map((message) => JSON.parse(message.data))
    assert.equal(data[0].run_id, run_id)
    assert.equal(data[0].v, 1)
    assert.deepEqual(data[3], { attempt: 1, text: 'so far\nline two' })
    assert.equal(data[5].run_id, run_id)
  })

  test('resumes after Last-Event-ID, which counts more than the query', async (t) => {
    const { open } = await serveRun(t)
    const ids = async (headers: Record<string, string>, query = '') =>
      (await readStream(await open(headers, query))).messages.flatMap(({ id }) => id ?? [])
    assert.deepEqual(await ids({ 'last-event-id': '2' }), ['3'])
    assert.deepEqual(await ids({}, '?after=1'), ['2', '3'])
    assert.deepEqual(await ids({ 'last-event-id': '2' }, '?after=1'), ['3'])
    assert.deepEqual(await ids({ 'last-event-id': '3' }), [])
    const wrong = await open({ 'last-event-id': 'abc' })
    assert.equal(wrong.status, 400)
    assert.equal(((await wrong.json()) as { code: string }).code, 'HEADER_INVALID')
  })

  test('an event that the run does not have is a problem and no empty stream or page', async (t) => {
    const { open, send, token, run_id } = await serveRun(t)
    for (const opened of [
      await open({ 'last-event-id': '4' }),
      await open({}, '?after=99'),
      await open({ 'last-event-id': '4', accept: 'application/json' }, '?after=4'),
    ]) {
      assert.equal(opened.status, 409)
      assert.equal(((await opened.json()) as { code: string }).code, 'EVENT_ID_AHEAD')
    }
    const page = await send('GET', `/v1/runs/${run_id}/events?after=3`, { token })
    assert.deepEqual((page.json as { items: unknown[] }).items, [])
  })

  test('sends heartbeats while the run waits', async (t) => {
    const { open, platform } = await serveRun(t, { streams: { heartbeatMs: 20 } })
    platform.followed = async function* () {
      await sleep(200)
      yield text('late')
    }
    const { comments, messages } = await readStream(await open())
    assert.ok(comments >= 2, `${comments} heartbeats`)
    assert.equal(messages.at(-1)?.event, 'end')
  })

  test('a failure of the source cuts the stream without "end", and is logged', async (t) => {
    const { open, platform, log } = await serveRun(t)
    platform.followed = async function* () {
      yield text('x')
      throw new Error('the database went away')
    }
    const { messages } = await readStream(await open())
    assert.notEqual(messages.at(-1)?.event, 'end')
    assert.equal(log[0]?.message, 'the database went away')
  })

  test('ends following when the client disconnects', async (t) => {
    const { url, run_id, token, platform } = await serveRun(t)
    platform.followed = (signal) => untilAborted(signal)
    const client = new AbortController()
    const response = await fetch(`${url}/v1/runs/${run_id}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: client.signal,
    })
    await response.body?.getReader().read()
    assert.equal(platform.open, 1)
    client.abort()
    await until(() => platform.open === 0)
  })

  test('a client that does not read is cut without "end", and the source is not read ahead', async (t) => {
    const { url, run_id, token, platform } = await serveRun(t, {
      streams: { slowClientMs: 100, heartbeatMs: 10 },
    })
    let taken = 0
    platform.followed = async function* () {
      for (; taken < 100_000; taken++) yield text('x'.repeat(10_000))
    }
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    socket.write(
      `GET /v1/runs/${run_id}/events HTTP/1.1\r\nhost: ${hostname}\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    await until(() => platform.open === 1)
    await until(() => platform.open === 0)
    // The buffers of both sockets hold a few megabytes.
    assert.ok(taken < 5_000, `${taken} items taken`)
    let received = ''
    socket.on('data', (chunk) => {
      received = (received + chunk).slice(-200)
    })
    await new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
    assert.doesNotMatch(received, /event: end/)
  })

  test('refuses more streams at once than permitted', async (t) => {
    const { open, platform } = await serveRun(t, { limits: { concurrentStreams: 1 } })
    platform.followed = (signal) => untilAborted(signal)
    const first = await open()
    const second = await open()
    assert.equal(second.status, 429)
    assert.equal(((await second.json()) as { code: string }).code, 'REQUESTS_EXCEEDED')
    await first.body?.cancel()
    await until(() => platform.open === 0)
    const third = await open()
    assert.equal(third.status, 200)
    await third.body?.cancel()
  })

  test('without the media type by name, the events are a page', async (t) => {
    const { send, token, run_id } = await serveRun(t)
    const path = `/v1/runs/${run_id}/events`
    const first = await send('GET', `${path}?limit=2`, { token, headers: { accept: '*/*' } })
    assert.deepEqual(
      first.json.items.map(({ seq }: { seq: number }) => seq),
      [1, 2],
    )
    const rest = await send('GET', `${path}?limit=2&cursor=${first.json.next}`, { token })
    assert.deepEqual(
      rest.json.items.map(({ seq }: { seq: number }) => seq),
      [3],
    )
    assert.equal(rest.json.next, null)
  })
})

describe('shutdown', () => {
  test('cuts streams without "end", finishes requests, and refuses new ones', async (t) => {
    const { open, platform, server, url, token } = await serveRun(t)
    platform.followed = (signal) => untilAborted(signal)
    const stream = readStream(await open())
    const waiting = fetch(`${url}/v1/agents/${AGENT}/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'slow', wait_seconds: 60 }),
    })
    await sleep(200)
    await server.close(5_000)
    const { messages } = await stream
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['run.started', 'run.started', 'run.started', 'text'],
    )
    const answer = await waiting
    assert.equal(answer.status, 202)
    assert.equal(((await answer.json()) as { status: string }).status, 'queued')
    await assert.rejects(fetch(`${url}/healthz`))
  })

  test('is bounded: a request that does not end is cut', async (t) => {
    const { platform, server, url, token } = await serveRun(t)
    platform.assertReady = () => new Promise(() => undefined)
    const stuck = fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${token}` } }).catch(() => 'cut')
    await sleep(100)
    await server.close(200)
    assert.equal(await stuck, 'cut')
  })
})

async function* untilAborted(signal: AbortSignal): AsyncGenerator<StreamItem> {
  yield text('x')
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 1_000) throw new Error('it never became true')
    await sleep(10)
  }
}
