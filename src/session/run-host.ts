import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan, Program } from '../plan/plan.ts'
import type { DrivePorts } from '../run/drive/drive-ports.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import type { PiiPlace } from '../run/drive/pii-values.ts'
import type { RunEvent } from '../run/event.ts'
import type { Records } from '../run/record/records.ts'
import type { RunState, RunWarning } from '../run/state.ts'
import type { Redactor } from '../secret/redact.ts'

/**
 * The dependencies of a run's life cycle. Adapters are passed in, so that the command line, the library and a
 * platform can each use their own.
 */
export interface RunHost {
  readonly records: Records
  /** Recorded as `by` of standing rules and of each resume. */
  readonly by: string
  readonly settings: OperatorSettings
  /** Whether the records outlive this process. */
  readonly kept: boolean
  /** Every use of a secret is audited. */
  readonly auditsSecrets?: true
  /** Storage of the keys that seal personal data; absent: placeholders can be read only by this process. */
  readonly piiKeys?: PiiPlace['keys']
  /**
   * Opens the adapters that these plans need. Runs of one agent share them.
   * @param definitions by definition hash, the identities of the agents in the home
   */
  openWorld(plans: readonly Plan[], definitions: Readonly<Record<string, string>>): Promise<World>
  /**
   * @throws FUNCTION_MISSING, EXTENSION_MISSING if the plans need a function or an extension that is not available
   */
  assertReady(plans: readonly Plan[]): void
}

/** The adapters that the runs of one agent share: models, tools and others. */
export interface World {
  readonly ports: Omit<DrivePorts, 'sink' | 'ask' | 'agents' | 'pii' | 'routes'>
  readonly redactor: Redactor
  /** Opens the placeholders for personal data of one run. */
  openPii(place: PiiPlace | undefined): OpenPii | Promise<OpenPii>
  /**
   * Opens the reporting of one run to the operators' collectors, which all runs share; undefined if nothing is to
   * be sent.
   */
  openTelemetry(program: Program, history: () => Promise<Histories>): Promise<RunTelemetry | undefined>
  close(): Promise<void>
}

/** By run id: the recorded events of a run that this process continues, and of its sub-agents' runs. */
export type Histories = ReadonlyMap<string, readonly RunEvent[]>

export interface RunTelemetry {
  follow(event: RunEvent, state: RunState): void
  /**
   * Sends the rest of the run's telemetry. @returns a warning if it did not reach its collector in this time
   * (milliseconds)
   */
  flush(withinMs: number): Promise<RunWarning | undefined>
}
