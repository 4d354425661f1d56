import type { FunctionError } from '../adapters/tools/reported-functions.ts'
import { describeTool, descriptionOf } from '../adapters/tools/tool-description.ts'
import type {
  HookContext,
  HookFunction,
  ToolCallContext,
  ToolFunction,
  ToolModule,
} from '../adapters/tools/tool-module.ts'
import { WaybillError } from '../document/issue.ts'
import { suggest } from '../document/suggest.ts'
import type { Plan } from '../plan/plan.ts'
import { assertExtensions } from './extensions.ts'
import type { Parts } from './parts.ts'

export { describeTool, type FunctionError, type ToolCallContext }

/** Loads the function module of the operator. A definition cannot name such a file. */
export async function loadTools(path: string): Promise<ToolModule> {
  const { loadToolModule } = await import('../adapters/tools/tool-module.ts')
  return loadToolModule(path)
}

/** A hook given in code. It receives events, and `on_tool_call` may veto with `false` or `{ veto: reason }`. */
export type InlineHook = (event: never, context: HookContext) => unknown

/**
 * A function tool given in code: what `tool()` returns, or any function. Mark a function with
 * `Object.assign(fn, { readOnly: true })`; an unmarked one counts as a write.
 */
export interface InlineTool {
  (args: never, context: ToolCallContext): unknown
  readonly readOnly?: boolean
  readonly idempotent?: boolean
}

export function toolModuleOf(
  tools: Readonly<Record<string, InlineTool>>,
  hooks: Readonly<Record<string, InlineHook>> = {},
): ToolModule {
  return {
    tools: new Map(
      Object.entries(tools).map(([name, tool]): [string, ToolFunction] => [
        name,
        {
          ...descriptionOf(tool),
          call: tool as ToolFunction['call'],
          readOnly: tool.readOnly ?? false,
          idempotent: tool.idempotent ?? false,
        },
      ]),
    ),
    hooks: new Map(Object.entries(hooks) as [string, HookFunction][]),
  }
}

/** @throws FUNCTION_MISSING if the recorded plan calls functions that are not available */
export function assertFunctions(plan: Plan, parts: Parts): void {
  if (plan.rehearsal) return
  const missing = plan.tools
    .filter(
      (tool) =>
        tool.protocol === 'function' && tool.gate !== 'deny' && parts.tools?.tools.has(tool.name) !== true,
    )
    .map((tool) => tool.name)
  assertExtensions(plan, parts)
  const hooks = (plan.hooks ?? []).filter(({ name }) => parts.tools?.hooks.has(name) !== true)
  missing.push(...hooks.map(({ hook, name }) => `${name} (${hook})`))
  if (missing.length === 0) return
  throw new WaybillError('FUNCTION_MISSING', {
    fault: 'failed',
    message: `the run needs the function${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`,
    hint: missingHint(missing, plan, parts),
    rule: 'AAIF-4.4-02',
  })
}

function missingHint(missing: readonly string[], { tools }: Plan, parts: Parts): string {
  const exported = parts.tools === undefined ? [] : [...parts.tools.tools.keys(), ...parts.tools.hooks.keys()]
  const unused = exported.filter((name) => !tools.some((tool) => tool.name === name))
  const pairs = missing.flatMap((text) => {
    const name = text.replace(/ .*/, '')
    const near = suggest(name, unused)
    return near === undefined ? [] : [`the module exports ${near}: did you mean ${name}?`]
  })
  return pairs.length === 0 ? 'add the module that exports them: --tools FILE' : pairs.join(' ')
}
