import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { type LocalHome, localHome } from '../../src/compose/local-home.ts'
import type { StoredMove } from '../../src/run/record/move-records.ts'
import type { ListedRecord, StoredRun } from '../../src/run/record/records.ts'
import type { MoveReply } from '../../src/session/moves/move-reply.ts'
import { assertMovable, RunSender } from '../../src/session/moves/run-sender.ts'
import { localPrincipal } from '../../src/session/principal.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { type ArrivalState, arrivalAfter, requestIn } from '../../src/state/migration-protocol.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { verifyMigrationToken } from '../../src/trust/migration-token.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { scriptedModelServer } from '../platform/model-server.ts'
import { definitionOf } from '../platform/organisation.ts'

const PLACE = 'https://there.example/organisations/acme'

/** A home with a run that waits for a person, and a receiver that is a row. */
async function waitingRun(t: TestContext) {
  const base_url = await scriptedModelServer(t)
  const definition = definitionOf({
    model: { provider: 'openai', preferred: 'gpt-4o', base_url },
    tools: [{ name: 'send_mail', description: 'Sends.', parameters_schema: { type: 'object' } }],
    compliance: { human_in_the_loop: { enabled: true } },
  })
  const place = new Place(t, definition)
  mkdirSync(place.home)
  place.write('home/config.yaml', JSON.stringify({ providers: { openai: { base_urls: [base_url] } } }))
  const env = { OPENAI_API_KEY: 'not-used' }
  const input = JSON.stringify({ tool: 'send_mail', to: 'ada' })
  const argv = ['run', 'agent.json', '--input', input, '--tools', 'tools.mjs', '--json']
  const { out, err } = await waybill(place, argv, { env })
  const { run_id, status } = JSON.parse(out)
  assert.equal(status, 'awaiting_approval', err)
  const home = await localHome(place.home, {
    principal: localPrincipal('ada'),
    secrets: { has: () => true, get: async () => 'not-used' },
  })
  t.after(() => home.close())
  const receiver = {
    row: null as ArrivalState,
    asked: [] as string[],
    /** What becomes of each request; default: it is answered. */
    replies: [] as ('rejected' | 'lose request' | 'lose answer')[],
  }
  const sender = senderOf(home, async (move) => {
    const request = requestIn(move.phase) ?? 'ask'
    receiver.asked.push(request)
    const how = receiver.replies.shift()
    const failure = { code: 'STATE_LOSS', why: 'refused there' }
    if (how === 'rejected') return { answer: 'rejected', targetRunId: null, failure }
    if (how === 'lose request') throw new Error('no answer')
    receiver.row = arrivalAfter(receiver.row, request)
    if (how === 'lose answer') throw new Error('no answer')
    return { answer: receiver.row, targetRunId: receiver.row === 'owned' ? 'there-1' : null }
  })
  const kinds = async () => (await home.audit.lines()).map((line) => JSON.parse(line).fact.kind)
  return { place, env, home, runId: run_id as string, receiver, sender, kinds }
}

function senderOf(home: LocalHome, ask: (move: StoredMove) => Promise<MoveReply>): RunSender {
  return new RunSender({
    home,
    moves: home.moves,
    receiver: { place: PLACE, url: 'https://there.example', ask },
    by: 'ada',
    capture: async () => ({ at: Date.now(), by: 'ada', platform: { name: 'waybill', version: '1.0.0' } }),
  })
}

