import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

describe('the intake of definitions', { skip: noCertificates }, () => {
  test('AAIF-7-14: a client that reads only the manifest can send a definition, which is imported', async (t) => {
    const { a, baseUrl } = await movingSite(t)
    const ask = (
      url: string,
      method: string,
      headers: Readonly<Record<string, string>>,
      body?: string,
    ): Promise<{ readonly status: number; readonly text: string }> =>
      new Promise((resolve, reject) => {
        const ca = readFileSync(a.caFile, 'utf8')
        const sent = request(url, { method, ca, agent: false, headers }, async (answer) => {
          const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
          resolve({ status: answer.statusCode ?? 0, text })
        })
        sent.on('error', reject).end(body)
      })
    const manifest = JSON.parse((await ask(`${a.url}/.well-known/aaif-manifest.json`, 'GET', {})).text)
    const { url, method, auth_scheme, content_type, max_body_bytes } = manifest.platform.intake_endpoint
    // By the names of RFC 6750, which the format uses.
    const schemes: Readonly<Record<string, string>> = { bearer: 'Bearer' }
    const authorization = `${schemes[auth_scheme]} ${a.admin}`
    const definition = definitionOf({
      name: 'Sent',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
    })
    const send = (body: string, headers: Readonly<Record<string, string>> = { authorization }) =>
      ask(url, method, { 'content-type': content_type, ...headers }, body)
    const without = await send(JSON.stringify(definition), {})
    assert.equal(without.status, 401)
    const imported = await send(JSON.stringify(definition))
    assert.ok(imported.status === 200 || imported.status === 201, imported.text)
    assert.equal((await a.ok('GET', `/v1/agents/${AGENT}`)).agent_id, AGENT)
    const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input: 'Go' })
    await a.reaches(run_id, 'completed')
    // The largest body that it names is read, and one that is larger is not.
    const padded = (bytes: number) => {
      const text = JSON.stringify(definition)
      return text + ' '.repeat(bytes - text.length)
    }
    assert.equal((await send(padded(max_body_bytes))).status, 201)
    assert.equal((await send(padded(max_body_bytes + 1))).status, 413)
  })
})
