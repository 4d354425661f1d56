import type { Json } from '../../document/json.ts'
import type { RunEvent } from '../../run/event.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { StartRun } from '../agents/start-run.ts'
import type { PlatformStatus, RunView } from '../records/run-view.ts'
import type { StreamItem } from '../streams/stream-item.ts'

/** A run before it has ended. */
export interface RunState202 {
  readonly run_id: string
  readonly status: PlatformStatus
}

export interface RunQuery extends Page {
  readonly status?: PlatformStatus
  readonly agent_id?: string
  readonly user?: string
  /** RFC 3339: created at or after. */
  readonly since?: string
}

/** Every method throws RUN_NOT_FOUND where that applies, also for a run of another organisation. */
export interface Runs {
  /**
   * Plans a run, stores it and queues its first leg in one transaction.
   * @param runId given by the idempotency key of the request, so that a repeated request is the same run
   * @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND, AGENT_NOT_ACTIVE, INPUT_INVALID, BUDGET_EXHAUSTED, SESSION_BUSY,
   * WEBHOOK_NOT_FOUND
   */
  start(agentId: string, request: StartRun, runId?: string): Promise<RunState202>
  /** Waits until the run has ended or waits for a person, at most this long (milliseconds). */
  settled(runId: string, withinMs: number, signal?: AbortSignal): Promise<RunView>
  list(query: RunQuery): Promise<PageOf<RunView>>
  read(runId: string): Promise<RunView>
  /** Returns events after a sequence number, in order. */
  events(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>
  /** Follows a run from a sequence number (default 0) until it ends, also across workers. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<StreamItem>
  pause(runId: string): Promise<RunState202>
  resume(runId: string): Promise<RunState202>
  cancel(runId: string): Promise<RunState202>
  /**
   * Starts the same input again as a new run; a run that was set aside is queued again.
   * @param newRunId given by the idempotency key of the request, so that a repeated request is the same run
   */
  retry(runId: string, newRunId?: string): Promise<RunState202>
  startBatch(
    agentId: string,
    inputs: readonly Json[],
    request: Omit<StartRun, 'input' | 'session' | 'on_busy'>,
    batchId?: string,
  ): Promise<BatchView>
  readBatch(batchId: string, page: Page): Promise<BatchView>
}

export interface BatchView {
  readonly batch_id: string
  readonly agent_id: string
  readonly inputs: number
  readonly done: number
  /** In the order of the inputs. */
  readonly items: readonly (RunView | null)[]
  readonly next: string | null
}
