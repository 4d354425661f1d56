import { defined } from '../../document/defined.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Plan, PlannedMemory, PlannedModel, PlannedTool } from '../../plan/plan.ts'
import type { SpanAttributes } from '../ports.ts'
import type { AgentCall, CallEntry, RunEnd, RunState, Usage } from '../state.ts'

// Every span has AAIF's attributes (§4.7) and those of OpenTelemetry's conventions for generative AI (`gen_ai.*`),
// whose meaning AAIF does not define (§11). An attribute that AAIF names is always set; if it has no value (the
// endpoint of a function), it is the empty string. No attribute contains text of people, models or tools.

/** Our provider names that differ in the conventions. */
const GEN_AI_PROVIDERS: Readonly<Record<string, string>> = {
  azure_openai: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex_ai: 'gcp.vertex_ai',
  xai: 'x_ai',
}

export function runAttributes(plan: Plan, state: RunState): SpanAttributes {
  return {
    'agent.id': plan.agent_id,
    'agent.name': plan.agent_name,
    'agent.version': plan.agent_version ?? '',
    ...runModel(plan, state),
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': plan.agent_id,
    'gen_ai.agent.name': plan.agent_name,
    ...defined({ 'gen_ai.agent.version': plan.agent_version }),
    'gen_ai.conversation.id': state.run_id,
    ...defined({ 'deployment.environment.name': plan.telemetry.environment }),
    'waybill.run.id': state.run_id,
    'waybill.run.turn': state.turn,
    ...(plan.rehearsal && { 'waybill.rehearsal': true }),
  }
}

/** Returns the attributes that are known when a turn ends. @param before what the run had used before the turn */
export function runEndAttributes(
  plan: Plan,
  state: RunState,
  end: RunEnd,
  before: RunState['totals'],
): SpanAttributes {
  const { totals } = state
  return {
    ...runModel(plan, state),
    'gen_ai.usage.input_tokens': totals.input_tokens - before.input_tokens,
    'gen_ai.usage.output_tokens': totals.output_tokens - before.output_tokens,
    'waybill.run.status': end.status,
    'waybill.run.stop_reason': end.stop_reason,
    'waybill.run.duration_ms': totals.duration_ms - before.duration_ms,
  }
}

/** Returns the route that answered last, or the one that is asked first. */
function runModel(plan: Plan, { answered_by }: RunState): SpanAttributes {
  const route = answered_by === null ? plan.models.find(({ eligible }) => eligible) : plan.models[answered_by]
  if (route === undefined) return { 'model.provider': '', 'model.name': '' }
  return {
    'model.provider': providerOf(route),
    'model.name': route.model,
    'gen_ai.provider.name': genAiProvider(route),
    'gen_ai.request.model': route.model,
  }
}

export function attemptAttributes(plan: Plan, route: PlannedModel, retry: number): SpanAttributes {
  const { temperature, max_tokens, top_p } = plan.params
  return {
    'llm.model': route.model,
    'llm.provider': providerOf(route),
    // Unknown until the model answers; a failed attempt reports no usage.
    'llm.input_tokens': 0,
    'llm.output_tokens': 0,
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': genAiProvider(route),
    'gen_ai.request.model': route.model,
    ...defined({
      'gen_ai.request.temperature': temperature,
      'gen_ai.request.max_tokens': max_tokens,
      'gen_ai.request.top_p': top_p,
    }),
    ...(retry > 0 && { 'waybill.retry': retry }),
    ...(plan.rehearsal && { 'waybill.rehearsal': true }),
  }
}

export function answerAttributes(
  usage: Usage,
  finish: string,
  cost_usd: number | null | undefined,
): SpanAttributes {
  return {
    'llm.input_tokens': usage.input_tokens,
    'llm.output_tokens': usage.output_tokens,
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.response.finish_reasons': [finish],
    ...(typeof cost_usd === 'number' && { 'waybill.cost_usd': cost_usd }),
  }
}

/** The judge may not report its usage. */
export function judgeAttributes(usage: Usage | undefined): SpanAttributes {
  if (usage === undefined) return {}
  return {
    'llm.input_tokens': usage.input_tokens,
    'llm.output_tokens': usage.output_tokens,
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
  }
}

export function toolAttributes(plan: Plan, tool: PlannedTool | undefined, call: CallEntry): SpanAttributes {
  const protocol = tool?.protocol ?? 'undetermined'
  return {
    'tool.name': call.tool,
    'tool.protocol': protocol,
    'tool.endpoint': withoutQuery(tool?.endpoint ?? ''),
    ...toolCallAttributes(call),
    'gen_ai.tool.type': protocol === 'function' ? 'function' : 'extension',
    ...(plan.rehearsal && { 'waybill.rehearsal': true }),
  }
}

/** The form of the ids that providers make. A provider can choose any text for an id, and a text is not reported. */
const ORDINARY_ID = /^[A-Za-z0-9_-]{1,64}$/

export function toolCallAttributes(call: CallEntry): SpanAttributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    ...(ORDINARY_ID.test(call.id) && { 'gen_ai.tool.call.id': call.id }),
  }
}

/** Several scopes or backends of one access are joined in one attribute, with commas. */
export function memoryAttributes(entries: readonly PlannedMemory[]): SpanAttributes {
  return {
    'memory.scope': [...new Set(entries.map(({ scope }) => scope))].join(','),
    'memory.backend': [...new Set(entries.map(({ kept_in }) => kept_in))].join(','),
  }
}

export function handoffAttributes(agent: AgentCall, target: Plan | undefined): SpanAttributes {
  const id = target?.agent_id ?? ''
  return {
    'target_agent.id': id,
    pass_context: agent.pass_context,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': id,
    'gen_ai.agent.name': target?.agent_name ?? agent.alias,
    'waybill.target_agent.alias': agent.alias,
    'waybill.target_agent.run_id': agent.run_id,
  }
}

function providerOf({ provider, provider_id }: PlannedModel): string {
  return provider_id ?? provider
}

function genAiProvider(route: PlannedModel): string {
  return ownMember(GEN_AI_PROVIDERS, route.provider) ?? providerOf(route)
}

/** Queries may contain keys and ids of customers. */
function withoutQuery(endpoint: string): string {
  return endpoint.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
}
