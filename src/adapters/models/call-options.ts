import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import { SCHEMA_STAND_IN } from './wire-fetch.ts'

/** The options of every request of a plan, independent of the conversation. */
export type FixedOptions = Omit<LanguageModelV4CallOptions, 'prompt' | 'abortSignal'>

/** Returns the tools offered to a model; denied tools are not offered. */
export function offeredTools(plan: Plan): readonly PlannedTool[] {
  return plan.tools.filter((tool) => tool.gate !== 'deny')
}

/** Returns the options of a request that contains only some of the tools; see `ModelRequest`. */
export function withTools(fixed: FixedOptions, shown: readonly string[] | undefined): FixedOptions {
  if (shown === undefined) return fixed
  const names = new Set(shown)
  return { ...fixed, tools: (fixed.tools ?? []).filter(({ name }) => names.has(name)) }
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

/** The keywords of OpenAI's strict mode; a schema with another one is answered with 400. */
const STRICT_KEYWORDS = new Set(
  'type properties required additionalProperties items enum const anyOf $ref $defs definitions $schema title description pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  ),
)
const STRICT_FORMATS = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))

/**
 * Returns true if OpenAI's strict mode accepts a schema: the root is an object, every object is closed, every property is
 * required, and every part says what it accepts. Other schemas are sent without strict, because the API would answer 400.
 */
function fitsStrictMode(schema: JsonObject): boolean {
  if (schema.type !== 'object') return false
  const pending: (Json | undefined)[] = [schema]
  while (pending.length > 0) {
    const part = pending.pop()
    if (part === undefined || !isObject(part) || !isStrictPart(part)) return false
    const { properties = {}, $defs = {}, definitions = {}, items, anyOf = [] } = part
    for (const named of [properties, $defs, definitions]) {
      if (!isObject(named)) return false
      pending.push(...Object.values(named))
    }
    if (!Array.isArray(anyOf)) return false
    pending.push(...anyOf, ...(items === undefined ? [] : [items]))
  }
  return true
}

/** Judges one part of a schema, without the parts that it contains. */
function isStrictPart(part: JsonObject): boolean {
  const { type, properties, required, additionalProperties, items, format } = part
  if (Object.keys(part).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false
  // A part such as `{}` accepts every value.
  if (!['type', '$ref', 'anyOf', 'enum', 'const'].some((keyword) => Object.hasOwn(part, keyword)))
    return false
  if (format !== undefined && !STRICT_FORMATS.has(String(format))) return false
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('array') && items === undefined) return false
  if (!types.includes('object') && properties === undefined) return true
  const listed = new Set(Array.isArray(required) ? required : [])
  return additionalProperties === false && Object.keys(properties ?? {}).every((name) => listed.has(name))
}
