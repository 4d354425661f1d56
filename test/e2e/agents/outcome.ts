import assert from 'node:assert/strict'
import type { RunEvent } from '../../../src/run/event.ts'
import type { RunResult } from '../../../src/run/result.ts'
import { readTrace } from '../../../src/run/trace/read-trace.ts'
import type { Place } from '../../cli/fixture.ts'
import { toolsModule } from '../../fault/kill-process.ts'
import type { AgentCase } from './case.ts'
import { treeOf } from './span-tree.ts'
import type { AgentWorld } from './world.ts'

/** Writes the agents of a case into a folder, and returns the command line that starts the first of them. */
export function commandLine({ players, input = 'go' }: AgentCase, place: Place, world: AgentWorld): string[] {
  for (const [name, { members, says }] of Object.entries(players)) {
    const model = { provider: 'custom', provider_id: 'test', preferred: name, base_url: world.models }
    const agent = {
      name,
      goal: `Be ${name}.`,
      runtime: { max_retries: 0 },
      ...(says && { model }),
      ...members,
    }
    place.write(`${name}.json`, JSON.stringify({ sc_standard: 'SC-006', agent }))
  }
  place.write('tools.mjs', toolsModule(world.ledger))
  const [head = ''] = Object.keys(players)
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const models = ['--allow-host', new URL(world.models).host]
  return ['run', `${head}.json`, '--tools', 'tools.mjs', '--input', text, ...OWNER, ...models]
}

const OWNER = ['--user', 'ada', '--session', 's1']

/** Returns the ids of root runs. */
export async function rootsOf(place: Place): Promise<readonly string[]> {
  const { items } = await place.withHome(({ runs }) => runs.list({ roots: true }))
  return items.map(({ run_id }) => run_id)
}

/** Checks the outcome of a run, with or without kills. */
export async function assertOutcome(
  its: AgentCase,
  result: RunResult,
  place: Place,
  world: AgentWorld,
  killed = false,
): Promise<void> {
  assert.equal(result.status, its.error === undefined ? 'completed' : 'failed')
  assert.equal(result.error?.code, its.error)
  assert.deepEqual(result.output, its.output ?? null)
  const raced = killed ? (its.race ?? []) : []
  assertWrites(its, world, raced)
  await assertEvents(its, place, result.run_id, raced)
  assertRequests(its, world)
  if (raced.length > 0) return
  assert.deepEqual(result.warnings.map(({ code }) => code).sort(), its.warnings ?? [])
  assert.equal(treeOf(await recordedSpans(place, result.run_id)), its.spans)
}

/** @param raced agents whose writes may be missing, because they were stopped before */
function assertWrites({ players, wrote }: AgentCase, world: AgentWorld, raced: readonly string[]): void {
  const names = Object.keys(players)
  for (const [n, times] of world.writes)
    assert.equal(times, 1, `the write of ${names[n]} took effect ${times} times`)
  for (const [n, keys] of world.keys) assert.equal(keys.size, 1, `${names[n]} wrote under several keys`)
  const written = names.filter((_, n) => world.writes.has(n))
  const sure = (name: string) => !raced.includes(name)
  assert.deepEqual(written.filter(sure).sort(), wrote.filter(sure).sort())
}

/** @param raced agents whose progress, and whose order in the parent's record, differ from run to run */
async function assertEvents(
  { players, events }: AgentCase,
  place: Place,
  root: string,
  raced: readonly string[],
): Promise<void> {
  const [head] = Object.keys(players)
  const seen = new Set<string>()
  for (const id of await place.runIds()) {
    const { header } = await place.withHome(({ runs }) => runs.read(id))
    const name = header.agent_name
    assert.equal(header.parent?.root_run_id ?? id, root)
    assert.ok(!seen.has(name), `${name} has two records`)
    seen.add(name)
    if (raced.includes(name) || (raced.length > 0 && name === head)) continue
    assert.equal(
      typesOf(await place.events(id)),
      events[name] ?? players[name]?.events,
      `the events of ${name}`,
    )
  }
}

function assertRequests({ lastRequests = {} }: AgentCase, world: AgentWorld): void {
  for (const [name, { roles, holds = [], lacks = [] }] of Object.entries(lastRequests)) {
    const { messages = [] } = world.lastAsked(name) ?? {}
    assert.equal(messages.map(({ role }) => role).join(' '), roles)
    const said = JSON.stringify(messages)
    for (const text of holds) assert.ok(said.includes(text), `${name} was not given ${text}`)
    for (const text of lacks) assert.ok(!said.includes(text), `${name} was given ${text}`)
  }
}

/**
 * Returns the types of a record's events as if the process had not been killed: resumes are left out, and a
 * person's decision about a call with unknown outcome is replaced by the answer. Calls of one round are answered in
 * any order.
 */
function typesOf(events: readonly RunEvent[]): string {
  const types: string[] = []
  let round: string[] = []
  for (const { fact, decision } of events) {
    if (fact.type === 'run.resumed' || fact.type === 'call.held') continue
    if (fact.type === 'person.decided' && fact.verdict === 'resend') continue
    round.push(fact.type === 'person.decided' ? 'call.answered' : fact.type)
    const { add, replace, settle, clear, calls } = decision
    if (
      fact.type.startsWith('call.') &&
      [add, replace, settle, clear, calls].every((part) => part === undefined)
    )
      continue
    types.push(...round.sort())
    round = []
  }
  return [...types, ...round.sort()].join(' ')
}

async function recordedSpans(place: Place, root: string) {
  const { spans } = await place.withHome((home) => readTrace(home, root))
  return spans
    .filter(({ error }) => error !== 'interrupted')
    .map(({ span_id, parent_id, name, start, attributes, error }) => ({
      id: span_id,
      parent: parent_id,
      name,
      start,
      attributes,
      failed: error !== undefined,
    }))
}
