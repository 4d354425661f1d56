import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../src/document/json.ts'
import type { RunResult } from '../../src/run/result.ts'
import { Place, type Said, waybill } from '../cli/fixture.ts'
import { BIN } from '../started-process.ts'
import type { FaultWorld } from './fault-world.ts'

export interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export interface Launched {
  readonly child: ChildProcess
  out(): string
  err(): string
  readonly ended: Promise<Ended>
}

export interface LaunchOptions {
  /** A program that runs the command line under other conditions, with its arguments: `prlimit --nofile=30`. */
  readonly prefix?: readonly string[]
  /** Files or descriptors instead of pipes. */
  readonly stdout?: number
  readonly stderr?: number
}

/** A folder with agents, tools and a home, and the commands that run in it. */
export class Site {
  readonly place: Place
  readonly world: FaultWorld
  /** For every command; see {@link LaunchOptions}. */
  prefix: readonly string[] = []

  constructor(t: TestContext, world: FaultWorld) {
    this.place = new Place(t)
    this.world = world
    this.place.write('tools.mjs', world.tools)
  }

  get home(): string {
    return this.place.home
  }

  /** Writes the definition of an agent that calls `write`; the name is its model as well. */
  writer(name: string, members: JsonObject = {}): void {
    const model = {
      provider: 'custom',
      provider_id: 'test',
      preferred: name,
      base_url: `${this.world.url}/v1`,
    }
    const agent = { name, goal: 'Write.', model, tools: [WRITE], runtime: { max_retries: 0 }, ...members }
    this.place.write(`${name}.json`, JSON.stringify({ sc_standard: 'SC-006', agent }))
  }

  /** Writes a swarm `head`, all of whose workers must agree. */
  swarm(workers: readonly string[], orchestration: JsonObject = {}, members: JsonObject = {}): void {
    for (const name of workers) this.writer(name, members)
    const agent = {
      name: 'head',
      goal: 'Lead.',
      runtime: { max_retries: 0 },
      orchestration: {
        subagents: workers.map((name) => ({ ref: name, alias: name })),
        parallel_execution: true,
        consensus: { strategy: 'majority_vote', min_votes: workers.length },
        ...orchestration,
      },
      ...members,
    }
    this.place.write('head.json', JSON.stringify({ sc_standard: 'SC-006', agent }))
  }

  /** Returns the command line that runs an agent. */
  go(name: string, ...more: readonly string[]): readonly string[] {
    const host = new URL(this.world.url).host
    return ['run', `${name}.json`, '--tools', 'tools.mjs', '--allow-host', host, '--json', ...more]
  }

