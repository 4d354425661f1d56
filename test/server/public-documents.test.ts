import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { ServerOptions } from '../../src/server/create-server.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { serveFake } from './served.ts'

/** What a monitor reads tells the state of this moment. */
const STATES: readonly string[] = ['/healthz', '/readyz', '/metrics']

interface Got {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** A client that neither adds `accept-encoding` nor decompresses. */
async function served(t: TestContext, options: Partial<ServerOptions> = {}) {
  const { server, token } = await serveFake(t, {
    publicMetrics: true,
    furtherOperations: OPENAI_OPERATIONS,
    register: registerOpenAi,
    ...options,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const request = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
    new Promise((resolve, reject) => {
      get(new URL(path, url), { headers, method, agent: false }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(parts),
          }),
        )
      }).on('error', reject)
    })
  const { paths } = JSON.parse((await request('/openapi.json')).bytes.toString()) as {
    readonly paths: Record<string, Record<string, JsonObject>>
  }
  const reads = Object.entries(paths).flatMap(([path, { get: operation }]) =>
    operation === undefined ? [] : [{ path, isPublic: operation.security !== undefined }],
  )
  const documents = reads.flatMap(({ path, isPublic }) => (isPublic && !STATES.includes(path) ? [path] : []))
  assert.ok(documents.length >= 4, documents.join(' '))
  return { url, token, request, reads, documents }
}

