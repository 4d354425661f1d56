import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../src/document/defined.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { planHash } from '../../src/plan/plan-hash.ts'
import type { DatabaseUrls } from '../../src/platform/database/open-database.ts'
import type { PostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import type { NewRun } from '../../src/run/record/records.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { planOf } from '../run/fixture.ts'

/** What a worker process of a test does. */
export interface WorkerConfig {
  readonly urls: DatabaseUrls
  readonly leaseMs: number
  /** A file to which each call of a tool adds a line. */
  readonly log: string
  readonly concurrency?: number
  /** How long a call takes, in milliseconds. */
  readonly toolMs?: number
  /** How long the model takes, in milliseconds. */
  readonly modelMs?: number
  /** The key that signs the audit log: PEM. Default: a new one. */
  readonly auditKey?: string
}

/** The input of a run of the test agent. */
export interface Script {
  /** How often it calls its tool, one call after another. */
  readonly pays: number
  /** Kills its own worker in the call of this number. */
  readonly kills?: number
  /** Names its calls in the log. */
  readonly name?: string
  /** The first execution of the call of this number kills its own worker, after its effect. */
  readonly killsIn?: number
}

/** A model that follows the script in its input, without memory of its own. */
export function scriptedFor({ modelMs = 0 }: WorkerConfig): ModelPort {
  return {
    async ask({ messages }) {
      await sleep(modelMs)
      const input = messages.find(({ role }) => role === 'user')
      const { pays, kills, name, killsIn } = JSON.parse(input?.role === 'user' ? input.text : '{}') as Script
      const paid = messages.filter(({ role }) => role === 'tool').length
      if (kills === paid + 1) process.kill(process.pid, 'SIGKILL')
      const calls =
        paid < pays
          ? [
              {
                id: `c${paid + 1}`,
                tool: 'send',
                args: { n: paid + 1, ...defined({ name, ...(killsIn === paid + 1 && { kill: true }) }) },
              },
            ]
          : []
      return {
        message: { role: 'assistant', text: calls.length === 0 ? `paid ${paid}` : '', calls },
        finish: calls.length === 0 ? 'stop' : 'tool_calls',
        usage: { input_tokens: 10, output_tokens: 5 },
        warnings: [],
      }
    },
  }
}

/** Returns a run of the test agent. */
export function scriptedRun(run_id: string, script: Script, agent: JsonObject = {}): NewRun {
  const plan = planOf({
    tools: [{ name: 'send', description: 'Pays.', parameters_schema: { type: 'object' } }],
    ...agent,
  })
  return {
    header: runHeader({ plan, hash: planHash(plan) }, run_id),
    plan,
    family: [],
    first: { type: 'run.started', input: JSON.stringify(script) },
  }
}

/** Starts worker processes, and ends them after the test. To be called before the database of the test is created. */
export function workersOf(t: TestContext): (config: WorkerConfig) => Promise<ChildProcess> {
  const started: ChildProcess[] = []
  t.after(() => {
    for (const child of started) child.kill('SIGKILL')
  })
  return async (config) => {
    const child = await startWorker(config)
    started.push(child)
    return child
  }
}

async function startWorker(config: WorkerConfig): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'engine-worker.ts')], {
    env: { ...process.env, WORKER: JSON.stringify(config), NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

/** Waits until all runs are over, at most this long (milliseconds). @returns their statuses */
export async function untilOver(
  records: PostgresRecords,
  ids: readonly string[],
  withinMs = 30_000,
): Promise<readonly string[]> {
  const until = performance.now() + withinMs
  for (;;) {
    const listed = await Promise.all(ids.map((id) => records.runs.listed(id)))
    if (listed.every(({ phase }) => phase === 'over' || phase === 'set_aside') || performance.now() > until)
      return listed.map(({ phase, status }) => (phase === 'over' ? status : phase))
    await sleep(50)
  }
}