  /** Starts a command in its own process. */
  launch(argv: readonly string[], { prefix = this.prefix, stdout, stderr }: LaunchOptions = {}): Launched {
    const [command = BIN, ...args] = [...prefix, BIN, ...argv]
    const child = spawn(command, args, {
      cwd: this.place.folder,
      env: this.place.env as NodeJS.ProcessEnv,
      stdio: ['ignore', stdout ?? 'pipe', stderr ?? 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout?.on('data', (chunk) => {
      out += chunk
    })
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    const ended = new Promise<Ended>((resolve) =>
      child.on('close', (code, signal) => resolve({ code: code ?? signal ?? 'gone', out, err })),
    )
    return { child, out: () => out, err: () => err, ended }
  }

  /** Runs a command in its own process to its end. */
  run(argv: readonly string[], options?: LaunchOptions): Promise<Ended> {
    return this.launch(argv, options).ended
  }

  /** Runs a command in this process, which is faster; only if both use the same environment. */
  ask(argv: readonly string[]): Promise<Said> {
    return waybill(this.place, argv)
  }

  /** Runs a command that must succeed and parses its JSON value. */
  async json(...argv: readonly string[]): Promise<JsonObject> {
    const said = await this.#any([...argv, '--json'])
    assert.equal(said.code, 0, `${argv.join(' ')}: ${said.out}${said.err}`)
    return JSON.parse(said.out)
  }

  /** Returns the ids of root runs, newest first. */
  async roots(): Promise<readonly string[]> {
    const { runs } = await this.json('runs', 'list', '--limit', '1000')
    return (runs as unknown as readonly { run_id: string }[]).map(({ run_id }) => run_id)
  }

  /** Returns the types of the events of a run. */
  async types(run: string): Promise<readonly string[]> {
    const said = await this.#any(['runs', 'events', run])
    assert.equal(said.code, 0, said.err)
    return said.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).type)
  }

  /** Opens the database directly, without Waybill. */
  sql(statement: string): readonly unknown[] {
    const db = new DatabaseSync(join(this.home, 'waybill.db'), { timeout: 5000 })
    try {
      return db.prepare(statement).all()
    } finally {
      db.close()
    }
  }

  /**
   * Completes an interrupted run like a person: resumes it, and decides about writes with unknown outcome.
   * @param drive how it is resumed
   * @returns its result, and how many calls the person was asked about
   */
  async settle(
    run: string,
    drive: (argv: readonly string[]) => Promise<Ended> = (argv) => this.#any(argv),
  ): Promise<{ readonly result: RunResult; readonly asked: number }> {
    let asked = 0
    for (let tries = 0; tries < 60; tries++) {
      const ended = await drive(['resume', run, '--json'])
      if (ended.code === 'SIGKILL') continue
      const result = JSON.parse(ended.out)
      if ((ended.code === 0 || ended.code === 3) && result.run_id !== undefined) return { result, asked }
      assert.equal(ended.code, 4, `${ended.out}${ended.err}`)
      asked += await this.decideUnknown()
    }
    throw new Error('the run does not come to an end')
  }

  /**
   * Decides about each write with unknown outcome, by whether the server received it. @returns how many there were
   */
  async decideUnknown(): Promise<number> {
    // A request that was in flight when the process ended may still arrive.
    await sleep(50)
    const { approvals } = (await this.json('approvals', 'list')) as unknown as {
      approvals: readonly Waiting[]
    }
    const open = approvals.filter(({ decided }) => decided === undefined)
    for (const { run_id, call_id, asks, arguments: args } of open) {
      assert.equal(asks, 'unknown')
      const arrived = this.world.writes.has(args.n)
      const how = arrived ? ['assume'] : ['resend']
      const more = arrived ? ['--result', JSON.stringify({ done: args.n })] : []
      const said = await this.#any(['approvals', ...how, run_id, call_id, ...more])
      assert.ok(said.code === 0 || said.err.includes('APPROVAL_DECIDED'), said.err)
    }
    assert.ok(approvals.length > 0, 'a run waits for a person, and no call is listed')
    return open.length
  }

  /** Fails unless each of these writes took effect exactly once, under one key, and no others did. */
  assertWrites(expected: readonly string[]): void {
    assert.deepEqual(
      [...this.world.writes].sort(),
      [...expected].sort().map((name) => [name, 1]),
      'a write took effect never or twice',
    )
    for (const [name, keys] of this.world.keys) assert.equal(keys.size, 1, `${name} left under several keys`)
  }

  #any(argv: readonly string[]): Promise<Ended> {
    return this.prefix.length === 0 ? this.ask(argv) : this.run(argv)
  }
}

interface Waiting {
  readonly run_id: string
  readonly call_id: string
  readonly asks: string
  readonly arguments: { readonly n: string }
  readonly decided?: unknown
}

const WRITE = {
  name: 'write',
  description: 'Writes.',
  protocol: 'function',
  parameters_schema: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
}

/** Returns the writes of agents with this input. */
export function writesOf(agents: readonly string[], rounds: number, input = 'go'): readonly string[] {
  return agents.flatMap((agent) => Array.from({ length: rounds }, (_, round) => `${agent}/${input}/${round}`))
}

/** Returns whether a program can run with these arguments here: namespaces and mounts may be forbidden. */
export function permits(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0
}

/** Reads a number from the environment, which the long form sets. */
export function timesOf(name: string, short: number): number {
  return Number(process.env[name] ?? short)
}

/** Returns the code of the error that a command printed as JSON. */
export function codeOf({ out }: Pick<Ended, 'out'>): string | undefined {
  return JSON.parse(out === '' ? '{}' : out).error?.code
}