describe('RFC 9110, RFC 9111: every public document of the route table', () => {
  test('may be kept by caches for at most five minutes, keys and configuration for one', async (t) => {
    const { request, documents } = await served(t)
    for (const path of documents) {
      const { status, headers } = await request(path)
      assert.equal(status, 200, path)
      const seconds = Number(/^public, max-age=(\d+)$/.exec(headers['cache-control'] ?? '')?.[1])
      assert.ok(seconds > 0 && seconds <= (/jwks|manifest/.test(path) ? 60 : 300), `${path} ${seconds}`)
      assert.match(headers.etag ?? '', /^"[\w-]+"$/, path)
      assert.equal(headers.vary, 'accept-encoding', path)
    }
  })

  test('is compressed as the client accepts, each form with its own tag', async (t) => {
    const { request, documents } = await served(t)
    const cases: readonly (readonly [string | undefined, string | undefined])[] = [
      [undefined, undefined],
      ['', undefined],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['br', 'br'],
      ['GZIP, Br', 'br'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0, gzip;q=0.000', undefined],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['*;q=0', undefined],
      ['gzip, *;q=0', 'gzip'],
      ['identity', undefined],
      ['identity;q=1, gzip;q=0.5', undefined],
      ['identity;q=0, gzip;q=0.5', 'gzip'],
      ['deflate, zstd', undefined],
      ['gzip;q=2', undefined],
      ['gzip;q=-1', undefined],
      ['gzip;q=x, br;level=1', undefined],
    ]
    for (const path of documents) {
      const plain = await request(path)
      const tags = new Map<string | undefined, string | undefined>()
      for (const [accepted, coding] of cases) {
        const answer = await request(path, accepted === undefined ? {} : { 'accept-encoding': accepted })
        assert.equal(answer.headers['content-encoding'], coding, `${path} ${accepted}`)
        const { bytes } = answer
        const text =
          coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
        assert.deepEqual(text, plain.bytes, `${path} ${accepted}`)
        assert.equal(Number(answer.headers['content-length']), bytes.length)
        assert.equal(tags.get(coding) ?? answer.headers.etag, answer.headers.etag)
        tags.set(coding, answer.headers.etag)
      }
      assert.equal(new Set(tags.values()).size, 3, path)
    }
  })

  test('is answered with 304 and no body to a client that has it', async (t) => {
    const { request, documents } = await served(t)
    for (const path of documents) {
      for (const coding of ['identity', 'gzip', 'br']) {
        const wanted = { 'accept-encoding': coding }
        const { headers } = await request(path, wanted)
        const tag = headers.etag ?? ''
        const other = (await request(path, { 'accept-encoding': coding === 'br' ? 'gzip' : 'br' })).headers
          .etag
        for (const [sent, status] of [
          [tag, 304],
          [`W/${tag}`, 304],
          ['*', 304],
          [`"a,b", ${tag}`, 304],
          [`W/"a",W/${tag} , "c"`, 304],
          ['"other"', 200],
          [`W/"other", ${other}`, 200],
          [tag.replaceAll('"', ''), 200],
          [`"x${tag.slice(1)}`, 200],
          ['', 200],
        ] as const) {
          const answer = await request(path, { ...wanted, 'if-none-match': sent })
          assert.equal(answer.status, status, `${path} ${coding} ${sent}`)
          assert.equal(answer.headers.etag, tag)
          assert.equal(answer.headers['cache-control'], headers['cache-control'])
          assert.equal(answer.headers.vary, headers.vary)
          assert.equal(answer.bytes.length === 0, status === 304)
          if (status === 304) assert.equal(answer.headers['content-type'], undefined)
        }
      }
    }
  })

  test('HEAD has the headers of GET and no body', async (t) => {
    const { request, documents } = await served(t)
    for (const path of documents) {
      for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }]) {
        const { date: _date, ...expected } = (await request(path, headers)).headers
        const head = await request(path, headers, 'HEAD')
        const { date: _other, ...actual } = head.headers
        assert.deepEqual(actual, expected, path)
        assert.equal(head.bytes.length, 0)
      }
    }
  })

  test('is the same with a token, and read by fetch', async (t) => {
    const { url, token, request, documents } = await served(t)
    for (const path of documents) {
      const plain = await request(path)
      const fetched = await fetch(new URL(path, url), {
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
      })
      assert.equal(fetched.headers.get('content-encoding'), 'gzip')
      assert.equal(await fetched.text(), plain.bytes.toString(), path)
    }
  })

  test('a changed document has another tag at once, and its first one again with its first text', async (t) => {
    let manifest: Json = { keys: 1 }
    const { request } = await served(t, { manifest: () => manifest })
    const tagOf = async () => (await request('/.well-known/aaif-manifest.json')).headers.etag ?? ''
    const first = await tagOf()
    manifest = { keys: 2 }
    const second = await tagOf()
    assert.notEqual(second, first)
    const stale = await request('/.well-known/aaif-manifest.json', { 'if-none-match': first })
    assert.equal(stale.status, 200)
    assert.match(stale.bytes.toString(), /"keys":2/)
    manifest = { keys: 1 }
    assert.equal(await tagOf(), first)
  })
})

describe('RFC 9111 §5.2.2.5: every other answer', () => {
  test('is not stored and not compressed, also a refusal', async (t) => {
    const { request, token, reads, documents } = await served(t)
    const others = reads.filter(({ path }) => !documents.includes(path))
    for (const { path } of others) {
      for (const authorization of [`Bearer ${token}`, 'Bearer none']) {
        const headers = { authorization, 'accept-encoding': 'gzip, br', 'if-none-match': '*' }
        const answer = await request(path.replaceAll(/\{\w+\}/g, 'x'), headers)
        assert.notEqual(answer.status, 304, path)
        assert.equal(answer.headers['cache-control'], 'no-store', path)
        assert.equal(answer.headers['content-encoding'], undefined, path)
        assert.equal(answer.headers.etag, undefined, path)
      }
    }
    assert.ok(others.length > 40, String(others.length))
    for (const path of documents) {
      const refused = await request(path, { host: 'evil.example', 'accept-encoding': 'gzip' })
      assert.equal(refused.status, 421)
      assert.equal(refused.headers['cache-control'], 'no-store', path)
      assert.equal(refused.headers['content-encoding'], undefined, path)
    }
  })
})
