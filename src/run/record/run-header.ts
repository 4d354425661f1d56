import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'

/** What is known of a run before its first event. Written once. */
export interface RunHeader {
  readonly v: 1
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly created_at: string
  readonly plan_hash: string
  readonly rehearsal: boolean
  /** The definition's file, if it was read from one. */
  readonly definition_file?: string
  /** The module that holds the run's functions (`--tools`). */
  readonly tools_file?: string
  readonly user?: string
  readonly session?: string
  /**
   * On a platform: the member in whose name the agent acts, who started the run. Sub-agents act in the same name. On one
   * machine its user, who is not recorded.
   */
  readonly on_behalf_of?: string
  /** Of a sub-agent's run. */
  readonly parent?: {
    readonly run_id: string
    readonly root_run_id: string
    readonly call_id: string
    readonly alias: string
  }
  /** The grants of the command line; a resumed run keeps them. */
  readonly flags?: RecordedFlags
  /**
   * For a run of a batch: the batch, and the index of its input, from 0. `key` is the same each time the same
   * inputs are given to the same agent.
   */
  readonly batch?: { readonly id: string; readonly key: string; readonly index: number }
  /**
   * The answers are those of this recorded run, after its event `at` if that is given: a replay is not evidence of a real
   * run.
   */
  readonly replay?: Replay
  /** By the hash of a definition: its identity in this home, which its memory belongs to. */
  readonly definitions?: Readonly<Record<string, string>>
}

export interface Replay {
  readonly run_id: string
  readonly at?: number
}

export interface RecordedFlags {
  readonly model?: string
  readonly judge?: string
  readonly base_url?: string
  readonly allow_hosts?: readonly string[]
  readonly allow_secrets?: readonly string[]
  readonly yes?: readonly string[]
  readonly config?: string
  readonly env_file?: string
}

/** The owner of a run and the sources of its parts; an undefined member is left out. */
export interface RunOrigin {
  readonly definition_file?: string | undefined
  readonly tools_file?: string | undefined
  readonly user?: string | undefined
  readonly session?: string | undefined
  readonly on_behalf_of?: string | undefined
  readonly parent?: RunHeader['parent']
  readonly flags?: RecordedFlags
  readonly batch?: RunHeader['batch']
  readonly replay?: Replay
  readonly definitions?: RunHeader['definitions']
}

/**
 * Returns the id of the run that a person started, to which a sub-agent's run belongs; the run's own id if it is
 * that one.
 */
export function rootRunId({ run_id, parent }: Pick<RunHeader, 'run_id' | 'parent'>): string {
  return parent?.root_run_id ?? run_id
}

/** Returns when a run was created (milliseconds since the epoch); 0 if the header does not hold a date. */
export function createdAt({ created_at }: Pick<RunHeader, 'created_at'>): number {
  return Date.parse(created_at) || 0
}

/** Returns the header of a run that begins now. */
export function runHeader(
  { plan, hash }: Pick<Program, 'plan' | 'hash'>,
  run_id: string,
  {
    definition_file,
    tools_file,
    user,
    session,
    on_behalf_of,
    parent,
    flags,
    batch,
    replay,
    definitions,
  }: RunOrigin = {},
): RunHeader {
  return {
    v: 1,
    run_id,
    agent_id: plan.agent_id,
    agent_name: plan.agent_name,
    created_at: new Date().toISOString(),
    plan_hash: hash,
    rehearsal: plan.rehearsal,
    ...defined({
      definition_file,
      tools_file,
      user,
      session,
      on_behalf_of,
      parent,
      flags,
      batch,
      replay,
      definitions,
    }),
  }
}
