import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { GroupCommit } from '../../../src/platform/records/group-commit.ts'
import {
  type Driven,
  drive,
  ended,
  fact,
  newRun,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { verifyAudit } from '../../../src/trust/verify-audit-chain.ts'
import { testDatabase } from '../postgres.ts'
import { addOrganisations, addWorker, asWorker, auditKeys } from './organisation.ts'

const ORGANISATIONS = ['a', 'b', 'c'] as const

async function place(t: TestContext) {
  const { database } = await testDatabase(t)
  await addOrganisations(database, ...ORGANISATIONS)
  const process = async () => {
    const worker = await addWorker(database)
    const group = new GroupCommit(database.engine)
    const of = (org: string) => asWorker(t, database, org, worker, group)
    return { group, of, worker }
  }
  return { database, process }
}

const codeOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' ? 'kept' : outcome.reason.code

/** Keeps whether each append is durable. */
class WatchedCommit extends GroupCommit {
  readonly durable: boolean[] = []

  override append(append: Parameters<GroupCommit['append']>[0]): Promise<void> {
    this.durable.push(append.durable)
    return super.append(append)
  }
}

describe('grouped commits in PostgreSQL', () => {
  it('an append with an audit entry is durable, because the entry is on record before its effect', async (t) => {
    const { database } = await place(t)
    const group = new WatchedCommit(database.engine)
    const run = await drive(asWorker(t, database, 'a', await addWorker(database), group), newRun('r1'))
    await run.append(started('r1'))
    await run.tick(1, { audit: [fact('r1')] })
    await run.tick(1, { durable: true })
    assert.deepEqual(group.durable, [false, true, true])
  })

  it('appends of many runs and organisations are committed together', async (t) => {
    const { process } = await place(t)
    const { group, of } = await process()
    const runs: Driven[] = []
    for (const org of ORGANISATIONS)
      for (let n = 0; n < 40; n++) runs.push(await drive(of(org), newRun(`r${n}`)))
    await Promise.all(runs.map((run) => run.append(started('x'))))
    assert.deepEqual(group.counts(), { commits: 1, appends: 120 })
    await Promise.all(runs.map((run) => run.tick(3)))
    assert.ok(group.counts().commits <= 5, `${group.counts().commits} commits`)
    for (const org of ORGANISATIONS) assert.equal((await of(org).runs.events('r7')).length, 4)
  })

  it('a refused append leaves no event, sealed line or audit entry, and the others are stored', async (t) => {
    const { process } = await place(t)
    const { of } = await process()
    const [a, b] = [of('a'), of('b')]
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, n) => drive(n % 2 === 0 ? a : b, newRun(`r${n}`))),
    )
    const outcomes = await Promise.allSettled(
      runs.map(async (run, n) => {
        const { event, state } = run.next(started('x'))
        const events = n % 3 === 0 ? [{ ...event, seq: 5 }] : [event]
        await run.run.append(events, { durable: true, state, audit: [fact(`r${n}`)], sealed: [`s${n}`] })
      }),
    )
    assert.deepEqual(
      outcomes.map(codeOf),
      runs.map((_, n) => (n % 3 === 0 ? 'RUN_TAKEN_OVER' : 'kept')),
    )
    for (const [n] of runs.entries()) {
      const records = n % 2 === 0 ? a : b
      assert.equal((await records.runs.events(`r${n}`)).length, n % 3 === 0 ? 0 : 1)
      assert.equal((await records.runs.sealed(`r${n}`)).length, n % 3 === 0 ? 0 : 1)
    }
    for (const [records, kept] of [
      [a, [2, 4, 8, 10]],
      [b, [1, 5, 7, 11]],
    ] as const)
      assert.deepEqual(
        (await records.audit.lines()).map((line) => JSON.parse(line).fact.kind).sort(),
        kept.map((n) => `r${n}`).sort(),
      )
  })

  it('two processes continue one audit log without fork or gap', async (t) => {
    const { process } = await place(t)
    const [one, two] = [await process(), await process()]
    const driven = await Promise.all(
      [one, two, one, two].flatMap(({ of }, n) =>
        ORGANISATIONS.map((org) => drive(of(org), newRun(`r${n}`))),
      ),
    )
    await Promise.all(
      driven.map(async (run, n) => {
        await run.append(started('x'), {}, { audit: [fact('started', n)] })
        for (let tick = 0; tick < 10; tick++) await run.tick(1, { audit: [fact('tick', tick), fact('more')] })
      }),
    )
    for (const org of ORGANISATIONS) {
      const { audit } = one.of(org)
      const lines = await audit.lines()
      assert.equal(lines.length, 4 * 21)
      assert.deepEqual(
        verifyAudit(`${lines.join('\n')}\n`, auditKeys, (await audit.head()) ?? undefined).problems,
        [],
      )
    }
  })

  it('a damaged audit log refuses the audited appends of its organisation, and no others', async (t) => {
    const { database, process } = await place(t)
    const { of } = await process()
    const [a, b] = [of('a'), of('b')]
    await a.audit.append([fact('one'), fact('two')])
    await b.audit.append([fact('one')])
    await database.engine.query(`DELETE FROM waybill.audit WHERE org = 'a' AND n = 2`)
    const runs = await Promise.all([a, a, b, b].map((records, n) => drive(records, newRun(`r${n}`))))
    const outcomes = await Promise.allSettled(
      runs.map((run, n) => run.append(started('x'), {}, n % 2 === 0 ? { audit: [fact('x')] } : {})),
    )
    assert.deepEqual(outcomes.map(codeOf), ['AUDIT_DAMAGED', 'kept', 'kept', 'kept'])
    assert.equal((await a.runs.events('r0')).length, 0)
    assert.equal((await b.audit.lines()).length, 2)
  })

  it('a value that the database refuses affects only its own append', async (t) => {
    const { process } = await place(t)
    const { of } = await process()
    const runs = await Promise.all(Array.from({ length: 6 }, (_, n) => drive(of('a'), newRun(`r${n}`))))
    const outcomes = await Promise.allSettled(
      runs.map((run, n) => {
        const { event, state } = run.next(started('x'))
        // Not an integer, as a defect of a driver could write it.
        const at = n === 2 ? Number.NaN : state.at
        return run.run.append([event], { durable: false, state: { ...state, at } })
      }),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      runs.map((_, n) => (n === 2 ? 'rejected' : 'fulfilled')),
    )
  })

  it('appends that are not awaited keep their order, and those after a refused one are refused', async (t) => {
    const { process } = await place(t)
    const { of, group } = await process()
    const records = of('a')
    const run = await drive(records, newRun('r1'))
    const all: Promise<void>[] = []
    const append = (audit: boolean) => {
      const { event, state } = run.next(started('x'))
      run.state = state
      const facts = audit ? [fact('x')] : []
      all.push(Promise.resolve(run.run.append([event], { durable: false, state, audit: facts })))
    }
    for (let n = 0; n < 30; n++) append(n % 7 === 3)
    await Promise.all(all)
    assert.equal((await records.runs.events('r1')).length, 30)
    assert.equal((await records.audit.lines()).length, 4)
    assert.ok(group.counts().commits <= 6, `${group.counts().commits} commits`)
    run.state = { ...run.state, seq: run.state.seq + 1 }
    all.length = 0
    for (let n = 0; n < 5; n++) append(n === 2)
    const outcomes = await Promise.allSettled(all)
    assert.deepEqual(outcomes.map(codeOf), Array(5).fill('RUN_TAKEN_OVER'))
  })

  it('the end of a run is stored with its phase, and a run that continues after its end is held again', async (t) => {
    const { process } = await place(t)
    const { of } = await process()
    const records = of('a')
    const run = await drive(records, newRun('r1'))
    await run.append(started('r1'))
    await run.append(...ended('completed'))
    assert.equal((await records.runs.listed('r1')).phase, 'over')
    run.state = { ...run.state, status: 'running' }
    const { event } = run.next({ type: 'run.resumed', by: 'x' })
    await run.run.append([event], { durable: true, state: { ...run.state, seq: event.seq } })
    assert.equal((await records.runs.listed('r1')).phase, 'held')
  })
})
