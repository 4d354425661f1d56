import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MovePhase } from '../../src/run/record/move-records.ts'
import {
  type ArrivalRequest,
  type ArrivalState,
  arrivalAfter,
  type MoveAnswer,
  phaseAfter,
  phaseAfterFetch,
  requestIn,
  senderOwns,
} from '../../src/state/migration-protocol.ts'

/** Both hosts, what is on the wire, and how often the world may still misbehave. */
interface World {
  /** The receiver has no URL: it fetches the state, and reports what it has decided. */
  readonly pull: boolean
  readonly phase: MovePhase
  readonly row: ArrivalState
  readonly expired: boolean
  /** Sorted. */
  readonly requests: readonly ArrivalRequest[]
  readonly answers: readonly MoveAnswer[]
  readonly crashes: number
  readonly copies: number
}

const START: World = {
  pull: false,
  phase: 'pausing',
  row: null,
  expired: false,
  requests: [],
  answers: [],
  crashes: 2,
  copies: 2,
}

/** Messages of each kind that are on the wire at a time: more add no new behaviour. */
const WIRE = 3

interface Machine {
  readonly arrivalAfter: typeof arrivalAfter
  readonly phaseAfter: typeof phaseAfter
  readonly phaseAfterFetch: typeof phaseAfterFetch
  readonly requestIn: typeof requestIn
}

const sorted = <T>(list: readonly T[]): readonly T[] =>
  [...list].sort((a, b) => String(a).localeCompare(String(b)))
const without = <T>(list: readonly T[], index: number): readonly T[] => list.filter((_, at) => at !== index)
const keyOf = (world: World): string => JSON.stringify(world)

/** Returns every world that one step leads to: a message, a crash, a loss, a copy, or the end of the token's time. */
function steps(
  world: World,
  { arrivalAfter, phaseAfter, phaseAfterFetch, requestIn }: Machine,
): readonly World[] {
  const { pull, phase, row, expired, requests, answers, crashes, copies } = world
  const next: World[] = []
  const add = (changed: Partial<World>): void => {
    const merged = { ...world, ...changed }
    next.push({ ...merged, requests: sorted(merged.requests), answers: sorted(merged.answers) })
  }
  if (phase === 'pausing') {
    add({ phase: pull ? 'offered' : 'sending' })
    add({ phase: 'kept' })
  }
  if (pull) {
    // A fetch arrives. Its phase is stored before it is answered, and the answer is a request to the receiver.
    const fetched = phaseAfterFetch(phase, expired)
    const request = requestIn(fetched)
    if (request !== null && requests.length < WIRE) add({ phase: fetched, requests: [...requests, request] })
    add({ phase: fetched })
    // The receiver gives up, and reports its row, as often as it likes.
    add({ row: arrivalAfter(row, 'withdraw') })
    if (row !== null && answers.length < WIRE) add({ answers: [...answers, row] })
  }
  const request = pull ? null : requestIn(phase)
  if (request !== null && requests.length < WIRE) add({ requests: [...requests, request] })
  if (!expired) add({ expired: true })
  // Time alone makes the sender withdraw.
  if (expired) add({ phase: phaseAfter(phase, 'nothing', true) })
  for (const [index, one] of requests.entries()) {
    const left = without(requests, index)
    const results: readonly (readonly [ArrivalState, MoveAnswer])[] =
      one === 'import' && row === null
        ? [
            // The receiver may refuse what it has verified, and refuses an expired token.
            [null, pull ? 'nothing' : 'rejected'],
            ...(expired ? [] : [[arrivalAfter(row, one), arrivalAfter(row, one)] as const]),
          ]
        : [[arrivalAfter(row, one), arrivalAfter(row, one)]]
    for (const [after, answer] of results) {
      if (answers.length < WIRE) add({ requests: left, row: after, answers: [...answers, answer] })
      // The receiver crashes after its transaction, or the answer is lost.
      add({ requests: left, row: after })
      if (copies > 0 && answers.length < WIRE)
        add({ row: after, answers: [...answers, answer], copies: copies - 1 })
    }
    // The request is lost.
    add({ requests: left })
  }
  for (const [index, answer] of answers.entries()) {
    const left = without(answers, index)
    add({ answers: left, phase: phaseAfter(phase, answer, expired) })
    if (copies > 0) add({ phase: phaseAfter(phase, answer, expired), copies: copies - 1 })
    add({ answers: left })
  }
  // A crash of the sender loses the answers, one of the receiver the requests. Phases and rows are stored.
  if (crashes > 0) {
    add({ answers: [], crashes: crashes - 1 })
    add({ requests: [], crashes: crashes - 1 })
  }
  return next
}

