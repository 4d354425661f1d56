import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { movingSite } from '../platform/moving-site.ts'
import { AGENT, definitionOf } from '../platform/organisation.ts'
import { timesOf } from './fault-site.ts'
import type { MessageFault } from './move-relay.ts'
import { ownerOf, settledMove } from './settled-move.ts'

/** Number of rounds, each with one fault; the long form is `npm run fault:moving`. */
const ROUNDS = timesOf('WAYBILL_MOVE_FAULTS', 22)
const SEED = timesOf('WAYBILL_SEED', 20261124)

const MESSAGES: readonly MessageFault[] = [
  'lose request',
  'lose answer',
  'cut request',
  'cut answer',
  'repeat',
  'repeat at once',
  'repeat later',
  'delay',
  'answer 503',
]

/** Faults of the import itself, of the withdrawal that follows a refusal, and deaths of both processes. */
const FAULTS = [
  ...MESSAGES.map((fault) => ({ name: `import: ${fault}`, import: fault })),
  { name: 'the sender is killed', kill: 'a' },
  { name: 'the receiver is killed', kill: 'b' },
  { name: 'both are killed', kill: 'ab' },
  { name: 'import: lose answer; the sender is killed', import: 'lose answer', kill: 'a' },
  ...MESSAGES.map((fault) => ({ name: `withdrawal: ${fault}`, withdraw: fault })),
] as const satisfies readonly Fault[]

interface Fault {
  readonly name: string
  readonly import?: MessageFault
  /** The import is refused, and this happens to the withdrawal. */
  readonly withdraw?: MessageFault
  /** The processes that are killed at a random moment. */
  readonly kill?: 'a' | 'b' | 'ab'
}

const seen = new Map<string, { moved: number; kept: number }>()
after(() => {
  for (const [fault, { moved, kept }] of seen)
    process.stdout.write(`${fault}: ${moved} moved, ${kept} kept\n`)
})

describe('moves under faults', { skip: noCertificates }, () => {
  test('AAIF-8.2-04: exactly one platform owns the run, the write is made once, and both audit logs agree', {
    timeout: 3_600_000,
  }, async (t) => {
    const { a, b, baseUrl, effects, relays } = await movingSite(t, { relays: true })
    const random = randomNumbers(SEED)
    const agent = definitionOf({
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
      tools: ['send', 'look'].map((name) => ({
        name,
        description: 'Acts.',
        parameters_schema: { type: 'object', properties: { to: { type: 'string' }, n: { type: 'integer' } } },
      })),
      compliance: { human_in_the_loop: { enabled: true } },
    })
    await a.upload(agent)
    await b.upload(agent)
    const [, relay] = relays
    assert.ok(relay)

    for (let round = 0; round < ROUNDS; round++) {
      const fault: Fault = FAULTS[round % FAULTS.length] ?? assert.fail()
      await t.test(`round ${round}: ${fault.name}`, async () => {
        const to = `person-${round}`
        const method = (round + Math.floor(round / FAULTS.length)) % 2 === 0 ? 'document' : 'stream'
        // Every third run is under way when it is moved: it sends after a slow look.
        const isDriven = round % 3 === 2
        const input = isDriven ? { tool: 'look', n: 800 } : { tool: 'send', to }
        const { run_id: run } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
          input: JSON.stringify(input),
        })
        if (!isDriven) await a.reaches(run, 'awaiting_approval')
        const keys = (await a.send('GET', '/.well-known/jwks.json')).json
        if (fault.withdraw !== undefined)
          await b.pin(a, { keys: (await b.send('GET', '/.well-known/jwks.json')).json })
        if (fault.import !== undefined)
          relay.faults.push({ method: 'POST', path: /^\/v1\/(?:states|handoff)$/, fault: fault.import })
        if (fault.withdraw !== undefined)
          relay.faults.push({ method: 'DELETE', path: /^\/v1\/migrations\//, fault: fault.withdraw })
        const applied = relay.applied
        const moving = a
          .send('POST', `/v1/runs/${run}/migrate`, { to: 'other', method })
          .catch(() => undefined)
        if (fault.kill !== undefined) {
          await sleep(random() * 300)
          const killed = { a: [a], b: [b], ab: [a, b] }[fault.kill]
          await Promise.all(killed.map((platform) => platform.closeServer('SIGKILL')))
          await sleep(random() * 200)
          await Promise.all(killed.map((platform) => platform.openServer()))
        }
        await moving
        const [last] = await settledMove(a, run)
        await relay.settled()
        // A run that ends before it is paused stays where it is, and nothing is sent.
        const hasEnded = last?.code === 'RUN_ENDED'
        if (fault.kill === undefined && !hasEnded)
          assert.ok(relay.applied > applied, 'the fault was not applied')
        if (fault.withdraw !== undefined) await b.pin(a, { keys })
        relay.faults.length = 0

        const { target, isMoved } = await ownerOf(a, b, run, last)
        assert.equal(isMoved, last?.phase === 'moved', 'the sender and the receiver disagree')
        if (fault.withdraw !== undefined) assert.equal(isMoved, false)
        const row = seen.get(fault.name) ?? { moved: 0, kept: 0 }
        row[isMoved ? 'moved' : 'kept']++
        seen.set(fault.name, row)

        const [owner, id] = isMoved ? [b, target] : [a, run]
        if (!isDriven) {
          await owner.reaches(id, 'awaiting_approval')
          const { items } = await owner.ok('GET', `/v1/approvals?run_id=${id}`)
          assert.equal(items.length, 1)
          await owner.ok('POST', `/v1/approvals/${items[0].id}`, { verdict: 'approve' })
        }
        const { output } = await owner.reaches(id, 'completed')
        assert.equal(output, 'done')
        if (!isDriven)
          assert.deepEqual(
            effects().filter((one) => one === `send ${to}`),
            [`send ${to}`],
          )
      })
    }
    const [here, there] = [await a.audit(), await b.audit()]
    assert.deepEqual([here.ok, there.ok], [true, true])
    const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length
    assert.equal(count(here.kinds, 'run.moved'), count(there.kinds, 'run.received'))
    const states = await b.sql(
      `SELECT state, count(*)::int FROM waybill.arrivals GROUP BY state ORDER BY state`,
    )
    const owned = states.find(({ state }) => state === 'owned')?.count ?? 0
    assert.equal(owned, count(here.kinds, 'run.moved'))
  })
})