describe('the sender of a home', () => {
  test('sends a state whose token names this home, the receiver, the run and the content', async (t) => {
    const { home, runId, sender, receiver, kinds } = await waitingRun(t)
    assert.equal(await sender.underWay(runId), undefined)
    receiver.replies.push('lose request')
    const sent = await sender.pursue(await sender.begin(runId, 'document'), 0)
    assert.deepEqual([sent.phase, receiver.asked], ['sending', ['import']])
    const state = JSON.parse(sent.document ?? '') as AgentState
    assert.equal(state.status, 'migrating')
    const key = home.moves.signingKey()
    const [publicKey] = home.trust.keys().filter(({ keyId }) => keyId === keyIdOf(key))
    assert.ok(publicKey)
    const claims = await verifyMigrationToken(state.provenance?.migration_token ?? '', {
      nowSeconds: Math.floor(Date.now() / 1000),
      stateId: state.state_id,
      agentId: state.agent_id,
      keys: [publicKey],
      bound: { profile: 'full', issuers: [home.moves.places()[0] ?? ''], audiences: [PLACE], runId },
    })
    assert.deepEqual([claims.jti, claims.continues, claims.run_id], [sent.jti, undefined, runId])
    assert.equal(sent.expires_at, claims.exp * 1000)

    const again = await sender.underWay(runId)
    assert.equal(again?.jti, sent.jti)
    const moved = await sender.pursue(sent, 0)
    assert.deepEqual([moved.phase, moved.target_run_id, moved.document], ['moved', 'there-1', null])
    await assert.rejects(sender.underWay(runId), { code: 'RUN_MOVED' })
    assert.deepEqual(await kinds(), ['run.move_started', 'run.moved'])
  })

  test('withdraws after a refusal, and the run stays', async (t) => {
    const { place, env, runId, sender, receiver, kinds } = await waitingRun(t)
    receiver.replies.push('rejected', 'lose answer')
    const kept = await sender.pursue(await sender.begin(runId, 'document'), 5_000)
    assert.deepEqual([kept.phase, kept.code, kept.why], ['kept', 'STATE_LOSS', 'refused there'])
    assert.deepEqual([receiver.asked, receiver.row], [['import', 'withdraw', 'withdraw'], 'refused'])
    assert.equal(await sender.underWay(runId), undefined)
    assert.deepEqual(await kinds(), ['run.move_started', 'run.kept'])
    const { out } = await waybill(place, ['approvals', 'approve', runId, '--resume', '--json'], { env })
    assert.equal(JSON.parse(out).status, 'completed')
    assert.deepEqual(place.sent(), ['ada'])
  })

  for (const [what, lost, phase] of [
    ['not imported: the run is kept', 'lose request', 'kept'],
    ['imported: the run has moved', 'lose answer', 'moved'],
  ] as const)
    test(`withdraws a token that has expired without an answer; ${what}`, async (t) => {
      const { place, runId, sender, receiver } = await waitingRun(t)
      receiver.replies.push(lost)
      const sent = await sender.pursue(await sender.begin(runId, 'stream'), 0)
      assert.deepEqual([sent.phase, sent.method], ['sending', 'stream'])
      place.tamper('UPDATE moves SET expires_at = 1')
      receiver.replies.push('lose request')
      const ended = await sender.pursue(sent, 5_000)
      assert.deepEqual([ended.phase, receiver.asked], [phase, ['import', 'import', 'withdraw']])
      assert.equal(ended.code, phase === 'kept' ? 'PEER_UNREACHABLE' : 'PEER_UNREACHABLE')
    })

  test('does not send a run with a decision that it has not taken in', async (t) => {
    const { place, env, runId, sender, receiver } = await waitingRun(t)
    await waybill(place, ['approvals', 'deny', runId], { env })
    await assert.rejects(sender.begin(runId, 'document'), { code: 'RUN_BUSY' })
    assert.deepEqual(receiver.asked, [])
  })

  test('does not send what is on its way to another receiver', async (t) => {
    const { home, runId, sender } = await waitingRun(t)
    await sender.begin(runId, 'document')
    const other = new RunSender({
      home,
      moves: home.moves,
      receiver: {
        place: 'https://else.example/organisations/acme',
        url: 'https://else.example',
        ask: assert.fail,
      },
      by: 'ada',
      capture: async () => ({ at: 0, platform: { name: 'waybill', version: '1.0.0' } }),
    })
    await assert.rejects(other.underWay(runId), { code: 'RUN_MOVING', message: /there\.example/ })
    await assert.rejects(other.begin(runId, 'document'), { code: 'RUN_MOVING' })
  })

  const run = (header: object, state: object) => ({ header, state }) as unknown as StoredRun
  const listed = (imported: boolean) => ({ imported }) as ListedRecord
  const active = { status: 'waiting', end: null, seq: 3 }
  for (const [what, code, header, state, imported] of [
    ['the run of a sub-agent', 'MOVE_REFUSED', { parent: { root_run_id: 'r' } }, active, false],
    ['an imported record', 'RUN_IMPORTED', {}, active, true],
    ['a rehearsal', 'MOVE_REFUSED', { rehearsal: true }, active, false],
    ['a run that has ended', 'RUN_ENDED', {}, { ...active, end: {} }, false],
    ['a run that has not begun', 'MOVE_REFUSED', {}, { ...active, seq: 0 }, false],
  ] as const)
    test(`does not move ${what}`, () => {
      assert.throws(() => assertMovable(run({ run_id: 'r1', ...header }, state), listed(imported)), { code })
    })
})
