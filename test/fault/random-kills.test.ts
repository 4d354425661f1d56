import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { RunResult } from '../../src/run/result.ts'
import { codeOf, type Ended, Site, timesOf, writesOf } from './fault-site.ts'
import { type FaultWorld, openFaultWorld } from './fault-world.ts'

/** Number of killed processes, over all commands; the long form is `npm run fault:kill`. */
const KILLS = timesOf('WAYBILL_RANDOM_KILLS', 10)
const SEED = timesOf('WAYBILL_SEED', 20261124)
const LANES = 2
const WORKERS = ['a', 'b', 'c']
const ROUNDS = 2
const COMMANDS = ['plain', 'asking', 'swarm', 'batch', 'detached'] as const
const AUDITED = { compliance: { audit_log: true } }

describe('commands that are killed at any moment', { concurrency: LANES }, () => {
  for (let lane = 0; lane < LANES; lane++)
    test(`lane ${lane}: acknowledged changes are kept, no write happens twice, every run completes`, {
      timeout: 3_600_000,
    }, async (t) => {
      const its = await openLane(t, SEED + lane)
      while (its.kills < KILLS / LANES) await its.round()
      const verdict = await its.site.ask(['audit', 'verify', '--json'])
      assert.deepEqual(JSON.parse(verdict.out).problems ?? [], [])
      t.diagnostic(
        `WAYBILL_SEED=${SEED}: ${its.kills} kills in ${its.rounds} rounds, ${its.asked} calls of unknown fate`,
      )
    })
})

async function openLane(t: TestContext, seed: number): Promise<Lane> {
  const random = randomNumbers(seed)
  const world = await openFaultWorld(t, { rounds: () => ROUNDS, modelMs: 8, writeMs: 8 })
  const site = new Site(t, world)
  site.writer('plain', AUDITED)
  site.writer('asking', { compliance: { audit_log: true, human_in_the_loop: { enabled: true } } })
  site.swarm(WORKERS, {}, AUDITED)
  return new Lane(site, world, random)
}

/** One home, in which one command after another is killed. */
class Lane {
  readonly site: Site
  readonly #world: FaultWorld
  readonly #random: () => number
  kills = 0
  rounds = 0
  /** How often a person was asked about the outcome of a call. */
  asked = 0

  constructor(site: Site, world: FaultWorld, random: () => number) {
    this.site = site
    this.#world = world
    this.#random = random
  }

  /** Starts one command, and acts like a person until its work is done. */
  async round(): Promise<void> {
    const command = COMMANDS[this.rounds % COMMANDS.length] ?? 'plain'
    const input = `r${this.rounds++}`
    const before = new Set(await this.site.roots())
    if (command === 'batch') return this.#batch(input)
    const agent = command === 'asking' ? 'asking' : command === 'swarm' ? 'head' : 'plain'
    const detached = command === 'detached'
    const begun = await this.#killed(this.site.go(agent, '--input', input, ...(detached ? ['--detach'] : [])))
    if (detached && begun.code === 0) await this.#killDetached(Number(JSON.parse(begun.out).pid))
    const known = begun.out === '' ? undefined : (JSON.parse(begun.out).run_id as string | undefined)
    // The background process may outlive the one that was killed, and store its run a little later.
    for (let tries = 0; detached && tries < 20 && known === undefined; tries++) {
      if ((await this.site.roots()).some((id) => !before.has(id))) break
      await sleep(100)
    }
    const run = known ?? (await this.site.roots()).find((id) => !before.has(id))
    const writers = command === 'swarm' ? WORKERS : [agent]
    if (run === undefined) return this.#assertWrites(writers, input, 0)
    const result = await this.#finish(run)
    assert.deepEqual([result.status, result.output], ['completed', `yes ${input}`], `round ${input}`)
    this.#assertWrites(writers, input, 1)
  }

