import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { drive } from '../../../src/run/drive/drive.ts'
import { FINISHES, type Finish } from '../../../src/run/finish.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import type { ModelPort } from '../../../src/run/ports.ts'
import { encodeEvent } from '../../../src/run/record/event-line.ts'
import { resultOf } from '../../../src/run/result.ts'
import { portsOf, programOf, toolsOf } from '../../run/fixture.ts'
import { doubled, eventStream, type Reported, responseOf, sse, WIRES, type Wire } from './wire-doubles.ts'

const CASES = 2000

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function pick<T>(random: () => number, list: readonly T[]): T {
  assert.ok(list.length > 0)
  return list[Math.floor(random() * list.length)] as T
}

/** The members without which there is no answer. All others are optional. */
const NEEDED = new Set(
  'choices message delta content tool_calls function name arguments finish_reason type content_block text input partial_json stop_reason candidates parts functionCall args finishReason'.split(
    ' ',
  ),
)

interface Place {
  readonly owner: Record<string, Json>
  readonly name: string
}

function placesIn(value: Json, isOptional: (name: string, owner: JsonObject) => boolean): Place[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, isOptional))
  if (typeof value !== 'object' || value === null) return []
  const owner = value as Record<string, Json>
  return Object.keys(owner).flatMap((name) => {
    if (name === 'args' || name === 'input') return isOptional(name, owner) ? [{ owner, name }] : []
    return [
      ...(isOptional(name, owner) ? [{ owner, name }] : []),
      ...placesIn(owner[name] ?? null, isOptional),
    ]
  })
}

const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json

const OTHERS: readonly (() => Json)[] = [
  () => null,
  () => 7,
  () => -1,
  () => 1e308,
  () => 0.5,
  () => true,
  () => '',
  () => 'other',
  () => 'x'.repeat(20_000),
  () => [],
  () => [null],
  () => ({}),
  () => ({ a: [{ b: null }] }),
  () => deep(600),
]

/** Makes one place odd: null, absent, of another type, twice, or huge. */
function makeOdd({ owner, name }: Place, random: () => number): void {
  const before = owner[name] ?? null
  const how = random()
  if (how < 0.2) delete owner[name]
  else if (how < 0.35) owner[name] = [before, before]
  else owner[name] = pick(random, OTHERS)()
}

/** Adds a member that the API does not have, or that it has at another time. */
function addOdd(root: JsonObject, random: () => number): void {
  const added = [
    'x_extra',
    'error',
    'logprobs',
    'annotations',
    'reasoning',
    'reasoning_details',
    'safetyRatings',
  ]
  const name = pick(random, added)
  const value = name === 'error' ? null : pick(random, OTHERS)()
  const owners = placesIn(root, () => true).map(({ owner }) => owner)
  if (owners.length > 0) pick(random, owners)[name] = value
}

const ODD_EVENTS: readonly Json[] = [
  null,
  {},
  [],
  7,
  'text',
  { choices: null },
  { choices: [] },
  { type: 'ping' },
  { usage: null },
]

interface Case {
  readonly wire: Wire
  readonly streamed: boolean
  readonly reported: Reported
  readonly finish: Finish
  /** Only optional members are odd, so the answer is complete. */
  readonly complete: boolean
  readonly response: () => Response
}

function caseOf(seed: number): Case {
  const random = randomOf(seed)
  const wire = WIRES[seed % WIRES.length] ?? assert.fail()
  const streamed = random() < 0.5
  const complete = random() < 0.7
  const [reason, meaning] = pick(random, Object.entries(wire.reasons))
  const finish = (meaning === 'failed' ? 'error' : meaning) as Finish
  const calls =
    random() < 0.5
      ? [
          { id: 'call_a', tool: 'send', input: '{"x":1}' },
          { id: 'call_b', tool: 'send', input: '{"x":2}' },
        ]
      : []
  const reported: Reported = { text: 'hello there', calls, finish: reason }
  const bodies = structuredClone(streamed ? wire.events(reported) : [wire.whole(reported)]) as JsonObject[]
  const isOptional = (name: string) => !complete || !NEEDED.has(name)
  const places = placesIn(bodies, isOptional).filter(
    // A message may be reported from an error, and a call from a text, by these only.
    ({ owner, name }) => !complete || name !== 'object' || owner.object !== 'error',
  )
  for (let n = 1 + Math.floor(random() * 3); n > 0; n--) {
    const place = pick(random, places)
    if (Object.hasOwn(place.owner, place.name)) makeOdd(place, random)
  }
  if (random() < 0.4) addOdd(pick(random, bodies), random)
  const events: Json[] = [...bodies]
  if (streamed && random() < 0.4)
    events.splice(Math.floor(random() * (events.length + 1)), 0, pick(random, ODD_EVENTS))
  const last = random() < 0.3 ? '' : wire.last
  const response = () => (streamed ? eventStream(sse(events, last)) : Response.json(bodies[0]))
  return { wire, streamed, reported, finish, complete, response }
}

