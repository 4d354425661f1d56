import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type ArrivalClaims, issueArrivalStatement } from '../../src/trust/arrival-statement.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { clerk, decide, laptopAt } from './laptop.ts'
import { until } from './leg-place.ts'
import { movingSite } from './moving-site.ts'
import { AGENT } from './organisation.ts'

describe('runs that move from a machine without a server', { skip: noCertificates }, () => {
  test('the platform hands a state out once it is stored, and follows only the signed decision', {
    timeout: 600_000,
  }, async (t) => {
    const site = await movingSite(t)
    const { a, b, baseUrl, effects } = site
    const laptop = laptopAt(t, site)
    laptop.write('agent.json', clerk(baseUrl))
    await a.upload(clerk(baseUrl))
    await laptop.meet(a)
    const begin = async (to: string) => {
      const input = JSON.stringify({ tool: 'send', to })
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input })
      await a.reaches(run_id, 'awaiting_approval')
      const move = await a.ok('POST', `/v1/runs/${run_id}/migrate`, { to: 'laptop', pull: true })
      assert.equal(move.state, 'moving')
      return { run: run_id as string, jti: move.jti as string }
    }
    const phaseOf = async (jti: string) =>
      (await a.sql('SELECT phase FROM waybill.moves WHERE jti = $1', [jti]))[0]?.phase
    const expire = (jti: string) =>
      a.sql(
        `UPDATE waybill.moves SET expires_at = now() - interval '1 second', due_at = now(), claimed_until = NULL WHERE jti = $1`,
        [jti],
      )
    const pull = (run: string) =>
      laptop.command(
        ['migrate', run, '--from', a.url, '--agent', 'agent.json', '--tools', 'tools.mjs', '--json'],
        a,
      )
    const statement = (claims: Partial<ArrivalClaims>, key?: KeyObject): Promise<string> =>
      laptop.withHome(async ({ moves }) =>
        issueArrivalStatement(
          {
            iat: Math.floor(Date.now() / 1000),
            jti: 'x',
            iss: moves.places()[0] ?? '',
            aud: `${a.url}/organisations/default`,
            state: 'refused',
            run_id: null,
            ...claims,
          },
          key ?? moves.signingKey(),
        ),
      )

    await t.test('there and back again, and on to another platform', async () => {
      await laptop.meet(b)
      const first = await laptop.waiting('agent.json', { tool: 'send', to: 'eve' })
      const second = (await laptop.ok(['migrate', first, '--to', a.url, '--json'], a)).json.target_run_id
      await a.reaches(second, 'awaiting_approval')
      const third = (await laptop.ok(['migrate', second, '--from', a.url, '--json'], a)).json.target_run_id
      const fourth = (await laptop.ok(['migrate', third, '--to', b.url, '--json'], b)).json.target_run_id
      await decide(b, fourth)
      assert.deepEqual(effects(), ['send eve'])
    })

    await t.test('what was not fetched in time stays, without an answer', async () => {
      const { run, jti } = await begin('ada')
      assert.equal(await phaseOf(jti), 'offered')
      assert.deepEqual(
        [(await a.send('POST', `/v1/runs/${run}/resume`)).json.code, await a.status(run)],
        ['RUN_MOVING', 'moving'],
      )
      await expire(jti)
      await a.reaches(run, 'awaiting_approval')
      const late = await a.send('GET', `/v1/migrations/${jti}/state`)
      assert.deepEqual([late.status, late.json.code], [409, 'MOVE_WITHDRAWN'])
      const { json, err } = await pull(run)
      assert.equal(json?.state, 'moved', err)
    })

    await t.test('a token that has expired before it is fetched is not handed out', async () => {
      const { run, jti } = await begin('amy')
      // A step that is still at work would say when the next one is due, and end the move.
      const settled = `SELECT 1 FROM waybill.moves WHERE jti = $1 AND phase = 'offered' AND claimed_until IS NULL`
      await until(async () => (await a.sql(settled, [jti])).length === 1)
      await a.sql(
        `UPDATE waybill.moves SET expires_at = now() - interval '1 second', due_at = NULL WHERE jti = $1`,
        [jti],
      )
      assert.equal((await a.send('GET', `/v1/migrations/${jti}/state`)).json.code, 'MOVE_WITHDRAWN')
      assert.notEqual(await phaseOf(jti), 'sending')
      await pull(run)
      await a.reaches(run, 'awaiting_approval')
    })

    await t.test('what was fetched stays frozen until the machine has decided', async () => {
      const { run, jti } = await begin('bob')
      const [one, two] = [1, 2].map(() => a.ok('GET', `/v1/migrations/${jti}/state`))
      assert.deepEqual(await one, await two)
      assert.equal(await phaseOf(jti), 'sending')
      await expire(jti)
      await until(async () => (await phaseOf(jti)) === 'withdrawing')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      assert.equal(await a.status(run), 'moving')
      assert.equal((await a.ok('GET', `/v1/migrations/${jti}`)).state, 'pending')
      assert.equal((await a.send('GET', `/v1/migrations/${jti}/state`)).json.code, 'MOVE_WITHDRAWN')

      // A bearer token alone decides nothing.
      const forged = generateKeyPairSync('ed25519').privateKey
      for (const [what, text] of [
        ['another key', await statement({ jti }, forged)],
        ['another token', await statement({ jti: 'y' })],
        ['another platform', await statement({ jti, aud: 'https://else.example' })],
        ['another machine', await statement({ jti, iss: 'urn:waybill:home:else' })],
        ['text', 'x.y.z'],
      ] as const) {
        const refused = await a.send('POST', `/v1/migrations/${jti}`, { statement: text })
        assert.deepEqual([refused.status, refused.json.code], [422, 'MOVE_REPORT_INVALID'], what)
      }
      assert.equal(await a.status(run), 'moving')
      // Neither does the word of a person: only the machine knows what it has done.
      for (const [act, body] of [
        ['confirm-move', {}],
        ['take-back', undefined],
      ] as const) {
        const refused = await a.send('POST', `/v1/runs/${run}/${act}`, body)
        assert.deepEqual([refused.status, refused.json.code], [422, 'MOVE_REFUSED'], act)
      }
      assert.equal(await a.status(run), 'moving')

      // The machine learns that it is too late, decides that it does not use the token, and says so.
      const { err, code } = await pull(run)
      assert.deepEqual([code, /MOVE_WITHDRAWN/.test(err)], [1, true], err)
      await a.reaches(run, 'awaiting_approval')
      assert.equal(await phaseOf(jti), 'kept')
      assert.equal((await a.ok('GET', `/v1/migrations/${jti}`)).state, 'refused')
      const { json } = await pull(run)
      assert.equal(json.state, 'moved')
    })

    await t.test('a decision that arrives after the token has expired counts', async () => {
      const { run, jti } = await begin('cy')
      await a.ok('GET', `/v1/migrations/${jti}/state`)
      await expire(jti)
      await until(async () => (await phaseOf(jti)) === 'withdrawing')
      const owned = await statement({ jti, state: 'owned', run_id: 'there-1' })
      for (let n = 0; n < 2; n++) {
        const answer = await a.ok('POST', `/v1/migrations/${jti}`, { statement: owned })
        assert.deepEqual([answer.state, answer.run_id], ['moved', 'there-1'])
      }
      assert.equal(await a.status(run), 'moved')
    })

    await t.test('only a move to a machine is fetched and reported', async () => {
      assert.equal((await a.send('GET', '/v1/migrations/none/state')).json.code, 'MOVE_NOT_FOUND')
      const text = await statement({ jti: 'none' })
      const unknown = await a.send('POST', '/v1/migrations/none', { statement: text })
      assert.equal(unknown.json.code, 'MOVE_NOT_FOUND')
      const input = JSON.stringify({ tool: 'send', to: 'dan' })
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input })
      await a.reaches(run_id, 'awaiting_approval')
      for (const [members, code] of [
        [{ to: 'other', pull: true }, 'PEER_INVALID'],
        [{ to: 'laptop', pull: true, method: 'stream' }, 'REQUEST_INVALID'],
        [{ to: 'laptop' }, 'PEER_INVALID'],
        [{ to: 'missing', pull: true }, 'PEER_NOT_FOUND'],
      ] as const)
        assert.equal((await a.send('POST', `/v1/runs/${run_id}/migrate`, members)).json.code, code)
      const dry = await a.ok('POST', `/v1/runs/${run_id}/migrate`, {
        to: 'laptop',
        pull: true,
        dry_run: true,
      })
      assert.equal(dry.state, 'would_move')
      assert.equal(await a.status(run_id), 'awaiting_approval')
    })

    await t.test('a machine is pinned once, without a token', async () => {
      const { json: keys } = await laptop.ok(['keys', 'export', '--jwks'])
      for (const [members, code] of [
        [{ name: 'again', keys }, 'PEER_INVALID'],
        [{ name: 'laptop', keys, token: 'wbt_1234567890' }, 'REQUEST_INVALID'],
      ] as const) {
        const refused = await a.send('POST', '/v1/peers', members)
        assert.deepEqual([refused.status, refused.json.code], [422, code])
      }
      const { items } = await a.ok('GET', '/v1/peers')
      const [view] = items.filter(({ name }: { name: string }) => name === 'laptop')
      assert.deepEqual([view.url, view.organisation, view.has_token], [null, null, false])
      const listed = await a.command(['peers', 'list'])
      assert.match(listed.out, /^laptop +a machine +.* moved from there +\S+$/m)
      const file = join(laptop.folder, 'laptop.jwks')
      writeFileSync(file, JSON.stringify(keys))
      const added = await a.command(['peers', 'add', 'laptop', '--keys', file, '--user', 'ada=ada'])
      assert.match(added.err, /^pinned: laptop {2}a machine {2}.* 1 user {2}moved from there\n$/m, added.err)
      assert.match((await a.command(['peers', 'add', 'two'])).err, /keys export --jwks/)
    })
    assert.deepEqual(effects(), ['send eve'])
    assert.equal((await a.audit()).ok, true)
  })
})
