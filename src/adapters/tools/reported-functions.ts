import { ToolFailure } from '../../run/ports.ts'
import type { ToolModule } from './tool-module.ts'

/** An error that a function of the operator threw, for its author. The model and the record get only its message. */
export interface FunctionError {
  /** The name of the function or hook. */
  readonly name: string
  /** The kinds and frames of the error and of its causes, without their messages. */
  readonly stack: string
}

const LONGEST = 8000
/** Causes of causes; an error may be its own cause. */
const MOST_CAUSES = 5

/** Returns the module with functions and hooks that report what they throw, except for calls that were cancelled. */
export function reportedFunctions(module: ToolModule, report: (error: FunctionError) => void): ToolModule {
  const reported =
    <Args extends readonly unknown[]>(name: string, call: (...args: Args) => unknown) =>
    async (...args: Args): Promise<unknown> => {
      try {
        return await call(...args)
      } catch (error) {
        const { signal } = args[1] as { readonly signal: AbortSignal }
        if (!signal.aborted && !(error instanceof ToolFailure)) report({ name, stack: stackOf(error) })
        throw error
      }
    }
  return {
    ...module,
    tools: new Map(
      [...module.tools].map(([name, tool]) => [
        name,
        { ...tool, call: reported(name, (...args) => tool.call(...args)) },
      ]),
    ),
    hooks: new Map([...module.hooks].map(([name, hook]) => [name, reported(name, hook)])),
  }
}

/** Never throws: code of the operator may throw values whose members throw. */
function stackOf(error: unknown): string {
  try {
    const parts: string[] = []
    for (let one: unknown = error; parts.length < MOST_CAUSES; ) {
      const { stack, cause } = Object(one) as { readonly stack?: unknown; readonly cause?: unknown }
      parts.push(typeof stack === 'string' ? framesOf(one, stack) : `a value of type ${typeof one}`)
      if (cause === undefined || cause === null) break
      one = cause
    }
    return parts.join('\ncaused by ').slice(0, LONGEST)
  } catch {
    return 'an error without a readable stack'
  }
}

/**
 * Returns the kind of an error and its frames, without those of Node itself. The message is left out: it may contain
 * personal data, and is shown with the call, as the agent handles such data.
 */
function framesOf(error: unknown, stack: string): string {
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/^\s+at .*\(?node:internal\//.test(line))
  return [Object(error).constructor?.name ?? 'Error', ...frames].join('\n')
}