const program = programOf({ runtime: { max_retries: 1 }, model: { provider: 'openai', preferred: 'm' } })

async function runOn({ wire, streamed, response }: Case) {
  const sent: Json[] = []
  const [normal = null] = Object.entries(wire.reasons).find(([, finish]) => finish === 'stop') ?? []
  const { port, bodies } = doubled((count) =>
    count === 1 ? response() : responseOf(wire, { text: 'done', finish: normal }, streamed),
  )
  const asked: ModelPort = { ask: (request, options) => port.ask({ ...request, route: wire.route }, options) }
  const ports = portsOf(
    asked,
    toolsOf({
      send: (args) => {
        sent.push(args)
        return 'sent'
      },
    }),
  )
  const begin = initialState('run-1', program.plan.agent_id, program.hash)
  const options = streamed ? { onText: () => {} } : {}
  const state = await drive(program, begin, { type: 'run.started', input: 'go' }, ports, options)
  for (const event of ports.events) JSON.parse(encodeEvent(event))
  const failures = ports.events.flatMap(({ fact }) =>
    fact.type === 'model.failed' ? [`${fact.code} ${fact.message}`] : [],
  )
  return { sent, failures, result: resultOf(program.plan, state), asked: bodies.length }
}

async function check(given: Case): Promise<void> {
  const { reported, finish, complete } = given
  const { sent, failures, result, asked } = await runOn(given)
  assert.notEqual(result.error?.code, 'INTERNAL')
  // A fault of a reader would be a failure of the provider.
  assert.doesNotMatch(
    failures.join('\n'),
    /MODEL_ERROR|Cannot|not a function|not iterable|undefined|call stack/,
  )
  const { calls, text } = FINISHES[finish]
  const hasCalls = (reported.calls ?? []).length > 0
  if (!complete) {
    // A reason that was made odd may be an ordinary one.
    for (const args of sent) assert.ok(typeof args === 'object')
    return
  }
  assert.deepEqual(sent, calls === 'made' && hasCalls ? [{ x: 1 }, { x: 2 }] : [])
  if (text === 'withheld') assert.deepEqual([result.status, asked], ['failed', 1])
  else if (text === 'failed') assert.deepEqual([result.output, asked, failures.length], ['done', 2, 1])
  else assert.deepEqual([result.output, asked], hasCalls ? ['done', 2] : ['hello there', 1])
}

describe('AAIF §4.2 generated odd answers of models', () => {
  for (const wire of WIRES) {
    test(`AAIF-4.2-14: the answers of ${wire.name}: none is a fault, a complete one is read, and no call of a cut one is made`, async () => {
      let seen = 0
      for (let seed = WIRES.indexOf(wire); seed < CASES; seed += WIRES.length) {
        const given = caseOf(seed)
        seen += 1
        try {
          await check(given)
        } catch (error) {
          const { streamed, complete, reported, response } = given
          const about = JSON.stringify({ seed, streamed, complete, reported })
          throw new Error(`${about}\n${(await response().text()).slice(0, 3000)}`, { cause: error })
        }
      }
      assert.ok(seen > 200, String(seen))
    })
  }

  test('an answer that is cut makes no call, whatever else of it is odd', async () => {
    let seen = 0
    for (let seed = 1; seed <= CASES; seed++) {
      const given = caseOf(seed)
      const { wire, finish, streamed, reported } = given
      if (FINISHES[finish].calls === 'made' || (reported.calls ?? []).length === 0) continue
      // The reason stays as it was.
      const random = randomOf(seed)
      const bodies = structuredClone(
        streamed ? wire.events(reported) : [wire.whole(reported)],
      ) as JsonObject[]
      const reasons = new Set([
        'finish_reason',
        'stop_reason',
        'finishReason',
        'choices',
        'candidates',
        'type',
        'delta',
      ])
      for (const place of [0, 1, 2].map(() =>
        pick(
          random,
          placesIn(bodies, (name) => !reasons.has(name)),
        ),
      ))
        if (Object.hasOwn(place.owner, place.name)) makeOdd(place, random)
      const response = () => (streamed ? eventStream(sse(bodies, wire.last)) : Response.json(bodies[0]))
      const { sent } = await runOn({ ...given, response })
      assert.deepEqual(sent, [], `${seed} ${wire.name} ${JSON.stringify(bodies).slice(0, 2000)}`)
      seen += 1
      if (seen === 150) break
    }
    assert.equal(seen, 150)
  })
})
