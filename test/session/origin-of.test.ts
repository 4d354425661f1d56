import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { Records } from '../../src/run/record/records.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import type { CallEntry, OriginCall } from '../../src/run/state.ts'
import { originOf } from '../../src/session/origin-of.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, placed, restored } from '../state/captured.ts'

const FORK = '01a1ffb2-5c00-7000-8000-00000000000f'
const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })
const subagents = ['a', 'b'].map((ref) => ({ ref, alias: ref }))

/** A pipeline of two agents, each of which sends once; the second never gets an answer if `hangs`. */
async function worldOf(t: TestContext, hangs: boolean): Promise<{ world: FamilyWorld; records: Records }> {
  const stopped = new AbortController()
  const says = (who: string) => (request: { readonly messages: readonly unknown[] }) =>
    request.messages.length === 1 ? calls(['1', 'send', { who }]) : `${who} is done`
  const world = await FamilyWorld.open(
    t,
    [
      agent('p', { orchestration: { subagents, pipeline: ['a', 'b'] } }),
      agent('a', { tools: [tool('send')] }),
      agent('b', { tools: [tool('send')] }),
    ],
    {
      tools: {
        send: ({ args }) => {
          if (!hangs || args.who !== 'b') return `sent by ${args.who}`
          stopped.abort()
          return new Promise(() => {})
        },
      },
      says: { a: says('a'), b: says('b') },
    },
  )
  await world.start({ signal: stopped.signal })
  const records = memoryRecords()
  const root = world.program
  const runs = [...world.lines.keys()].map((runId) => {
    const program = programOf(world, runId)
    const alias = program.plan.agent_name
    return {
      header: runHeader(program, runId, {
        ...(runId !== ROOT && { parent: { run_id: ROOT, root_run_id: ROOT, call_id: alias, alias } }),
      }),
      plan: program.plan,
      family: runId === ROOT ? [...root.family.values()].map(({ plan }) => plan) : [],
      first: { type: 'run.started' as const, input: 'go' },
      events: world.events(runId),
    }
  })
  await records.runs.import(runs)
  return { world, records }
}

function programOf(world: FamilyWorld, runId: string): Program {
  const { family } = world.program
  const name = ['a', 'b'].find((alias) => hasRun(world, alias) && world.runOf(alias) === runId)
  return [...family.values()].find(({ plan }) => plan.agent_name === name) ?? world.program
}

function hasRun(world: FamilyWorld, alias: string): boolean {
  return world.events().some(({ decision }) => decision.add?.some(({ agent: made }) => made?.alias === alias))
}

/** Returns the origin for the state of the pipeline after one of its events. */
async function originAt({ world, records }: Awaited<ReturnType<typeof worldOf>>, seq: number) {
  const state = world
    .events()
    .slice(0, seq)
    .reduce(apply, initialState(ROOT, world.program.plan.agent_id, world.program.hash))
  const document = captureOf(world, state)
  const origin = await originOf(records, document)
  assert.ok(origin)
  return { document, origin }
}

const withoutKeys = (calls: readonly OriginCall[]) =>
  calls.map(({ key, ...call }) => {
    assert.match(key ?? '', /:1\.1:1$/)
    return call
  })

describe('what a captured run has sent', () => {
  test('the writes of sub-agents that began after the capture are known by their aliases', async (t) => {
    const { origin } = await originAt(await worldOf(t, false), 1)
    assert.deepEqual(withoutKeys(origin.sentLater.filter(({ path }) => path[0] === 'b')), [
      { path: ['b'], tool: 'send', args: { who: 'b' }, result: 'sent by b' },
    ])
  })

  test('the writes of sub-agents that the state knows, ended or active, are not among those sent later', async (t) => {
    const its = await worldOf(t, false)
    const begun = its.world
      .events()
      .find(({ decision }) => decision.add?.some(({ tool: name }) => name === 'b'))
    const { origin } = await originAt(its, begun?.seq ?? 0)
    // The state has the answer of the first, and the second is in it with a state of its own.
    assert.deepEqual(origin.sentLater, [])
  })

  test('a call that was closed without an answer has no result', async (t) => {
    const { world } = await worldOf(t, false)
    const program = [...world.program.family.values()].find(({ plan }) => plan.agent_name === 'a')
    assert.ok(program)
    const sent: CallEntry = { id: '1', tool: 'send', args: {}, key: 'k', effect: 'once', status: 'sent' }
    const closed: CallEntry = { ...sent, status: 'done', result: 'not known', error: true, unsettled: true }
    const events: readonly RunEvent[] = [
      { seq: 1, at: 1, fact: { type: 'run.started', input: 'go' }, decision: {} },
      { seq: 2, at: 2, fact: { type: 'run.resumed', by: 'x' }, decision: { calls: [sent] } },
      {
        seq: 3,
        at: 3,
        fact: { type: 'turn.interrupted', by: 'x', how: 'interrupt' },
        decision: { closed: [closed] },
      },
    ]
    const records = memoryRecords()
    const first = { type: 'run.started' as const, input: 'go' }
    await records.runs.import([
      { header: runHeader(program, ROOT), plan: program.plan, family: [], first, events },
    ])
    const before = apply(initialState(ROOT, program.plan.agent_id, program.hash), events[0] as RunEvent)
    const origin = await originOf(records, captureOf(world, before))
    assert.deepEqual(origin?.sentLater, [{ path: [], tool: 'send', args: {}, key: 'k' }])
    assert.deepEqual(origin?.answer('k'), { sent: true })
  })

  test('a write whose answer is not on record has no result', async (t) => {
    const { origin } = await originAt(await worldOf(t, true), 1)
    assert.deepEqual(withoutKeys(origin.sentLater.filter(({ path }) => path[0] === 'b')), [
      { path: ['b'], tool: 'send', args: { who: 'b' } },
    ])
  })

  test('a fork of the pipeline puts such a write to a person, and uses the answers that are on record', async (t) => {
    const its = await worldOf(t, true)
    const { document, origin } = await originAt(its, 1)
    const family = restored(document, its.world.program, { runId: FORK, fork: true, origin })
    const next = placed(its.world, family)
    const before = next.sent.length
    const ended = await next.driveRun(FORK)
    assert.equal(ended.status, 'waiting')
    assert.equal(next.sent.length, before, 'nothing is sent again')
    const child = next.stateOf(
      ended.calls[0]?.agent?.run_id ?? '',
      programOf(its.world, its.world.runOf('b')),
    )
    assert.deepEqual(
      child.calls.map(({ tool: name, status }) => [name, status]),
      [['send', 'unknown']],
    )
  })

  test('nothing is known of a run that is not here, or of a state of another platform', async (t) => {
    const { world } = await worldOf(t, false)
    const document = captureOf(world, world.stateOf(ROOT))
    assert.equal(await originOf(memoryRecords(), document), undefined)
    const { 'x-waybill': _member, ...foreign } = document
    assert.equal(await originOf(memoryRecords(), foreign as typeof document), undefined)
  })
})
