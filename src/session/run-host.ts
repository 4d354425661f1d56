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
 * What the life of a run needs from outside. Adapters are passed in, so that the command line, the library and a
 * platform can each bring their own.
 */
export interface RunHost {
  readonly records: Records
  /** Recorded as `by` of what is decided beforehand and of each resume. */
  readonly by: string
  readonly settings: OperatorSettings
  /** Whether the records outlive this process. */
  readonly kept: boolean
  /** Where the keys that seal personal data are kept; absent: what stands for personal data ends with the process. */
  readonly piiKeys?: PiiPlace['keys']
  /**
   * Opens what these plans need of the world. Runs of one agent share it.
   * @param definitions by definition hash, the identities under which the home knows the agents
   */
  openWorld(plans: readonly Plan[], definitions: Readonly<Record<string, string>>): Promise<World>
  /** @throws FUNCTION_MISSING, EXTENSION_MISSING when the plans need something that is not here */
  assertReady(plans: readonly Plan[]): void
}

/** Models, tools and all else that runs of one agent share. */
export interface World {
  readonly ports: Omit<DrivePorts, 'sink' | 'ask' | 'agents' | 'pii' | 'routes'>
  readonly redactor: Redactor
  /** What stands for personal data in one run. */
  openPii(place: PiiPlace | undefined): OpenPii | Promise<OpenPii>
  /** Reports one run to the operators' collectors, which all runs share; undefined when nothing is to be sent. */
  openTelemetry(program: Program, history: () => Promise<Histories>): Promise<RunTelemetry | undefined>
  close(): Promise<void>
}

/** By run id: the events on record of a run that this process continues, and of its sub-agents' runs. */
export type Histories = ReadonlyMap<string, readonly RunEvent[]>

export interface RunTelemetry {
  follow(event: RunEvent, state: RunState): void
  /** Sends what is left of the run. @returns a warning when it did not reach its collector in this time (milliseconds) */
  flush(withinMs: number): Promise<RunWarning | undefined>
}
