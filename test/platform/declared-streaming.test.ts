import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from './leg-place.ts'
import { movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

describe('an agent on a platform', { skip: noCertificates }, () => {
  test('AAIF-4-10: io.streaming true shows followers an answer while it is written, false only the whole', async (t) => {
    const { a, baseUrl } = await movingSite(t)
    const model = { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl }
    const agents = { streamed: AGENT, whole: AGENT.replace(/.$/, '2') }
    for (const [name, agent_id] of Object.entries(agents))
      await a.upload(definitionOf({ name, model, io: { streaming: name === 'streamed' } }, { agent_id }))
    const ca = readFileSync(a.caFile, 'utf8')
    /** Follows a run from its beginning. */
    const follow = (runId: string) => {
      let text = ''
      const headers = { authorization: `Bearer ${a.admin}`, accept: 'text/event-stream' }
      const sent = request(`${a.url}/v1/runs/${runId}/events`, { ca, agent: false, headers }, (answer) => {
        answer.on('data', (chunk) => {
          text += String(chunk)
        })
        answer.on('error', () => {})
      })
      sent.on('error', () => {})
      sent.end()
      t.after(() => sent.destroy())
      return { text: () => text }
    }
    const start = async (agent_id: string, script: object) => {
      const { run_id } = await a.ok('POST', `/v1/agents/${agent_id}/runs`, { input: JSON.stringify(script) })
      return { run_id, seen: follow(run_id) }
    }
    const word = 'quick-brown-fox'
    const isWritten = (text: string) => /event: text/.test(text) && text.includes(word)
    // The model stops in the middle of its answer.
    const held = { write: `The ${word} jumps over the dog.`, hold: 25 }
    const [streamed, whole] = [await start(agents.streamed, held), await start(agents.whole, held)]
    await until(async () => isWritten(streamed.seen.text())).catch(() => assert.fail(streamed.seen.text()))
    // Both have been asked, and a follower of the other one has had the same time.
    await sleep(500)
    assert.ok(!/event: text/.test(whole.seen.text()), whole.seen.text())
    for (const { run_id } of [streamed, whole]) await a.ok('POST', `/v1/runs/${run_id}/cancel`)
    for (const agent_id of Object.values(agents)) {
      const { run_id, seen } = await start(agent_id, { write: `The ${word} jumps over the dog.` })
      const { output } = await a.reaches(run_id, 'completed')
      assert.equal(output, `The ${word} jumps over the dog.`)
      await until(async () => /event: end/.test(seen.text()))
      assert.ok(seen.text().includes(word))
      if (agent_id === agents.whole) assert.ok(!/event: text/.test(seen.text()), seen.text())
    }
  })
})
