/**
 * Uses of the library as a caller writes them: the compiler must accept each one, and refuse each that is marked. Checked
 * by `types.test.ts`, and against the types of the packed package.
 */
import {
  type Agent,
  type AgentDefinition,
  type AgentSource,
  type Json,
  type JsonObject,
  type LoadedAgent,
  loadAgent,
  openAgent,
  type PlanOptions,
  planRun,
  run,
  tool,
  WaybillError,
} from 'waybill'

/** True if two types are the same, and not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(is: Same<A, B>): boolean => is
type ArgumentsIn<T> = T extends (args: infer Args, ...rest: never[]) => unknown ? Args : never

// Each keyword that is inferred.
const all = tool({
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      whole: { type: 'integer' },
      amount: { type: 'number' },
      flag: { type: 'boolean' },
      none: { type: 'null' },
      list: { type: 'array', items: { type: 'string' } },
      any_list: { type: 'array' },
      inner: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      open: { type: 'object' },
      word: { enum: ['a', 'b', 3, null] },
      fixed: { const: 'only' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      one: { oneOf: [{ const: 1 }, { const: 2 }] },
      both: { type: ['string', 'null'] },
      empty: { type: 'string', nullable: true },
      unknown: { description: 'Anything.' },
      referred: { $ref: '#/$defs/x' },
      untyped: { properties: { x: { type: 'string' } } },
    },
    required: ['text', 'list', 'inner', 'map', 'both'],
  },
  execute: (args) => args.text,
})
same<
  ArgumentsIn<typeof all>,
  {
    readonly text: string
    readonly list: readonly string[]
    readonly inner: { readonly id: number }
    readonly map: { readonly [name: string]: number }
    readonly both: string | null
    readonly whole?: number
    readonly amount?: number
    readonly flag?: boolean
    readonly none?: null
    readonly any_list?: readonly Json[]
    readonly open?: JsonObject
    readonly word?: 'a' | 'b' | 3 | null
    readonly fixed?: 'only'
    readonly either?: string | number
    readonly one?: 1 | 2
    readonly empty?: string | null
    readonly unknown?: Json
    readonly referred?: Json
    readonly untyped?: { readonly x?: string }
  }
>(true)

// The type of the result is that of `execute`, without its promise.
const later = tool({ execute: async () => ({ place: 'depot' }) })
same<ReturnType<typeof later>, Promise<{ place: string }>>(true)

// Without parameters the arguments are JSON data.
same<ArgumentsIn<typeof later>, JsonObject>(true)

// A schema of a library with Standard JSON Schema, here without one.
declare const standard: {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'own'
    readonly types?: { readonly input: { n?: string }; readonly output: { n: number } }
    readonly validate: (value: unknown) => { readonly value: { n: number } }
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
  }
}
const converted = tool({ parameters: standard, execute: ({ n }) => n.toFixed() })
same<ArgumentsIn<typeof converted>, { n: number }>(true)

const number = {
  type: 'object',
  properties: { number: { type: 'string' }, count: { type: 'integer' } },
  required: ['number'],
} as const
const find = tool({
  description: 'Finds a parcel.',
  readOnly: true,
  idempotent: false,
  parameters: number,
  execute: ({ number, count }, { signal, idempotencyKey, headers }) => ({
    place: number.toUpperCase(),
    count: count?.toFixed(),
    more: [signal.aborted, idempotencyKey.length, Object.keys(headers)],
  }),
})

tool({
  parameters: number,
  execute: ({
    // @ts-expect-error: a member that the schema does not have
    numbr,
  }) => numbr,
})
tool({
  parameters: number,
  // @ts-expect-error: an optional member may be absent
  execute: ({ count }) => count.toFixed(),
})
tool({
  parameters: number,
  // @ts-expect-error: the schema has a string
  execute: (args: { number: number }) => args.number,
})
tool({
  // @ts-expect-error: the option is readOnly
  readonly: true,
  execute: () => null,
})
tool({
  // @ts-expect-error: neither true nor false
  readOnly: 'yes',
  execute: () => null,
})
// @ts-expect-error: without a function
tool({ parameters: number })
tool({
  // @ts-expect-error: no schema
  parameters: 'string',
  execute: () => null,
})

// Tools are options, beside functions of the older form.
const tools: NonNullable<PlanOptions['tools']> = {
  find,
  converted,
  plain: (args: { number: string }) => args.number,
  marked: Object.assign(async ({ n }: { n: number }) => n, { readOnly: true }),
}
// @ts-expect-error: a text is not a tool
const wrong: NonNullable<PlanOptions['tools']> = { find: 'find' }

// An agent is given in the same ways to each function.
declare const definition: AgentDefinition
declare const loaded: LoadedAgent
export const sources: readonly AgentSource[] = [
  'agent.yaml',
  new URL('file:///agent.yaml'),
  loaded,
  definition,
]
export async function uses(source: AgentSource): Promise<readonly unknown[]> {
  const agent: Agent = await openAgent(source, { tools })
  const plan = await planRun(await loadAgent('agent.yaml'), { tools, judge: 'openai/gpt-4o' })
  const result = await run(source, {
    input: { n: 1 },
    decide: ({ asks, arguments: args, call_id, run_id, tool: name, reason }) =>
      asks === 'approval' && args.n === 1 && name !== '' && call_id !== run_id
        ? { verdict: 'approve', by: 'Ada' }
        : { verdict: 'deny', by: 'Ada', why: reason ?? 'no' },
  })
  result.waiting?.map(({ asks }) => asks === 'unknown')
  // @ts-expect-error: the option is allowHosts
  await run(source, { allowHost: ['127.0.0.1'] })
  // @ts-expect-error: a decision needs a person
  await run(source, { decide: () => ({ verdict: 'approve' }) })
  // @ts-expect-error: the call has arguments, not args
  await run(source, { decide: ({ args }) => args })
  // @ts-expect-error: a number is not an agent
  await run(7)
  // @ts-expect-error: decide is an option of a run
  await openAgent(source, { decide: () => null })
  return [agent, plan, result, wrong]
}

export function shown(error: unknown): string {
  if (!(error instanceof WaybillError)) return ''
  const { code, message, pointer, line, column, file, hint, rule, issues } = error
  // @ts-expect-error: a code that does not exist
  if (code === 'DEFINITION_INVALIDD') return ''
  const places: readonly (number | undefined)[] = [line, column, ...issues.map((issue) => issue.line)]
  const texts: readonly (string | undefined)[] = [message, pointer, file, hint, rule, error.toJSON().code]
  return [...texts, ...places].join(' ')
}
