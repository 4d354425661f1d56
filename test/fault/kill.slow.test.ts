import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Home, openHome } from 'waybill'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { RunResult } from '../../src/run/result.ts'
import { type Ended, killIn, resultOf, toolsModule, waybill } from './kill-process.ts'
import { type KillWorld, openKillWorld, ROUNDS } from './kill-world.ts'

/** Number of kills that must hit a live run; the long form is `npm run fault:kill`. */
const KILLS = Number(process.env.WAYBILL_KILLS ?? 30)
const SEED = Number(process.env.WAYBILL_SEED ?? 20261121)
const LANES = 3

const root = mkdtempSync(join(tmpdir(), 'waybill-kill-'))
after(() => rmSync(root, { recursive: true, force: true }))

describe('a run that is killed', () => {
  test(`AAIF-8-01: ${KILLS} random kills: every write happens once, no finished call is repeated`, {
    timeout: 3_600_000,
  }, async () => {
    const tally = { kills: 0, runs: 0, unknown: 0, resumes: 0 }
    const lane = async (number: number) => {
      const random = randomNumbers(SEED + number)
      while (tally.kills < KILLS) await oneRun(join(root, `${number}-${tally.runs++}`), random, tally)
    }
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
    process.stdout.write(
      `${tally.kills} kills in ${tally.runs} runs, ${tally.resumes} resumes, ${tally.unknown} writes of unknown fate\n`,
    )
    assert.ok(tally.unknown > 0, 'no kill ever hit a write in flight: the test proves too little')
  })
})

async function oneRun(
  folder: string,
  random: () => number,
  tally: { kills: number; unknown: number; resumes: number },
): Promise<void> {
  const world = await openKillWorld(random)
  try {
    const home = `${folder}-home`
    writeFileSync(`${folder}.json`, JSON.stringify(AGENT))
    writeFileSync(`${folder}.mjs`, toolsModule(world.url))
    const first = ['run', `${folder}.json`, '--tools', `${folder}.mjs`, '--input', 'go', '--json']
    let ended = await waybill(
      [...first, '--model', 'custom/m', '--base-url', `${world.url}/v1`],
      home,
      killIn(world, random),
    )
    if (ended.killed) tally.kills++
    const id = await runId(home)
    // Killed before the run was recorded: nothing happened, and no call may have been sent.
    if (id === null) return assert.equal(world.modelCalls(), 0)
    for (let tries = 0; resultOf(ended)?.status !== 'completed'; tries++) {
      assert.ok(tries < 60, `the run does not come to an end: ${ended.out}${ended.err}`)
      await decideUnknown(ended, id, home, world, tally)
      tally.resumes++
      ended = await waybill(['resume', id, '--json'], home, random() < 0.5 ? killIn(world, random) : null)
      if (ended.killed) tally.kills++
    }
    await assertSound(resultOf(ended), world, home, id)
  } finally {
    await world.close()
  }
}

/** Decides like a person: by whether the write happened. */
async function decideUnknown(
  ended: Ended,
  id: string,
  home: string,
  world: KillWorld,
  tally: { unknown: number },
): Promise<void> {
  if (ended.code !== 4) {
    assert.ok(ended.killed, `exit ${ended.code} without a kill: ${ended.out}${ended.err}`)
    return
  }
  // A request that was in flight when the process died may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const call of resultOf(ended)?.waiting ?? []) {
    tally.unknown++
    assert.equal(call.asks, 'unknown')
    assert.equal(call.tool, 'write', 'only a write may be of unknown fate')
    const n = Number(call.call_id.split('_').at(-1))
    const answer =
      world.writes.get(n) === undefined
        ? ['approvals', 'resend', id, call.call_id]
        : ['approvals', 'assume', id, call.call_id, '--result', JSON.stringify({ done: n })]
    const said = await waybill(answer, home, null)
    assert.equal(said.code, 0, said.err)
  }
}

async function assertSound(
  result: RunResult | null,
  world: KillWorld,
  home: string,
  id: string,
): Promise<void> {
  assert.equal(result?.output, 'all written')
  const expected = Array.from({ length: ROUNDS }, (_, n) => [n, 1])
  assert.deepEqual([...world.writes].sort(), expected, 'a write took effect never or twice')
  for (const [n, keys] of world.keys) assert.equal(keys.size, 1, `write ${n} went out under several keys`)
  const finished = new Map<string, number>()
  for (const { fact } of await withHome(home, ({ runs }) => runs.events(id))) {
    if (fact.type === 'call.answered') finished.set(fact.call_id, (finished.get(fact.call_id) ?? 0) + 1)
  }
  for (const [call, times] of finished) assert.equal(times, 1, `${call} finished ${times} times`)
}

const AGENT = {
  sc_standard: 'SC-006',
  agent_id: '3f0b6a52-6f0e-4a9e-8a7e-4c2f7d1b9a10',
  agent: {
    name: 'Writer',
    goal: 'Write everything once.',
    model: { provider: 'custom', provider_id: 'test', preferred: 'm' },
    tools: ['write', 'read'].map((name) => ({
      name,
      description: `Does a ${name}.`,
      protocol: 'function',
      parameters_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    })),
    orchestration: { max_iterations: 20 },
    runtime: { max_retries: 5 },
  },
}

async function runId(home: string): Promise<string | null> {
  const { items } = await withHome(home, ({ runs }) => runs.list())
  return items[0]?.run_id ?? null
}

async function withHome<T>(folder: string, act: (home: Home) => T | Promise<T>): Promise<T> {
  const home = await openHome(folder, {})
  try {
    return await act(home)
  } finally {
    await home.close()
  }
}