  async #batch(input: string): Promise<void> {
    const inputs = [`${input}x`, `${input}y`]
    this.site.place.write('inputs.ndjson', inputs.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const argv = this.site.go('plain', '--batch', 'inputs.ndjson')
    let ended = await this.#killed(argv)
    for (let tries = 0; ended.code !== 0; tries++) {
      assert.ok(tries < 60, `the batch does not come to an end: ${ended.out}${ended.err}`)
      if (ended.code === 4) await this.#decide()
      // It was killed before the first of its runs was stored.
      const none = codeOf(ended) === 'BATCH_NOT_FOUND'
      ended = await this.#killed(none ? argv : [...argv, '--resume'], this.#random() < 0.5)
    }
    const { results } = JSON.parse(ended.out) as { results: readonly RunResult[] }
    assert.deepEqual(
      results.map(({ output }) => output),
      inputs.map((one) => `yes ${one}`),
    )
    for (const one of inputs) this.#assertWrites(['plain'], one, 1)
  }

  /** Resumes and decides until the run has ended; each of these commands may be killed as well. */
  async #finish(run: string): Promise<RunResult> {
    for (let tries = 0; tries < 200; tries++) {
      const ended = await this.#killed(['resume', run, '--json'], this.#random() < 0.5)
      if (ended.code === 0) return JSON.parse(ended.out)
      if (ended.code === 4) await this.#decide()
      else if (ended.code !== 'SIGKILL') {
        assert.equal(codeOf(ended), 'RUN_LOCKED', `${ended.out}${ended.err}`)
        await sleep(50)
      }
    }
    throw new Error(`run ${run} does not come to an end`)
  }

  /** Decides every open question. A decision that was acknowledged is on record. */
  async #decide(): Promise<void> {
    // A request that was in flight when a process was killed may still arrive.
    await sleep(50)
    for (const { run_id, call_id, asks, arguments: args } of await this.#open()) {
      if (asks === 'unknown') this.asked++
      const words =
        asks === 'approval'
          ? ['approve', run_id, call_id]
          : this.#world.writes.has(args.n)
            ? ['assume', run_id, call_id, '--result', '"done"']
            : ['resend', run_id, call_id]
      const said = await this.#killed(['approvals', ...words, '--json'], this.#random() < 0.3)
      if (said.code === 'SIGKILL') continue
      assert.ok(said.code === 0 || codeOf(said) === 'APPROVAL_DECIDED', said.out)
      const open = await this.#open()
      assert.ok(!open.some((one) => one.call_id === call_id && one.run_id === run_id), 'a decision was lost')
    }
  }

  async #open(): Promise<readonly OpenCall[]> {
    const list = await this.site.json('approvals', 'list')
    const { approvals, damaged } = list as unknown as { approvals: readonly OpenCall[]; damaged?: number }
    assert.equal(damaged, undefined, 'a record is damaged')
    return approvals.filter(({ decided }) => decided === undefined)
  }

  /** Runs a command, and kills it if the plan says so: after a time, or some time after one of its requests. */
  async #killed(argv: readonly string[], kill = true): Promise<Ended> {
    if (!kill || this.kills >= KILLS / LANES) return this.site.ask(argv)
    const launched = this.site.launch(argv)
    const quiet = argv[0] === 'approvals' || this.#random() < 0.2
    const nth = 1 + Math.floor(this.#random() * 5)
    const ms = this.#random() * (quiet ? 500 : 15)
    void Promise.race([quiet ? sleep(0) : this.#world.arrivals.next(nth), launched.ended])
      .then(() => sleep(ms))
      .then(() => launched.child.kill('SIGKILL'))
    const ended = await launched.ended
    if (ended.code === 'SIGKILL') this.kills++
    return ended
  }

  async #killDetached(pid: number): Promise<void> {
    await Promise.race([this.#world.arrivals.next(1 + Math.floor(this.#random() * 3)), sleep(300)])
    await sleep(this.#random() * 15)
    try {
      process.kill(pid, 'SIGKILL')
      this.kills++
    } catch {
      // It has ended already.
    }
  }

  #assertWrites(writers: readonly string[], input: string, times: 0 | 1): void {
    for (const name of writesOf(writers, ROUNDS, input)) {
      assert.equal(this.#world.writes.get(name) ?? 0, times, `${name} took effect never or twice`)
      assert.ok((this.#world.keys.get(name)?.size ?? 0) <= 1, `${name} left under several keys`)
    }
  }
}

interface OpenCall {
  readonly run_id: string
  readonly call_id: string
  readonly asks: 'approval' | 'unknown'
  readonly arguments: { readonly n: string }
  readonly decided?: unknown
}
