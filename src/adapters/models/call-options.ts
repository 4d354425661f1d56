import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import { SCHEMA_STAND_IN } from './wire-fetch.ts'

/** The options of every request of a plan, independent of the conversation. */
export type FixedOptions = Omit<LanguageModelV4CallOptions, 'prompt' | 'abortSignal'>

/** Returns the tools offered to a model; denied tools are not offered. */
export function offeredTools(plan: Plan): readonly PlannedTool[] {
  return plan.tools.filter((tool) => tool.gate !== 'deny')
}

/** Returns parameters, tools and the response format from the plan. The provider reports what it does not support. */
export function fixedOptions(plan: Plan): FixedOptions {
  const { params } = plan
  const tools = offeredTools(plan).map(
    (tool): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema:
        tool.parameters_schema === undefined ? { type: 'object', properties: {} } : SCHEMA_STAND_IN,
    }),
  )
  return {
    ...defined({
      temperature: params.temperature,
      maxOutputTokens: params.max_tokens,
      topP: params.top_p,
      frequencyPenalty: params.frequency_penalty,
      presencePenalty: params.presence_penalty,
    }),
    ...(params.stop !== undefined && { stopSequences: [...params.stop] }),
    ...defined({ seed: params.seed }),
    ...(tools.length > 0 && { tools }),
    ...answerForm(plan),
  }
}

function answerForm({ output }: Plan): FixedOptions {
  if (output.structured && output.schema !== undefined) {
    // The published schema type is draft 7; the provider accepts or refuses newer keywords.
    const schema = output.schema as NonNullable<
      Extract<FixedOptions['responseFormat'], { type: 'json' }>['schema']
    >
    const strictJsonSchema = fitsStrictMode(output.schema)
    return {
      responseFormat: { type: 'json', schema },
      providerOptions: { openai: { strictJsonSchema }, openaiCompatible: { strictJsonSchema } },
    }
  }
  return output.format === 'json' ? { responseFormat: { type: 'json' } } : {}
}

/**
 * Returns true if OpenAI's strict mode accepts a schema: every object is closed and every property required. Other
 * schemas are sent without strict, because the API would answer 400.
 */
function fitsStrictMode(schema: JsonObject): boolean {
  const pending: unknown[] = [schema]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (Array.isArray(part)) pending.push(...part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue
    const { type, properties, required, additionalProperties } = part as Record<string, unknown>
    const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
    if (isObject || (typeof properties === 'object' && properties !== null && !Array.isArray(properties))) {
      const names = Object.keys((properties as object | undefined) ?? {})
      const listed = new Set(Array.isArray(required) ? required : [])
      if (additionalProperties !== false || names.some((name) => !listed.has(name))) return false
    }
    const { enum: _enum, const: _const, default: _default, examples: _examples, ...rest } = part as JsonObject
    for (const [member, value] of Object.entries(rest)) {
      if (member === 'properties' || member === '$defs' || member === 'definitions') {
        pending.push(...Object.values((value as object | null) ?? {}))
      } else pending.push(value)
    }
  }
  return true
}
