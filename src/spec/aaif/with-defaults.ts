import type {
  Agent,
  AgentDefinition,
  Compliance,
  HandoffRule,
  HumanInTheLoop,
  Io,
  MemoryEntry,
  Model,
  Orchestration,
  Runtime,
  Telemetry,
  Tool,
  ToolAuth,
} from './generated/agent.ts'
import { SC_VERSION } from './vocabulary.ts'

/** `T` in which these members are always there. */
type With<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: NonNullable<T[P]> }

export type EffectiveModel = With<Model, 'routing_strategy' | 'response_format'>
export type EffectiveHandoff = With<HandoffRule, 'pass_context' | 'pass_memory'>
export type EffectiveOrchestration = Omit<
  With<Orchestration, 'parallel_execution' | 'max_iterations'>,
  'handoff'
> & { readonly handoff?: readonly EffectiveHandoff[] }
export type EffectiveTool = Omit<Tool, 'auth'> & { readonly auth?: With<ToolAuth, 'type'> }
export type EffectiveMemory = With<MemoryEntry, 'top_k'>
export type EffectiveIo = With<Io, 'streaming' | 'format' | 'mode'>
export type EffectiveRuntime = With<
  Runtime,
  'max_retries' | 'retry_backoff' | 'concurrency' | 'streaming' | 'async_execution' | 'environment'
>
export type EffectiveTelemetry = With<Telemetry, 'tracing' | 'log_level' | 'metrics' | 'trace_context_header'>
export type EffectiveCompliance = Omit<
  With<Compliance, 'safety_level' | 'pii_handling' | 'audit_log'>,
  'human_in_the_loop'
> & { readonly human_in_the_loop: With<HumanInTheLoop, 'enabled'> }

export type EffectiveAgent = Omit<
  Agent,
  'model' | 'orchestration' | 'tools' | 'memory' | 'io' | 'runtime' | 'telemetry' | 'compliance'
> & {
  readonly model: EffectiveModel
  readonly orchestration: EffectiveOrchestration
  readonly tools: readonly EffectiveTool[]
  readonly memory: readonly EffectiveMemory[]
  readonly io: EffectiveIo
  readonly runtime: EffectiveRuntime
  readonly telemetry: EffectiveTelemetry
  readonly compliance: EffectiveCompliance
}

/** A definition as a host reads it: every member that has a default is there. Never written back. */
export type EffectiveDefinition = Omit<With<AgentDefinition, 'sc_version' | 'status'>, 'agent'> & {
  readonly agent: EffectiveAgent
}

/**
 * The values in force: what the definition says, and the defaults of the format where it says nothing (AAIF-4-04,
 * SPEC-D-01, -08, -10, -18, -21, -22, -24, AAIF-4.3-10, AAIF-4.6-05). The definition itself is left as it is: to write
 * defaults into a document would claim that its author chose them.
 */
export function withDefaults(definition: AgentDefinition): EffectiveDefinition {
  const { agent } = definition
  return {
    ...definition,
    sc_version: definition.sc_version ?? SC_VERSION,
    status: definition.status ?? 'active',
    agent: {
      ...agent,
      model: { routing_strategy: 'preferred_first', response_format: 'text', ...agent.model },
      orchestration: withOrchestrationDefaults(agent.orchestration),
      tools: (agent.tools ?? []).map(withToolDefaults),
      memory: (agent.memory ?? []).map((entry) => ({ top_k: 5, ...entry })),
      io: { streaming: false, format: 'text', mode: 'sync', ...agent.io },
      runtime: {
        max_retries: 2,
        retry_backoff: 'exponential',
        concurrency: 1,
        streaming: false,
        async_execution: false,
        environment: 'production',
        ...agent.runtime,
      },
      telemetry: {
        tracing: true,
        log_level: 'info',
        metrics: true,
        trace_context_header: 'traceparent',
        ...agent.telemetry,
      },
      compliance: {
        safety_level: 'standard',
        pii_handling: 'detect',
        audit_log: false,
        ...agent.compliance,
        human_in_the_loop: { enabled: false, ...agent.compliance?.human_in_the_loop },
      },
    },
  }
}

function withOrchestrationDefaults(orchestration: Orchestration = {}): EffectiveOrchestration {
  const { handoff, ...rest } = orchestration
  return {
    parallel_execution: false,
    max_iterations: 10,
    ...rest,
    ...(handoff !== undefined && {
      handoff: handoff.map((rule) => ({ pass_context: true, pass_memory: false, ...rule })),
    }),
  }
}

function withToolDefaults({ auth, ...tool }: Tool): EffectiveTool {
  return auth === undefined ? tool : { ...tool, auth: { type: 'none', ...auth } }
}
