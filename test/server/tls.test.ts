import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { noCertificates, ownAuthority } from '../adapters/tls-front.ts'
import { serveFake } from './served.ts'

test('with a certificate, the server answers over TLS only, and closes a connection that sends no request', {
  skip: noCertificates,
}, async (t) => {
  const authority = ownAuthority(t)
  const ca = readFileSync(authority.file, 'utf8')
  const { server, token } = await serveFake(t, {
    tls: authority.certify('IP:127.0.0.1'),
    timeouts: { headersMs: 300, requestMs: 600 },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  assert.match(url, /^https:/)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      `${url}/v1/runs`,
      { ca, agent: false, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    sent.on('error', reject).end()
  })
  assert.equal(status, 200)
  await assert.rejects(fetch(url.replace('https:', 'http:')))
  await assert.rejects(fetch(url), 'its authority is not trusted')
  const slow = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca })
  t.after(() => slow.destroy())
  let received = ''
  slow.on('data', (chunk) => {
    received += String(chunk)
  })
  slow.write('GET /v1/runs HTTP/1.1\r\n')
  await new Promise((resolve) => slow.once('close', resolve))
  assert.match(received, /^HTTP\/1.1 408 /)
})
