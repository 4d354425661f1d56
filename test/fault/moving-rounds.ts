import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { until } from '../platform/leg-place.ts'
import { movingSite } from '../platform/moving-site.ts'
import { AGENT, definitionOf } from '../platform/organisation.ts'
import { timesOf } from './fault-site.ts'
import { type MoveStep, moveBarrier } from './move-barrier.ts'
import type { MessageFault } from './move-relay.ts'
import { ownerOf, settledMove } from './settled-move.ts'

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

type Side = 'a' | 'b'

interface Fault {
  readonly name: string
  /** What happens to a message: of the dry run, of the import, or of the withdrawal that follows a refused import. */
  readonly message?: MessageFault
  readonly of?: 'dry run' | 'import' | 'withdrawal'
  /** What becomes of the lines of a stream. */
  readonly lines?: (lines: readonly string[]) => readonly string[]
  readonly isHarmless?: true
  /** A step that waits inside of its transaction when the process is killed, or its connection is cut. */
  readonly step?: MoveStep
  /** The processes that are killed: at the step, at the message, else at a random moment. */
  readonly kill?: 'a' | 'b' | 'ab'
  /** The message at which they are killed has not arrived, or was answered. */
  readonly at?: 'before' | 'after'
}

const STEPS: readonly (readonly [step: MoveStep, side: Side])[] = [
  ['begin', 'a'],
  ['freeze', 'a'],
  ['capture', 'a'],
  ['arrive', 'b'],
  ['give away', 'a'],
  ['withdraw', 'a'],
  ['refuse', 'b'],
  ['take back', 'a'],
]
/** These follow a refused import. */
const TAKES_BACK: readonly MoveStep[] = ['withdraw', 'refuse', 'take back']
const SIDES = { a: 'the sender', b: 'the receiver', ab: 'both' } as const
const OF = ['dry run', 'import', 'withdrawal'] as const

/** Every step of both protocols, and every message between them, with every fault that can happen there. */
const ALL: readonly Fault[] = [
  ...STEPS.flatMap(([step, side]): readonly Fault[] => [
    { name: `${step}: ${SIDES[side]} is killed`, step, kill: side },
    { name: `${step}: both are killed`, step, kill: 'ab' },
    { name: `${step}: the other side is killed`, step, kill: side === 'a' ? 'b' : 'a' },
    { name: `${step}: the connection to its database is cut`, step },
  ]),
  ...OF.flatMap((of): readonly Fault[] =>
    (['before', 'after'] as const).flatMap((at) =>
      (['a', 'b'] as const).map((kill) => {
        const moment = at === 'before' ? 'before it arrives' : 'before its answer arrives'
        return { name: `${of}: ${SIDES[kill]} is killed ${moment}`, of, at, kill }
      }),
    ),
  ),
  ...OF.flatMap((of) => MESSAGES.map((message) => ({ name: `${of}: ${message}`, of, message }))),
  { name: 'import: refused, arrives first', of: 'import', message: 'refused, arrives first' },
  { name: 'import: refused, arrives after the withdrawal', of: 'import', message: 'refused, arrives later' },
  ...(['a', 'b', 'ab'] as const).map((kill) => ({ name: `${SIDES[kill]}: killed at a random moment`, kill })),
  { name: 'stream: it ends after its first line', lines: (lines) => lines.slice(0, 1) },
  { name: 'stream: it ends before its last line', lines: (lines) => lines.slice(0, -1) },
  { name: 'stream: a line is lost', lines: ([first, _lost, ...rest]) => [first ?? '', ...rest] },
  {
    name: 'stream: a line is repeated',
    lines: ([first, one, ...rest]) => [first, one, one, ...rest].map(String),
  },
  {
    name: 'stream: lines of two kinds are exchanged, which forms the same state',
    isHarmless: true,
    lines: ([first, one, two, ...rest]) => [first, two, one, ...rest].map(String),
  },
  {
    name: 'stream: the first line is repeated',
    lines: ([first, ...rest]) => [first, first, ...rest].map(String),
  },
  {
    name: 'stream: its last line comes first',
    lines: (lines) => [lines.at(-1), ...lines.slice(0, -1)].map(String),
  },
]
/** Any number of rounds gets faults of all kinds: the stride has no factor in common with their number. */
const STRIDE = 31
const FAULTS = ALL.map((_, n) => ALL[(n * STRIDE) % ALL.length] ?? assert.fail())

/** Whether a fault cannot be seen unless the import is refused. */
const isTakenBack = ({ step, of }: Fault) =>
  of === 'withdrawal' || (step !== undefined && TAKES_BACK.includes(step))

const seen = new Map<string, { moved: number; kept: number }>()
after(() => {
  for (const [fault, { moved, kept }] of seen)
    process.stdout.write(`${fault}: ${moved} moved, ${kept} kept\n`)
})

