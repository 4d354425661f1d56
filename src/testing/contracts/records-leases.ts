import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import type { Decided } from '../../run/record/records.ts'
import {
  answered,
  decided,
  drive,
  fact,
  newRun,
  QUESTION,
  type RecordsCase,
  refused,
  started,
} from './records-fixture.ts'

const RACERS = 12

/** The cases of concurrent processes: one of them drives a run, and one decision counts. */
export const leaseCases: readonly RecordsCase[] = [
  [
    'a run that is being driven cannot be opened again; after a close it is opened with the next epoch',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const run = await drive(one, newRun('r1'))
      await run.append(started('r1'))
      for (const records of [one, two]) await refused('RUN_LOCKED', () => records.runs.open('r1'))
      assert.equal((await two.runs.listed('r1')).live, true)
      await run.run.close()
      await run.run.close()
      assert.equal((await two.runs.listed('r1')).live, false)
      const again = await two.runs.open('r1')
      assert.deepEqual([again.epoch, again.state.seq, again.first], [2, 1, newRun('r1').first])
      // A second close must not release the lease of the next holder.
      await run.run.close()
      await refused('RUN_LOCKED', () => one.runs.open('r1'))
      await again.close()
      // The same, if the next holder uses the same store.
      await one.runs.open('r1')
      await run.run.close()
      await refused('RUN_LOCKED', () => two.runs.open('r1'))
    },
  ],
  [
    "a sub-agent's run whose root is missing cannot be opened, and its lease stays free",
    async ({ open }) => {
      const records = await open()
      const parent = { run_id: 'gone', root_run_id: 'gone' }
      await (await records.runs.create(newRun('r1', { parent }))).close()
      const { message } = await refused('RECORD_DAMAGED', () => records.runs.open('r1'))
      assert.match(message, /gone/)
      assert.equal((await records.runs.listed('r1')).live, false)
      assert.equal((await records.runs.read('r1')).header.run_id, 'r1')
    },
  ],
  [
    'a run whose process died can be opened, and continues after its last event',
    async ({ open, crash }) => {
      const [one, two] = [await open(), await open()]
      const run = await drive(one, newRun('r1'))
      await run.append(started('r1'), {}, { durable: true })
      await crash(one)
      assert.equal((await two.runs.listed('r1')).live, false)
      const again = await drive(two, 'r1')
      assert.deepEqual([again.run.epoch, again.state.seq], [2, 1])
      await again.tick()
      assert.equal((await two.runs.listed('r1')).seq, 2)
    },
  ],
  [
    'closing a store releases the leases that it still holds',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      await one.runs.create(newRun('r1'))
      await one.close()
      assert.equal((await two.runs.open('r1')).epoch, 2)
    },
  ],
  [
    'a driver whose lease was taken over cannot append, and its append is not on record',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const old = await drive(one, newRun('r1'))
      await old.append(started('r1'))
      await old.run.close()
      const now = await drive(two, 'r1')
      const refuse = () =>
        old.append({ type: 'run.cancelled', by: 'old' }, {}, { audit: [fact('x')], sealed: ['x'] })
      // First by its epoch alone, then by both.
      await refused('RUN_TAKEN_OVER', refuse)
      await now.tick()
      await refused('RUN_TAKEN_OVER', refuse)
      assert.deepEqual(
        (await two.runs.events('r1')).map(({ fact: { type } }) => type),
        ['run.started', 'run.resumed'],
      )
      assert.deepEqual(await two.audit.lines(), [])
      assert.deepEqual(await two.runs.sealed('r1'), [])
      const { status, seq } = await two.runs.listed('r1')
      assert.deepEqual([status, seq], ['running', 2])
    },
  ],
  [
    'an append whose events do not follow the last event on record is refused completely',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      await run.append(started('r1'))
      const next = run.next({ type: 'run.resumed', by: 'a' })
      const options = { durable: false, state: next.state }
      const skipping = { ...next.event, seq: 3 }
      const twice = { ...next.event, seq: 1 }
      for (const event of [skipping, twice])
        await refused('RUN_TAKEN_OVER', () => run.run.append([event], options))
      await run.run.append([next.event], options)
      await refused('RUN_TAKEN_OVER', () => run.run.append([next.event], options))
      assert.equal((await records.runs.events('r1')).length, 2)
    },
  ],
  [
    'an append to a run that was removed meanwhile is refused, and so is one to its successor of the same id',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      await run.run.close()
      await records.runs.remove('r1')
      await refused('RUN_TAKEN_OVER', () => run.append(started('r1')))
      await records.runs.create(newRun('r1'))
      await refused('RUN_TAKEN_OVER', () => run.append(started('r1')))
      assert.deepEqual(await records.runs.events('r1'), [])
    },
  ],
  [
    'if many open a run at once, exactly one succeeds and the others fail with RUN_LOCKED',
    async ({ open }) => {
      const stores = await Promise.all(Array.from({ length: RACERS }, () => open()))
      const [first] = stores
      assert.ok(first !== undefined)
      for (let round = 0; round < 5; round++) {
        const id = `r${round}`
        await (await first.runs.create(newRun(id))).close()
        const outcomes = await Promise.allSettled(stores.map(async ({ runs }) => runs.open(id)))
        const won = outcomes.filter(({ status }) => status === 'fulfilled')
        const codes = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason.code] : [],
        )
        assert.equal(won.length, 1)
        assert.deepEqual(codes, Array(RACERS - 1).fill('RUN_LOCKED'))
        assert.equal((await first.runs.listed(id)).live, true)
      }
    },
  ],
  [
    'of concurrent writes, a refused one does not affect the others',
    async ({ open }) => {
      const records = await open()
      const runs = await Promise.all(
        Array.from({ length: 20 }, (_, n) => drive(records, newRun(`r${n}`, { later: n }))),
      )
      await Promise.all(runs.map((run, n) => run.append(started(`r${n}`))))
      const outcomes = await Promise.allSettled([
        ...runs.map(async (run, n) => {
          // Every third append skips an event.
          if (n % 3 === 0)
            await run.run.append(
              [run.next(started('x')).event].map((e) => ({ ...e, seq: 1 })),
              { durable: n % 2 === 0, state: run.state, audit: [fact('torn', n)] },
            )
          else await run.tick(1, { durable: n % 2 === 0, audit: [fact('kept', n)] })
        }),
        (async () => records.runs.create(newRun('r0')))(),
        (async () => records.runs.import([imported('i1'), imported('r1')], [fact('torn')]))(),
      ])
      const refusals = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? outcome.reason.code : 'kept',
      )
      assert.deepEqual(refusals, [
        ...runs.map((_, n) => (n % 3 === 0 ? 'RUN_TAKEN_OVER' : 'kept')),
        'RUN_EXISTS',
        'RUN_EXISTS',
      ])
      for (const n of runs.keys())
        assert.equal((await records.runs.events(`r${n}`)).length, n % 3 === 0 ? 1 : 2, `r${n}`)
      const kinds = (await records.audit.lines()).map((line) => JSON.parse(line).fact.kind)
      assert.deepEqual(kinds, Array(13).fill('kept'))
      assert.equal(await records.runs.has('i1'), false)
    },
  ],
  [
    'one decision is stored for each question, and a second one is refused with the first',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const run = await drive(one, newRun('r1'))
      await run.append(started('r1'))
      await run.append(...answered('asking'))
      assert.deepEqual(await one.runs.decide('r1', QUESTION, decided('ann', 2)), { outcome: 'kept' })
      const second = await two.runs.decide('r1', QUESTION, decided('bob', 2, 'deny'))
      assert.deepEqual(second, { outcome: 'taken', by: decided('ann', 2) })
      const again = { key: QUESTION.key, asked: 5 }
      assert.deepEqual(await two.runs.decide('r1', again, decided('bob', 2)), { outcome: 'kept' })
      const other = { key: 'key-of-c2', asked: QUESTION.asked }
      assert.deepEqual(await two.runs.decide('r1', other, decided('cy', 2)), { outcome: 'kept' })
      const left = (await one.runs.decisions('r1')).map(({ by }) => by)
      assert.deepEqual(left, ['ann', 'bob', 'cy'])
    },
  ],
  [
    'a decision about a run that has continued since it was seen is not stored',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      await run.append(started('r1'))
      await run.append(...answered('asking'))
      assert.deepEqual(await records.runs.decide('r1', QUESTION, decided('ann', 1)), { outcome: 'moved' })
      assert.deepEqual(await records.runs.decisions('r1'), [])
      assert.deepEqual(await records.runs.decide('r1', QUESTION, decided('ann', 2)), { outcome: 'kept' })
      // A second decision is refused with the first one, even if later events followed.
      await run.tick()
      const second = await records.runs.decide('r1', QUESTION, decided('bob', 2))
      assert.deepEqual(second, { outcome: 'taken', by: decided('ann', 2) })
      const other = { key: QUESTION.key, asked: 3 }
      assert.deepEqual(await records.runs.decide('r1', other, decided('bob', 2)), { outcome: 'moved' })
      assert.deepEqual(await records.runs.decide('r1', other, decided('bob', 3)), { outcome: 'kept' })
    },
  ],
  [
    'of concurrent decisions exactly one is stored, and the others are refused with it',
    async ({ open }) => {
      const stores = await Promise.all(Array.from({ length: RACERS }, () => open()))
      const [first] = stores
      assert.ok(first !== undefined)
      for (let round = 0; round < 5; round++) {
        const run = await drive(first, newRun(`r${round}`))
        await run.append(started('x'))
        const outcomes = await Promise.all(
          stores.map(async ({ runs }, n): Promise<Decided> => {
            await sleep(Math.random() * 3)
            return runs.decide(`r${round}`, QUESTION, decided(`person ${n}`, 1))
          }),
        )
        const kept: LeftDecision | undefined = (await first.runs.decisions(`r${round}`))[0]
        assert.equal(outcomes.filter(({ outcome }) => outcome === 'kept').length, 1)
        const winner = outcomes.findIndex(({ outcome }) => outcome === 'kept')
        assert.equal(kept?.by, `person ${winner}`)
        for (const decision of outcomes)
          if (decision.outcome !== 'kept') assert.deepEqual(decision, { outcome: 'taken', by: kept })
      }
    },
  ],
]

function imported(id: string) {
  return { ...newRun(id), events: [] }
}