function explore(
  machine: Machine,
  start: World = START,
): {
  readonly worlds: ReadonlyMap<string, World>
  readonly before: ReadonlyMap<string, readonly string[]>
  readonly broken: World | undefined
} {
  const worlds = new Map([[keyOf(start), start]])
  const before = new Map<string, string[]>()
  const queue = [start]
  for (const world of queue) {
    if (senderOwns(world.phase) && world.row === 'owned') return { worlds, before, broken: world }
    for (const next of steps(world, machine)) {
      // The receiver may have run it already: a row that changes takes the run from its owner.
      if (world.row !== null && next.row !== world.row) return { worlds, before, broken: next }
      const key = keyOf(next)
      before.set(key, [...(before.get(key) ?? []), keyOf(world)])
      if (worlds.has(key)) continue
      worlds.set(key, next)
      queue.push(next)
    }
  }
  return { worlds, before, broken: undefined }
}

const isDecided = ({ phase, row }: World): boolean =>
  (phase === 'moved' && row === 'owned') || (phase === 'kept' && row !== 'owned')

/** Returns the worlds from which no way leads to one owner that both hosts know. */
function stuck({ worlds, before }: ReturnType<typeof explore>): readonly World[] {
  const reached = new Set<string>()
  const queue = [...worlds].filter(([, world]) => isDecided(world)).map(([key]) => key)
  for (const key of queue) {
    if (reached.has(key)) continue
    reached.add(key)
    queue.push(...(before.get(key) ?? []))
  }
  return [...worlds].filter(([key]) => !reached.has(key)).map(([, world]) => world)
}

const REAL: Machine = { arrivalAfter, phaseAfter, phaseAfterFetch, requestIn }
/** Fewer copies and crashes: a receiver that fetches makes many more worlds. */
const PULL: World = { ...START, pull: true, copies: 1, crashes: 1 }

