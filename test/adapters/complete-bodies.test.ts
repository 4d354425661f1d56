import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'

const TEXT = JSON.stringify({ rows: Array.from({ length: 2000 }, (_, n) => `row ${n * 7919}`) })
const ENCODERS: Readonly<Record<string, (text: string | Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
}

async function served(t: TestContext, coding: string, parts: readonly Buffer[], status = 200) {
  const server = createServer(async (_, response) => {
    response.writeHead(status, { 'content-encoding': coding, 'content-type': 'application/json' })
    for (const part of parts) {
      response.write(part)
      await new Promise((sent) => setTimeout(sent, 5))
    }
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const fetch = createGuardedFetch({ grants: { hosts: [parseHostGrant('127.0.0.1')] } })
  return (init?: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
}

const halves = (bytes: Buffer) => [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)]

describe('a compressed body', () => {
  for (const [coding, encode] of Object.entries(ENCODERS)) {
    test(`of ${coding} is read to its end`, async (t) => {
      const fetch = await served(t, coding.trim(), halves(encode(TEXT)))
      assert.equal(await (await fetch()).text(), TEXT)
    })

    for (const status of [200, 400])
      test(`of ${coding} that is cut fails, with status ${status}`, async (t) => {
        const bytes = encode(TEXT)
        for (const left of [bytes.length - 9, Math.ceil(bytes.length / 2), 12]) {
          const fetch = await served(t, coding.trim(), halves(bytes.subarray(0, left)), status)
          const response = await fetch()
          assert.equal(response.status, status)
          await assert.rejects(response.text(), `${left} of ${bytes.length} bytes`)
        }
      })
  }

  test('in several members, and with none at all, is complete', async (t) => {
    const both = await served(t, 'gzip', [gzipSync('one '), gzipSync('two')])
    assert.equal(await (await both()).text(), 'one two')
    const none = await served(t, 'gzip', [])
    assert.equal(await (await none()).text(), '')
    const head = await served(t, 'gzip', [])
    assert.equal((await head({ method: 'HEAD' })).status, 200)
    const unknown = await served(t, 'rot13', [Buffer.from('uryyb')])
    assert.equal(await (await unknown()).text(), 'uryyb')
  })

  test('of which parts are flushed arrives part by part', async (t) => {
    const gzip = createGzip()
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' })
      gzip.pipe(response)
      gzip.write('first')
      gzip.flush()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const response = await createGuardedFetch({ grants: { hosts: [parseHostGrant('127.0.0.1')] } })(
      `http://127.0.0.1:${port}/`,
    )
    const reader = response.body?.getReader()
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'first')
    gzip.end('last')
    let rest = ''
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      rest += Buffer.from(part.value).toString()
    assert.equal(rest, 'last')
  })
})
