import type { DBOS as Dbos } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { QUEUE_SCHEMA } from '../database/migrate.ts'
import { type Database, openPool } from '../database/open-database.ts'
import type { PollGate } from './poll-gate.ts'

/** Names one leg of a run. */
export interface Leg {
  readonly org: string
  readonly run_id: string
  readonly n: number
}

export interface LegQueueOptions {
  readonly database: Database
  /** Identifies this process in the queue. */
  readonly executor: string
  /** Absent: all, also those that are named later; see {@link LegQueue.listen}. */
  readonly queues?: readonly string[]
  /** Legs at a time in this process, of each queue. */
  readonly concurrency: number
  readonly pollMs: number
  readonly gate: PollGate
  /** Performs a leg. Must not throw: what a leg leaves undone is found by the reconciler. */
  readonly perform: (leg: Leg) => Promise<void>
  readonly log: (level: 'warn' | 'error', message: string) => void
}

/** Of legs, in `enqueue_leg`. A later version that cannot perform these legs needs another one. */
export const QUEUE_VERSION = 'waybill-1'
const WORKFLOW = 'leg'

/** Channel of `enqueue_leg`, which notifies it if a worker is idle. */
const CHANNEL = 'waybill_legs'

/** One of them listens. */
const CONNECTIONS = 5

/**
 * The queue of legs, by DBOS: it hands out each leg once, in the order of its priority, and knows which process has it.
 * A leg is one workflow without steps: its input names the run, and everything else is in our tables.
 * DBOS is global: a process has at most one.
 */
export class LegQueue {
  readonly #options: LegQueueOptions
  readonly #pool: pg.Pool
  readonly #listening = new Set<string>()
  #dbos: typeof Dbos | undefined
  #notified: pg.PoolClient | undefined

  constructor(options: LegQueueOptions) {
    this.#options = options
    // Connections of its own, so that appends never wait for the queue.
    this.#pool = openPool(options.database.urls.engine, 'waybill queue', CONNECTIONS)
  }

  async start(): Promise<void> {
    const { database, executor, queues, gate, perform, log } = this.#options
    const { DBOS } = await import('@dbos-inc/dbos-sdk')
    this.#dbos = DBOS
    const logger = {
      info: () => {},
      debug: () => {},
      warn: (entry: unknown) => log('warn', String(entry)),
      error: (entry: unknown) => log('error', String(entry)),
    }
    DBOS.setConfig({
      name: 'waybill',
      systemDatabaseUrl: database.urls.engine,
      systemDatabasePool: gated(this.#pool, gate),
      systemDatabaseSchemaName: QUEUE_SCHEMA,
      applicationVersion: QUEUE_VERSION,
      executorID: executor,
      ...(queues !== undefined && { listenQueues: queues.flatMap(withMany) }),
      runMigrations: false,
      useListenNotify: false,
      tracingEnabled: false,
      logger,
    })
    DBOS.registerWorkflow(
      (org: string, run_id: string, n: number) => gate.during(() => perform({ org, run_id, n })),
      { name: WORKFLOW },
    )
    await DBOS.launch()
    await this.beNotified()
    await this.listen((queues ?? ['default']).flatMap(withMany))
    gate.open()
  }

  /** Hands out the legs of further queues. */
  async listen(queues: readonly string[]): Promise<void> {
    const { concurrency, pollMs } = this.#options
    for (const queue of queues) {
      if (this.#listening.has(queue)) continue
      this.#listening.add(queue)
      this.#options.gate.open()
      await this.#dbos?.registerQueue(queue, {
        workerConcurrency: concurrency,
        minPollingIntervalMs: pollMs,
        onConflict: 'always_update',
      })
    }
  }

  /**
   * Listens for legs that are queued while this worker is idle, if it does not listen already. Notifications are hints
   * that save time: a connection that is lost silently costs up to one look of the reconciler for each leg.
   */
  async beNotified(): Promise<void> {
    if (this.#notified !== undefined) return
    const client = await this.#pool.connect()
    const lost = () => {
      if (this.#notified !== client) return
      this.#notified = undefined
      client.release(true)
    }
    this.#notified = client
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => this.#options.gate.open())
    await client.query(`LISTEN ${CHANNEL}`).catch((error: unknown) => {
      lost()
      throw error
    })
  }

  /** Stops handing out legs, and waits for those in progress at most this long (milliseconds). */
  async stop(withinMs: number): Promise<void> {
    this.#options.gate.open()
    await this.#dbos?.shutdown({ deregister: true, workflowCompletionTimeoutMS: withinMs })
    this.#dbos = undefined
    const client = this.#notified
    this.#notified = undefined
    client?.release(true)
    await this.#pool.end()
  }
}

/** Returns a queue that runs have named, and the one that `enqueue_leg` uses for organisations with many legs. */
function withMany(queue: string): readonly string[] {
  return [queue, `many ${queue}`]
}

/** Returns the pool for DBOS, whose polls and maintenance wait at the gate. */
function gated(pool: pg.Pool, gate: PollGate): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return () => gate.pass().then(() => target.connect())
      if (name === 'query')
        return (text: string, values?: unknown[]) => gate.pass().then(() => target.query(text, values))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
