import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { RunResult } from '../../src/run/result.ts'
import { Place, start, waybill } from '../cli/fixture.ts'
import type { AgentCase } from '../e2e/agents/case.ts'
import { AGENT_CASES } from '../e2e/agents/cases.ts'
import { assertOutcome, commandLine, rootsOf } from '../e2e/agents/outcome.ts'
import { type AgentWorld, openAgentWorld } from '../e2e/agents/world.ts'
import type { Started } from '../started-process.ts'

/** Number of kills that must hit a live run, over all cases; the long form is `npm run fault:kill`. */
const KILLS = Number(process.env.WAYBILL_KILLS ?? 2 * AGENT_CASES.length)
const SEED = Number(process.env.WAYBILL_SEED ?? 20261122)

const tally = { kills: 0, runs: 0, resumes: 0, unknown: 0 }
after(() => {
  process.stdout.write(
    `${tally.kills} kills in ${tally.runs} runs, ${tally.resumes} resumes, ${tally.unknown} writes of unknown fate\n`,
  )
})

describe('AAIF-8-01: orchestrated agents that are killed have the same result, and write once', {
  concurrency: 2,
}, () => {
  for (const [index, its] of AGENT_CASES.entries()) {
    test(its.name, { timeout: 3_600_000 }, async (t) => {
      const random = randomNumbers(SEED + index)
      const until = Math.ceil(KILLS / AGENT_CASES.length)
      for (let kills = 0; kills < until; ) kills += await oneRun(t, its, random, until - kills)
    })
  }
})

/**
 * Kills a run, resumes it, kills it again, and so on.
 * @param most maximum number of kills
 * @returns the number of kills
 */
async function oneRun(t: TestContext, its: AgentCase, random: () => number, most: number): Promise<number> {
  const world = await openAgentWorld(its, random)
  const place = new Place(t)
  const steps = its.spans.match(/model |tool write/g)?.length ?? 1
  tally.runs++
  let kills = 0
  try {
    let ended = await killed(
      start(place, [...commandLine(its, place, world), '--json']),
      world,
      random,
      steps,
    )
    if (ended.code === 'SIGKILL') kills++
    const [id] = await rootsOf(place)
    // Killed before the run was recorded: nothing happened, and no call may have been sent.
    if (id === undefined) {
      assert.equal(world.asked(), 0)
      return kills
    }
    for (let tries = 0; !isOver(ended, its); tries++) {
      assert.ok(tries < 60, `the run does not come to an end: ${ended.out}${ended.err}`)
      await decideUnknown(ended, place, world, its)
      tally.resumes++
      const again = start(place, ['resume', id, '--json'])
      ended = kills < most ? await killed(again, world, random, Math.ceil(steps / 2)) : await endOf(again)
      if (ended.code === 'SIGKILL') kills++
    }
    await assertOutcome(its, JSON.parse(ended.out) as RunResult, place, world, true)
    return kills
  } finally {
    tally.kills += kills
    await world.close()
  }
}

interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

async function endOf(started: Started): Promise<Ended> {
  return { code: await started.ended, out: started.out(), err: started.err() }
}

/** Kills it some time after one of its requests, so that the speed of the machine does not matter. */
async function killed(
  started: Started,
  world: AgentWorld,
  random: () => number,
  steps: number,
): Promise<Ended> {
  const afterMs = random() * 40
  // One in ten is killed before or while it starts.
  const moment = random() < 0.1 ? pause(100) : world.arrivals.next(1 + Math.floor(random() * steps))
  void Promise.race([moment, started.ended]).then(async () => {
    await pause(afterMs)
    started.child.kill('SIGKILL')
  })
  return endOf(started)
}

function isOver({ code }: Ended, { error }: AgentCase): boolean {
  return code === (error === undefined ? 0 : 3)
}

/** Decides about the calls of any run like a person: by whether the write happened. */
async function decideUnknown(
  ended: Ended,
  place: Place,
  world: AgentWorld,
  { wrote }: AgentCase,
): Promise<void> {
  if (ended.code !== 4) {
    assert.equal(ended.code, 'SIGKILL', `${ended.out}${ended.err}`)
    return
  }
  // A request that was in flight when the process died may still arrive.
  await pause(100)
  const { approvals } = JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out)
  assert.ok(approvals.length > 0, 'it waits, and for nobody')
  for (const { run_id, call_id, tool, asks, decided } of approvals) {
    if (decided !== undefined) continue
    tally.unknown++
    assert.deepEqual([tool, asks], ['write', 'unknown'], 'only a write may be of unknown fate')
    assert.ok(wrote.length > 0)
    const n = Number(call_id.split('_').at(-1))
    const answer =
      world.writes.get(n) === undefined
        ? ['approvals', 'resend', run_id, call_id]
        : ['approvals', 'assume', run_id, call_id, '--result', JSON.stringify({ done: n })]
    const said = await waybill(place, answer)
    assert.equal(said.code, 0, said.err)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
