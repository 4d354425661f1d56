import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { MemoryPlace } from '../../src/adapters/records/memory/memory-place.ts'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { auditFacts } from '../../src/run/record/audit-facts.ts'
import type { Records } from '../../src/run/record/records.ts'
import { verifyHomeAudit } from '../../src/session/verify-audit.ts'
import {
  type Driven,
  drive,
  newRun,
  planNamed,
  started,
} from '../../src/testing/contracts/records-fixture.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const keys = () => publicKey
const AUDITED = { ...planNamed('agent-1'), audit: true, models: [] } as unknown as Plan

/** Appends an event with its entry. */
async function step(run: Driven, header: { readonly run_id: string }, withEntry = true): Promise<void> {
  const fact = run.state.seq === 0 ? started(header.run_id) : ({ type: 'run.resumed', by: 'x' } as const)
  const { event } = run.next(fact)
  await run.append(fact, {}, withEntry ? { audit: auditFacts([event], AUDITED, header) } : {})
}

async function runOf(records: Records, id: string, events: number): Promise<Driven> {
  const run = await drive(records, newRun(id, { plan: AUDITED }))
  for (let n = 0; n < events; n++) await step(run, { run_id: id })
  return run
}

describe('verification of the audit log of a home', () => {
  test('finds the same in parts as at once, and reads the log in pages', async () => {
    const place = new MemoryPlace(() => privateKey)
    const records = memoryRecords({ place })
    for (let n = 0; n < 20; n++) await runOf(records, `r${n}`, 60)
    await step(await runOf(records, 'unlogged', 3), { run_id: 'unlogged' }, false)
    await runOf(records, 'gone', 2)
    place.runs.delete('gone')
    let longest = 0
    const audit: Records['audit'] = {
      append: (facts) => records.audit.append(facts),
      head: () => records.audit.head(),
      lines: async (after, limit) => {
        const lines = await records.audit.lines(after, limit)
        longest = Math.max(longest, lines.length)
        return lines
      },
    }
    const found = []
    for (const part of [100_000, 100, 7]) {
      const { entries, problems } = await verifyHomeAudit({ audit, runs: records.runs }, keys, part)
      assert.equal(entries, 20 * 60 + 3 + 2)
      found.push(problems.map(({ message }) => message).sort())
    }
    assert.deepEqual(found[0], [
      'event 4 of run unlogged has no entry',
      'run gone is in the log and not on record, and no entry says that it was removed',
    ])
    assert.deepEqual(found[1], found[0])
    assert.deepEqual(found[2], found[0])
    assert.equal(longest, 1000)
  })

  test('lists a limited number of problems and counts the others', async () => {
    const records = memoryRecords({ place: new MemoryPlace(() => privateKey) })
    await runOf(records, 'r1', 1100)
    const verdict = await verifyHomeAudit(records, () => undefined)
    // Each entry, and the head.
    assert.deepEqual([verdict.ok, verdict.problems.length, verdict.not_listed], [false, 1000, 101])
  })

  test('runs that begin, continue and are removed meanwhile leave no gaps', async () => {
    const records = memoryRecords({ place: new MemoryPlace(() => privateKey) })
    const first = await runOf(records, 'r1', 2)
    await (await runOf(records, 'r2', 2)).run.close()
    const acts = [
      () => step(first, { run_id: 'r1' }),
      () => runOf(records, 'r3', 2),
      () =>
        records.runs.remove('r2', () => [
          { at: '2026-01-01T00:00:00.000Z', kind: 'run.removed', run_id: 'r2' },
        ]),
    ]
    /** Something happens directly after each call of the store. */
    const meanwhile =
      <A extends unknown[], T>(act: (...args: A) => T | Promise<T>) =>
      async (...args: A): Promise<T> => {
        const result = await act(...args)
        await acts.shift()?.()
        await step(first, { run_id: 'r1' })
        return result
      }
    const { runs, audit } = records
    for (const slow of ['lines', 'head', 'list', 'events', 'read'] as const) {
      const live = {
        audit: {
          append: () => {},
          lines: slow === 'lines' ? meanwhile(audit.lines) : audit.lines,
          head: slow === 'head' ? meanwhile(audit.head) : audit.head,
        },
        runs: Object.assign(Object.create(runs), {
          list: slow === 'list' ? meanwhile(runs.list.bind(runs)) : runs.list.bind(runs),
          events: slow === 'events' ? meanwhile(runs.events.bind(runs)) : runs.events.bind(runs),
          read: slow === 'read' ? meanwhile(runs.read.bind(runs)) : runs.read.bind(runs),
          has: runs.has.bind(runs),
        }) as Records['runs'],
      }
      assert.deepEqual((await verifyHomeAudit(live, keys)).problems, [], slow)
    }
  })
})
