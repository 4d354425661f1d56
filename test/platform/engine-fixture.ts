import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseUrls } from '../../src/platform/database/open-database.ts'
import type { PostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { PROGRAMS } from '../started-process.ts'
import type { ScriptedOptions } from './scripted-sessions.ts'

/** What a worker process of a test does. */
export interface WorkerConfig extends Omit<ScriptedOptions, 'model'> {
  readonly urls: DatabaseUrls
  readonly leaseMs: number
  readonly concurrency?: number
  /** Hosts to which webhooks are sent; absent: this worker sends none. */
  readonly webhookHosts?: readonly string[]
  readonly webhookTimeoutMs?: number
  /** Does what a worker does for triggers and questions. */
  readonly triggers?: boolean
}

/**
 * The folder of an older version of this repository with its packages, from which every second worker is started. Its
 * workers and those of this version share the database, as during an update.
 */
const OLDER_VERSION = process.env.WAYBILL_OLDER_VERSION

const SOURCE = 'test/platform/engine-worker.ts'
const WORKER =
  PROGRAMS === undefined ? join(import.meta.dirname, '../..', SOURCE) : join(PROGRAMS, 'lib/engine-worker.js')

/** Starts worker processes, and ends them after the test. To be called before the database of the test is created. */
export function workersOf(t: TestContext): (config: WorkerConfig) => Promise<ChildProcess> {
  const started: ChildProcess[] = []
  t.after(() => {
    for (const child of started) child.kill('SIGKILL')
  })
  return async (config) => {
    const isOlder = OLDER_VERSION !== undefined && started.length % 2 === 1
    const child = await startWorker(config, isOlder ? join(OLDER_VERSION, SOURCE) : WORKER)
    started.push(child)
    return child
  }
}

async function startWorker(config: WorkerConfig, file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file], {
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
  withinMs = 60_000,
): Promise<readonly string[]> {
  const until = performance.now() + withinMs
  for (;;) {
    const listed = await Promise.all(ids.map((id) => records.runs.listed(id)))
    if (listed.every(({ phase }) => phase === 'over' || phase === 'set_aside') || performance.now() > until)
      return listed.map(({ phase, status }) => (phase === 'over' ? status : phase))
    await sleep(50)
  }
}
