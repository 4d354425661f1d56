import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

describe('a run whose receiver was put back to before the move', { skip: noCertificates }, () => {
  test('is taken back, asks before its write, and has one owner all the time', async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(
      definitionOf({
        version: '1.0.0',
        model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
        tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
        compliance: { human_in_the_loop: { enabled: true } },
      }),
    )
    const { run_id: run } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
      input: JSON.stringify({ tool: 'send', to: 'ada' }),
    })
    await a.reaches(run, 'awaiting_approval')
    const takeBack = () => a.send('POST', `/v1/runs/${run}/take-back`)
    const early = await takeBack()
    assert.deepEqual([early.status, early.json.code], [422, 'MOVE_REFUSED'])
    const moved = await a.ok('POST', `/v1/runs/${run}/migrate`, { to: 'other' })
    assert.equal(moved.state, 'moved')

    await t.test('not while the receiver owns it', async () => {
      const { status, json } = await takeBack()
      assert.deepEqual([status, json.code], [409, 'RUN_MOVED'])
      assert.equal(await a.status(run), 'moved')
    })

    const askAgain = () => a.sql('UPDATE waybill.moves SET receiver_asked_at = NULL')
    const shown = async () => {
      const move = await a.ok('GET', `/v1/migrations/${moved.jti}`)
      const { moved_to } = await a.ok('GET', `/v1/runs/${run}`)
      const [listed] = (await a.ok('GET', '/v1/runs')).items
      assert.deepEqual(listed.moved_to, moved_to)
      assert.deepEqual([moved_to.owner, moved_to.run_id], [moved.owner, moved.target_run_id])
      assert.equal(move.receiver, moved_to.receiver)
      assert.equal(move.state, 'moved')
      return move as { readonly receiver?: string; readonly hint?: string }
    }

    await t.test('a receiver that knows the run is not shown as one that does not', async () => {
      assert.equal((await shown()).receiver, undefined)
      const [asked] = await a.sql('SELECT receiver_asked_at FROM waybill.moves')
      assert.notEqual(asked?.receiver_asked_at, null)
    })

    await b.sql('DELETE FROM waybill.arrivals')
    await b.sql('DELETE FROM waybill.runs')
    assert.equal((await b.send('GET', `/v1/migrations/${moved.jti}`)).json.code, 'MOVE_NOT_FOUND')

    await t.test('readers see that the receiver does not know the run, and what to do', async () => {
      assert.equal((await shown()).receiver, undefined, 'it was asked less than a minute ago')
      // Without an answer, nothing is reported about the receiver.
      await a.sql(`UPDATE waybill.peers SET url = 'https://localhost:9'`)
      await askAgain()
      assert.equal((await shown()).receiver, undefined)
      await a.sql('UPDATE waybill.peers SET url = $1', [b.url])
      await askAgain()
      const { receiver, hint } = await shown()
      assert.equal(receiver, 'unknown')
      assert.match(hint ?? '', new RegExp(`waybill migrate ${run} --take-back`))
      const text = await a.command(['runs', 'show', run])
      assert.match(text.out, /which does not know the run any more\n {2}next waybill migrate \S+ --take-back/)
      assert.equal(
        JSON.parse((await a.command(['runs', 'show', run, '--json'])).out).moved_to.receiver,
        'unknown',
      )
      assert.match((await a.command(['runs', 'list'])).out, /does not know the run any more/)
      assert.equal(await a.status(run), 'moved')
    })

    const back = await a.command(['migrate', run, '--take-back', '--json'])
    assert.equal(back.code, 0, back.err)
    assert.equal(JSON.parse(back.out).state, 'kept')
    assert.equal((await b.ok('GET', `/v1/migrations/${moved.jti}`)).state, 'refused')
    assert.equal((await a.ok('GET', `/v1/migrations/${moved.jti}`)).state, 'refused')

    await t.test('its open write is asked about with the reason, and is sent once', async () => {
      let question: { id: string; asks: string } | undefined
      for (let tries = 0; tries < 100 && question?.asks !== 'unknown'; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        ;[question] = (await a.ok('GET', '/v1/approvals')).items
      }
      assert.equal(question?.asks, 'unknown')
      assert.deepEqual(effects(), [])
      await a.ok('POST', `/v1/approvals/${question?.id}`, { verdict: 'resend' })
      await a.reaches(run, 'completed')
      assert.deepEqual(effects(), ['send ada'])
    })

    assert.equal((await a.ok('GET', `/v1/runs/${run}`)).moved_to, undefined)
    const { ok, kinds } = await a.audit()
    assert.ok(ok && kinds.includes('run.taken_back'), kinds.join(' '))
    assert.equal((await takeBack()).json.code, 'MOVE_REFUSED')
  })
})
