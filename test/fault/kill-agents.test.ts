import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { RunStore } from '../../src/run/run-store.ts'
import { type Ended, killIn, randomOf, resultOf, toolsModule, waybill } from './kill-process.ts'
import { type ChatRequest, chatAnswer, type KillWorld, openKillWorld } from './kill-world.ts'

/** Kills that must hit a live run; WAYBILL_KILLS makes it longer. */
const KILLS = Math.min(Number(process.env.WAYBILL_KILLS ?? 12), 500)
const SEED = Number(process.env.WAYBILL_SEED ?? 20261122)
const LANES = 2

const root = mkdtempSync(join(tmpdir(), 'waybill-kill-agents-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** Who writes what: each of the agents has one write of its own. */
const WRITES = { First: 0, Left: 1, Middle: 2, Right: 3 }

describe('a run of agents that is killed', () => {
  test(`AAIF-8-01: ${KILLS} random kills of a pipeline with a swarm: every write happens once, same answer`, {
    timeout: 3_600_000,
  }, async () => {
    const tally = { kills: 0, runs: 0, unknown: 0, resumes: 0 }
    const lane = async (number: number) => {
      const random = randomOf(SEED + number)
      while (tally.kills < KILLS) await oneRun(join(root, `${number}-${tally.runs++}`), random, tally)
    }
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
    process.stdout.write(
      `${tally.kills} kills in ${tally.runs} runs, ${tally.resumes} resumes, ${tally.unknown} writes of unknown fate\n`,
    )
    assert.ok(tally.resumes > 0)
  })
})

async function oneRun(
  folder: string,
  random: () => number,
  tally: { kills: number; unknown: number; resumes: number },
): Promise<void> {
  const world = await openKillWorld(random, writeOnce)
  try {
    const home = join(folder, 'home')
    writeFamily(folder, world)
    const first = ['run', join(folder, 'head.json'), '--tools', join(folder, 'tools.mjs'), '--input', 'go']
    const model = ['--model', 'custom/m', '--base-url', `${world.url}/v1`]
    let ended = await waybill([...first, ...model, '--json'], home, killIn(world, random))
    if (ended.killed) tally.kills++
    const id = rootOf(home)
    // Killed before the run was recorded: nothing happened, and nothing may have left.
    if (id === null || new RunStore(join(home, 'runs')).events(id).length === 0) {
      return assert.equal(world.modelCalls(), 0)
    }
    for (let tries = 0; resultOf(ended)?.status !== 'completed'; tries++) {
      assert.ok(tries < 60, `the run does not come to an end: ${ended.out}${ended.err}`)
      await decideUnknown(ended, home, world, tally)
      tally.resumes++
      ended = await waybill(['resume', id, '--json'], home, random() < 0.5 ? killIn(world, random) : null)
      if (ended.killed) tally.kills++
    }
    assertSound(ended, world, home)
  } finally {
    await world.close()
  }
}

/** What a person would do with the calls of whichever run: look whether the write happened, and say so. */
async function decideUnknown(
  ended: Ended,
  home: string,
  world: KillWorld,
  tally: { unknown: number },
): Promise<void> {
  if (ended.code !== 4) {
    assert.ok(ended.killed, `exit ${ended.code} without a kill: ${ended.out}${ended.err}`)
    return
  }
  // What was on its way when the process died may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { approvals } = JSON.parse((await waybill(['approvals', 'list', '--json'], home, null)).out)
  assert.ok(approvals.length > 0, 'it waits, and for nobody')
  for (const { run_id, call_id, tool, asks, decided } of approvals) {
    if (decided !== undefined) continue
    tally.unknown++
    assert.deepEqual([tool, asks], ['write', 'unknown'], 'only a write may be of unknown fate')
    const n = Number(call_id.split('_').at(-1))
    const answer =
      world.writes.get(n) === undefined
        ? ['approvals', 'resend', run_id, call_id]
        : ['approvals', 'assume', run_id, call_id, '--result', JSON.stringify({ done: n })]
    const said = await waybill(answer, home, null)
    assert.equal(said.code, 0, said.err)
  }
}

function assertSound(ended: Ended, world: KillWorld, home: string): void {
  assert.equal(resultOf(ended)?.output, 'written')
  const expected = Object.values(WRITES).map((n) => [n, 1])
  assert.deepEqual([...world.writes].sort(), expected, 'a write took effect never or twice')
  for (const [n, keys] of world.keys) assert.equal(keys.size, 1, `write ${n} went out under several keys`)
  // A head, a first step, a team and its three members: whoever resumed found the runs that had begun.
  const store = new RunStore(join(home, 'runs'))
  assert.equal(store.list().length, 6)
  for (const id of store.list()) {
    const finished = store
      .events(id)
      .flatMap(({ fact }) => (fact.type === 'call.answered' ? [fact.call_id] : []))
    assert.equal(new Set(finished).size, finished.length, `a call of ${id} finished twice`)
    assert.equal(store.read(id).state.end?.status, 'completed')
  }
}

function rootOf(home: string): string | null {
  return new RunStore(join(home, 'runs')).roots()[0] ?? null
}

/** A pipeline of two, whose second step is a swarm of three. */
function writeFamily(folder: string, world: KillWorld): void {
  mkdirSync(folder)
  const write = (name: string, members: object) =>
    writeFileSync(
      join(folder, `${name.toLowerCase()}.json`),
      JSON.stringify({ sc_standard: 'SC-006', agent: { name, goal: `Be ${name}.`, ...members } }),
    )
  write('Head', {
    orchestration: { subagents: [{ ref: 'first' }, { ref: 'team' }], pipeline: ['first', 'team'] },
  })
  write('Team', {
    orchestration: {
      subagents: ['left', 'middle', 'right'].map((ref) => ({ ref })),
      parallel_execution: true,
      consensus: { strategy: 'majority_vote', min_votes: 3 },
    },
  })
  for (const name of Object.keys(WRITES)) {
    write(name, {
      model: { provider: 'custom', provider_id: 'test', preferred: 'm' },
      tools: [
        {
          name: 'write',
          description: 'Writes.',
          protocol: 'function',
          parameters_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        },
      ],
      runtime: { max_retries: 5 },
    })
  }
  writeFileSync(join(folder, 'tools.mjs'), toolsModule(world.url))
}

/** Each agent makes its own write and says so; who it is it knows from its prompt. */
function writeOnce({ messages }: ChatRequest): object {
  const round = messages.filter(({ role }) => role === 'assistant').length
  if (round > 0) return chatAnswer(round, 'written')
  const name = /You are (\w+)\./.exec(JSON.stringify(messages[0]))?.[1] as keyof typeof WRITES
  const n = WRITES[name]
  const called = { name: 'write', arguments: JSON.stringify({ n }) }
  return chatAnswer(round, [{ id: `call_write_${n}`, type: 'function', function: called }])
}