describe('the protocol of a migration', () => {
  test('never has two owners, in any order of messages, with two crashes and two copies', () => {
    const { broken, worlds } = explore(REAL)
    assert.equal(broken, undefined)
    assert.ok(worlds.size > 1000, `${worlds.size} worlds`)
  })

  test('leads from every world to one owner that both hosts agree about', () => {
    assert.deepEqual(stuck(explore(REAL)), [])
  })

  test('does not change after it is decided', () => {
    for (const world of explore(REAL).worlds.values()) {
      if (world.phase !== 'moved' && world.phase !== 'kept') continue
      for (const next of steps(world, REAL)) assert.equal(next.phase, world.phase)
    }
  })

  test('never has two owners if the receiver fetches the state, and leads to one', () => {
    const explored = explore(REAL, PULL)
    assert.equal(explored.broken, undefined)
    assert.ok(explored.worlds.size > 1000, `${explored.worlds.size} worlds`)
    assert.deepEqual(stuck(explored), [])
    for (const world of explored.worlds.values())
      if (world.phase === 'kept' || world.phase === 'moved')
        for (const next of steps(world, REAL)) assert.equal(next.phase, world.phase)
  })

  for (const [what, machine] of Object.entries<Machine>({
    'a sender that stores nothing before it answers a fetch': {
      ...REAL,
      phaseAfterFetch: (phase) => phase,
      requestIn: (phase) => (phase === 'offered' ? 'import' : requestIn(phase)),
    },
    'a sender that takes back what was fetched, when the token has expired': {
      ...REAL,
      phaseAfter: (phase, answer, expired) =>
        expired && phase === 'sending' ? 'kept' : phaseAfter(phase, answer, expired),
    },
    'a receiver that fetches and imports after it has given up': {
      ...REAL,
      arrivalAfter: (row, request) => (request === 'import' ? 'owned' : arrivalAfter(row, request)),
    },
  }))
    test(`the check finds ${what}, if the receiver fetches`, () => {
      assert.notEqual(explore(machine, PULL).broken, undefined)
    })

  test('the check finds a receiver that fetches and never reports', () => {
    const deaf: Machine = {
      ...REAL,
      phaseAfter: (phase, _answer, expired) => phaseAfter(phase, 'nothing', expired),
    }
    assert.notDeepEqual(stuck(explore(deaf, PULL)), [])
  })

  for (const [what, machine] of Object.entries<Machine>({
    'a sender that takes the run back after a rejection': {
      ...REAL,
      phaseAfter: (phase, answer, expired) =>
        answer === 'rejected' && phase === 'sending' ? 'kept' : phaseAfter(phase, answer, expired),
    },
    'a sender that takes the run back when the token has expired': {
      ...REAL,
      phaseAfter: (phase, answer, expired) =>
        expired && phase === 'sending' ? 'kept' : phaseAfter(phase, answer, expired),
    },
    'a receiver that imports after a withdrawal': {
      ...REAL,
      arrivalAfter: (row, request) => (request === 'import' ? 'owned' : arrivalAfter(row, request)),
    },
    'a receiver that withdraws after an import': {
      ...REAL,
      arrivalAfter: (row, request) => (request === 'withdraw' ? 'refused' : arrivalAfter(row, request)),
    },
  }))
    test(`the check finds ${what}`, () => {
      assert.notEqual(explore(machine).broken, undefined)
    })

  test('the check finds a sender that waits for ever', () => {
    const waits: Machine = { ...REAL, phaseAfter: (phase) => phase }
    assert.notDeepEqual(stuck(explore(waits)), [])
  })

  const FETCHES: readonly (readonly [MovePhase, boolean, MovePhase])[] = [
    ['pausing', false, 'pausing'],
    ['pausing', true, 'pausing'],
    ['offered', false, 'sending'],
    ['offered', true, 'kept'],
    ['sending', false, 'sending'],
    ['sending', true, 'withdrawing'],
    ['withdrawing', false, 'withdrawing'],
    ['withdrawing', true, 'withdrawing'],
    ['moved', true, 'moved'],
    ['kept', false, 'kept'],
  ]
  for (const [phase, expired, after] of FETCHES)
    test(`${phase}, a fetch${expired ? ', expired' : ''}: ${after}`, () => {
      assert.equal(phaseAfterFetch(phase, expired), after)
    })

  test('only a run that is not frozen, or was kept, may run', () => {
    const all: readonly MovePhase[] = ['pausing', 'offered', 'sending', 'withdrawing', 'moved', 'kept']
    assert.deepEqual(all.filter(senderOwns), ['pausing', 'kept'])
    assert.deepEqual(all.map(requestIn), [null, null, 'import', 'withdraw', null, null])
  })

  const PHASES: readonly (readonly [MovePhase, MoveAnswer, boolean, MovePhase])[] = [
    ['pausing', 'owned', true, 'pausing'],
    ['offered', 'owned', false, 'moved'],
    ['offered', 'refused', false, 'kept'],
    ['offered', 'rejected', false, 'offered'],
    ['offered', 'nothing', false, 'offered'],
    ['offered', 'nothing', true, 'kept'],
    ['sending', 'owned', false, 'moved'],
    ['sending', 'refused', false, 'kept'],
    ['sending', null, false, 'sending'],
    ['sending', null, true, 'withdrawing'],
    ['sending', 'nothing', false, 'sending'],
    ['sending', 'nothing', true, 'withdrawing'],
    ['sending', 'rejected', false, 'withdrawing'],
    ['withdrawing', 'nothing', false, 'withdrawing'],
    ['withdrawing', 'refused', true, 'kept'],
    ['withdrawing', 'owned', true, 'moved'],
    ['moved', 'refused', true, 'moved'],
    ['kept', 'owned', true, 'kept'],
  ]
  for (const [phase, answer, expired, after] of PHASES)
    test(`${phase}, answer ${answer}${expired ? ', expired' : ''}: ${after}`, () => {
      assert.equal(phaseAfter(phase, answer, expired), after)
    })
})
