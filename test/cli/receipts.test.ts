import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, type Said, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

async function ok(place: Place, ...argv: readonly string[]): Promise<Said> {
  const said = await waybill(place, argv)
  assert.equal(said.code, 0, said.err)
  return said
}

/** Starts a run that waits for approval. @returns its id */
async function waiting(place: Place): Promise<string> {
  const said = await waybill(place, [...GO, '--json', ...model.flags])
  assert.equal(said.code, 4, said.err)
  return JSON.parse(said.out).run_id
}

const read = (place: Place, name: string) => readFileSync(join(place.folder, name), 'utf8')

async function verified(place: Place, ...argv: readonly string[]) {
  const { code, out, err } = await waybill(place, ['receipts', 'verify', ...argv, '--json'])
  assert.ok(code === 0 || code === 1, err)
  return { code, ...JSON.parse(out) }
}

const verdicts = ({ writes }: { writes: readonly { verdict: string; outcome: string }[] }) =>
  writes.map(({ verdict, outcome }) => `${verdict} ${outcome}`)
const codes = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code)

describe('waybill receipts', () => {
  test('a run has a receipt for each write, before and after it was sent, in a file and by its id', async (t) => {
    const place = new Place(t)
    const run = await waiting(place)
    assert.deepEqual(verdicts(await verified(place, run)), ['waiting waiting'])
    await ok(place, 'approvals', 'approve', run, '--resume')
    const exported = await ok(place, 'receipts', 'export', 'last', '-o', 'receipts.ndjson')
    assert.equal(exported.err, `the receipts of run ${run} were written to receipts.ndjson\n`)
    assert.match((await ok(place, 'receipts', 'export', run)).out, /^\{"type":"receipt","v":1,"n":1,/)
    for (const wanted of ['receipts.ndjson', run.slice(-12), 'last']) {
      const verdict = await verified(place, wanted)
      assert.deepEqual(
        [verdict.code, verdict.ok, verdict.run_id, verdict.status, verdict.hosts, verdicts(verdict)],
        [0, true, run, 'completed', ['audit'], ['once done']],
      )
      assert.equal(verdict.writes[0].key, `${run}:1.1:c1`)
    }
    const shown = await ok(place, 'receipts', 'verify', 'receipts.ndjson')
    assert.equal(shown.out, `once          send_mail · done · run ${run} · on audit · key ${run}:1.1:c1\n`)
    assert.equal(shown.err, `✓ 1 write over 1 host: each was sent at most once; run ${run} completed\n`)
    const given = await waybill(place, ['receipts', 'verify', '-'], { stdin: read(place, 'receipts.ndjson') })
    assert.equal(given.code, 0, given.err)

    place.write('receipts.ndjson', read(place, 'receipts.ndjson').replace('"done"', '"failed"'))
    const changed = await waybill(place, ['receipts', 'verify', 'receipts.ndjson'])
    assert.equal(changed.code, 1)
    assert.match(changed.err, /^✗ line 1: the signature is not valid.* RECEIPT_CHANGED\n {2}fix .+\n/)
    assert.match(changed.err, /✗ 1 write over 1 host: not proven, 2 problems\n$/)
  })

  test('a fork names the writes of its origin, and has sent none of them', async (t) => {
    const place = new Place(t)
    const run = await waiting(place)
    await ok(place, 'approvals', 'approve', run, '--resume')
    const { length } = await place.events(run)
    for (let seq = 1; seq < length; seq++) {
      const fork = JSON.parse((await ok(place, 'resume', run, '--at', String(seq), '--json')).out).run_id
      const verdict = await verified(place, fork)
      assert.deepEqual(
        [verdict.code, verdict.run_id, verdict.segments],
        [0, fork, 2],
        JSON.stringify(verdict),
      )
      const origin = verdict.writes.filter((one: { of_origin?: true }) => one.of_origin)
      const own = verdict.writes.filter((one: { of_origin?: true }) => !one.of_origin)
      for (const one of origin) assert.equal(one.sendings.length === 0 ? fork : run, one.run_id)
      for (const { verdict: judged, sendings } of own) assert.deepEqual([judged, sendings], ['by_origin', []])
      assert.ok(
        verdict.writes.every((one: { sendings: { run_id: string }[] }) =>
          one.sendings.every((sent) => sent.run_id === run),
        ),
      )
    }
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('a fork on another machine has the receipts of its origin, and a person sends the write again', async (t) => {
    const [place, other] = [new Place(t), new Place(t)]
    const run = await waiting(place)
    // A line in which a secret was found would lose its signature.
    const [{ digest }] = (await verified(place, run)).writes
    for (const { env } of [place, other]) env.WAYBILL_KEY_CUSTOM = digest
    await ok(place, 'state', 'export', run, '-o', 'state.json')
    other.write('state.json', read(place, 'state.json'))
    const argv = ['resume', 'state.json', '--agent', 'agent.json', '--tools', 'tools.mjs', '--json']
    const resumed = await waybill(other, [...argv, ...model.flags])
    const { run_id } = JSON.parse(resumed.out)
    await ok(other, 'approvals', 'resend', run_id, '--resume')
    const unknown = await verified(other, run_id)
    assert.deepEqual([unknown.code, codes(unknown)], [1, ['RECEIPT_SIGNER']])
    const key = (await ok(place, 'keys', 'export', 'audit', '--public')).out
    place.write('audit.jwks', JSON.stringify({ keys: [createPublicKey(key).export({ format: 'jwk' })] }))
    other.write('audit.jwks', read(place, 'audit.jwks'))
    other.write('place.pub', key)
    const given = await verified(other, run_id, '--keys', 'audit.jwks')
    assert.deepEqual([given.code, verdicts(given)], [0, ['resent done']])
    await ok(other, 'keys', 'trust', 'their-audit', 'place.pub')
    const trusted = await verified(other, run_id)
    assert.deepEqual([trusted.code, trusted.hosts], [0, ['their-audit', 'audit']])
    assert.match(
      (await ok(other, 'receipts', 'verify', run_id)).out,
      /^sent again +send_mail · done · sent again by the decision of .+ · run /,
    )
    assert.match(
      (await ok(other, 'receipts', 'verify', run_id)).err,
      /at most once; 1 sent again by the decision of a person; run/,
    )

    await ok(other, 'keys', 'revoke', 'their-audit', '--reason', 'stolen')
    const revoked = await verified(other, run_id, '--keys', 'audit.jwks')
    assert.deepEqual([revoked.code, codes(revoked)], [1, ['RECEIPT_SIGNER']], 'a revoked key stays revoked')
  })

  test('the receipts of sub-agents are part of those of their root, also if one of them is named', async (t) => {
    const place = teamOf(t)
    const said = await waybill(place, [...GO, '--json', ...model.flags])
    assert.equal(said.code, 0, said.err)
    const { run_id } = JSON.parse(said.out)
    const ids = await place.runIds()
    assert.equal(ids.length, 3)
    for (const id of ids) {
      const verdict = await verified(place, id)
      assert.deepEqual(
        [verdict.code, verdict.run_id, verdict.segments, verdicts(verdict)],
        [0, run_id, 3, ['once done', 'once done']],
        JSON.stringify(verdict.problems),
      )
      assert.equal(new Set(verdict.writes.map((one: { run_id: string }) => one.run_id)).size, 2)
    }
    await ok(place, 'receipts', 'export', run_id, '-o', 'receipts.ndjson')
    const lines = read(place, 'receipts.ndjson').trimEnd().split('\n')
    assert.equal(lines.length, 5)
    place.write('cut.ndjson', `${lines.slice(2).join('\n')}\n`)
    assert.deepEqual(codes(await verified(place, 'cut.ndjson')), ['RECEIPT_SEGMENT_MISSING'])
  })

  test('a rehearsal has sent nothing, and an imported record is that of another host', async (t) => {
    const [place, other] = [new Place(t), new Place(t)]
    await ok(place, 'run', 'agent.json', '--rehearse', '--input', 'Go', '--json')
    const verdict = await verified(place, 'last')
    assert.equal(verdict.code, 0)
    assert.ok(verdict.writes.length > 0)
    assert.ok(
      verdicts(verdict).every((one) => one === 'rehearsed rehearsed'),
      JSON.stringify(verdict.writes),
    )
    await ok(place, 'runs', 'export', 'last', '-o', 'run.ndjson')
    other.write('run.ndjson', read(place, 'run.ndjson'))
    await ok(other, 'runs', 'import', 'run.ndjson')
    const refused = await waybill(other, ['receipts', 'export', verdict.run_id])
    assert.equal(refused.code, 1)
    assert.match(refused.err, /RUN_IMPORTED/)
  })

  test('what is neither a file nor a run, and a file without keys, are refused', async (t) => {
    const place = new Place(t)
    place.write('keys.json', '{"keys":[]}')
    place.write('text.txt', 'hello')
    place.write('empty.ndjson', '')
    for (const [argv, code, error] of [
      [['verify', 'nothing'], 2, 'RUN_NOT_FOUND'],
      [['verify', 'empty.ndjson', '--keys', 'keys.json'], 2, 'KEY_INVALID'],
      [['verify', 'empty.ndjson', '--keys', 'text.txt'], 2, 'KEY_INVALID'],
      [['verify', 'empty.ndjson', '--keys', 'missing.json'], 2, 'KEY_NOT_FOUND'],
    ] as const) {
      const said = await waybill(place, ['receipts', ...argv, '--json'])
      assert.deepEqual([said.code, JSON.parse(said.out).error.code], [code, error], argv.join(' '))
    }
    assert.deepEqual(codes(await verified(place, 'empty.ndjson')), ['RECEIPT_MISSING'])
    assert.deepEqual(codes(await verified(place, 'text.txt')), ['RECEIPT_MISSING', 'RECEIPT_UNREADABLE'])
    const none = await waybill(place, ['receipts', 'export', 'nothing', '--json'])
    assert.equal(none.code, 2)
  })
})

/** A pipeline of two agents, each of which sends a mail. */
function teamOf(t: TestContext): Place {
  const { agent } = DEFINITION
  const place = new Place(t, {
    ...DEFINITION,
    agent: {
      ...agent,
      tools: [],
      compliance: {},
      orchestration: {
        subagents: [
          { ref: 'clerk', alias: 'first' },
          { ref: 'clerk', alias: 'second' },
        ],
        pipeline: ['first', 'second'],
      },
    },
  })
  const { agent_id: _id, ...clerk } = DEFINITION
  place.write('clerk.json', JSON.stringify({ ...clerk, agent: { ...agent, name: 'Mailer', compliance: {} } }))
  return place
}