/** Moves a run in each round, with one fault. */
export async function moveUnderFaults(t: TestContext, rounds: number): Promise<void> {
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

  const barriers = { a: await moveBarrier(t, a), b: await moveBarrier(t, b) }
  assert.equal(new Set(FAULTS).size, ALL.length, 'the stride leaves faults out')

  for (let round = 0; round < rounds; round++) {
    const fault: Fault = FAULTS[round % FAULTS.length] ?? assert.fail()
    await t.test(`round ${round}: ${fault.name}`, async (own) => {
      const { step, of, at, message, kill, lines } = fault
      const to = `person-${round}`
      const isOdd = (round + Math.floor(round / FAULTS.length)) % 2 === 1
      const method = lines !== undefined || isOdd ? 'stream' : 'document'
      // Every third run is under way when it is moved: it looks slowly, and may end before it is paused.
      const isDriven = round % 3 === 2 && message !== undefined
      const input = isDriven ? { tool: 'look', n: 800 } : { tool: 'send', to }
      const { run_id: run } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: JSON.stringify(input),
      })
      if (!isDriven) await a.reaches(run, 'awaiting_approval')
      const keys = (await a.send('GET', '/.well-known/jwks.json')).json
      const takesBack = isTakenBack(fault)
      // A round that fails does no harm to the next one.
      own.after(async () => {
        relay.faults.length = 0
        await Promise.all([barriers.a.lower(), barriers.b.lower()])
        if (takesBack) await b.pin(a, { keys })
      })
      if (takesBack) await b.pin(a, { keys: (await b.send('GET', '/.well-known/jwks.json')).json })
      const killed = { a: [a], b: [b], ab: [a, b] }[kill ?? 'a']
      const die = () => Promise.all(killed.map((platform) => platform.closeServer('SIGKILL')))
      const live = () => Promise.all(killed.map((platform) => platform.openServer()))

      const happened = Promise.withResolvers<void>()
      if (of !== undefined || lines !== undefined) {
        const [method, path] = {
          'dry run': ['POST', /^\/v1\/states\?dry_run/] as const,
          import: ['POST', /^\/v1\/(?:states|handoff)$/] as const,
          withdrawal: ['DELETE', /^\/v1\/migrations\//] as const,
        }[of ?? 'import']
        const dies = async () => {
          await die()
          happened.resolve()
        }
        relay.faults.push({
          method,
          path,
          fault: message ?? 'hold',
          ...(at !== undefined && { [at]: dies }),
          ...(message === 'refused, arrives later' && { after: () => settledMove(a, run) }),
          ...(lines !== undefined && {
            edit: (body: Buffer) => Buffer.from(edited(body.toString(), lines)),
          }),
        })
      }
      const side = STEPS.find(([one]) => one === step)?.[1] ?? 'a'
      if (step !== undefined) await barriers[side].raise(step)
      const applied = relay.applied
      const moving = a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', method }).catch(() => undefined)
      if (step !== undefined) {
        await barriers[side].reached()
        if (kill === undefined) await barriers[side].cut()
        else await die()
        await barriers[side].lower()
        if (kill !== undefined) await live()
      } else if (at !== undefined) {
        await happened.promise
        await live()
      } else if (kill !== undefined) {
        const begun = () => a.sql('SELECT 1 FROM waybill.moves WHERE run_id = $1', [run])
        await until(async () => (await begun()).length > 0)
        await sleep(random() * 150)
        await die()
        await sleep(random() * 200)
        await live()
      }
      await moving
      const [last] = await settledMove(a, run)
      await relay.settled()
      // A run that ends before it is paused stays where it is, and nothing is sent.
      const hasEnded = last?.code === 'RUN_ENDED' || (isDriven && last === undefined)
      if ((of !== undefined || lines !== undefined) && !hasEnded)
        assert.ok(relay.applied > applied, 'the fault was not applied')
      const { target, isMoved } = await ownerOf(a, b, run, last)
      assert.equal(isMoved, last?.phase === 'moved', 'the sender and the receiver disagree')
      const isRefused = takesBack || lines !== undefined || message === 'refused, arrives later'
      if (isRefused) assert.equal(isMoved, fault.isHarmless === true)
      if (step === 'arrive' || step === 'give away' || message === 'refused, arrives first')
        assert.equal(isMoved, true)
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
}

/** Changes the lines of a stream. */
function edited(text: string, change: (lines: readonly string[]) => readonly string[]): string {
  const lines = text.split('\n').filter(Boolean)
  assert.ok(lines.length >= 4, `${lines.length} lines`)
  return change(lines)
    .map((line) => `${line}\n`)
    .join('')
}
