import type { Condition } from '../condition/condition.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'

/** A sub-agent that the agent may call. */
export interface PlannedSubagent {
  readonly ref: string
  /** Its alias, or its ref if it has no alias. Unique in the plan. */
  readonly alias: string
  /** Its index in `orchestration.subagents[]`; absent if only a rule names it. */
  readonly index?: number
  readonly role?: 'worker' | 'evaluator' | 'specialist' | 'fallback'
  /** The role declared in its own definition. */
  readonly own_role?: string
  /** `definition_hash` of its definition; absent if it was not found. */
  readonly agent?: string
  readonly when?: Condition
  readonly pass_memory_keys?: readonly string[]
  /** In a rehearsal, a test double replaces it. */
  readonly doubled?: true
  /** The reason why it cannot be called, or only its test double. */
  readonly reason?: string
  /** What the audit log must say about its definition, which is invalid. */
  readonly refused?: AuditedAgent
}

/** The orchestration of sub-agents (AAIF §4.3). Absent from a plan: there are no sub-agents. */
export interface PlannedOrchestration {
  /** `model`: the agent's own model calls sub-agents as tools, or only hand-off rules delegate. */
  readonly mode: 'pipeline' | 'swarm' | 'router' | 'model'
  /** Aliases in the order of a pipeline. */
  readonly steps: readonly string[]
  /** Aliases of the workers of a swarm, or of the candidates of a router. */
  readonly workers: readonly string[]
  readonly consensus?: PlannedConsensus
  /** Alias of the agent that merges the results of a swarm; absent: the agent's own model merges them. */
  readonly synthesizer?: string
  /** Alias of the agent that replaces a failed sub-agent. */
  readonly fallback?: string
  readonly max_parallel: number
  readonly handoffs: readonly PlannedHandoff[]
}

export interface PlannedConsensus {
  readonly strategy: 'majority_vote' | 'best_of_n' | 'referee' | 'first_success'
  readonly min_votes?: number
  /** Alias of the evaluator (best_of_n) or the referee; absent: the agent's own model decides. */
  readonly judge?: string
  /** Who decides: `workers` by their answers, a `subagent` (see `judge`), or the `own_model`. Absent in older plans. */
  readonly decided_by?: 'workers' | 'subagent' | 'own_model'
}

export interface PlannedHandoff {
  readonly condition: Condition
  /** Alias of the receiving agent. */
  readonly target: string
  readonly pass_context: boolean
  readonly pass_memory: boolean
}
