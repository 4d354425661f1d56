import type { Code } from '../../document/codes.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { untilAborted } from '../net/until-aborted.ts'

/** Who calls the tools of each protocol; one that is absent cannot be called on this host. */
export type ToolCallers = Readonly<Partial<Record<PlannedTool['protocol'], ToolPort>>>

/**
 * The tool port of a run: sends each call to whoever speaks its protocol, and gives it the time that the plan
 * gives it (AAIF §4.4 timeout_seconds). A call that a signal ends is given up at once, whether or not the tool
 * notices, and nobody knows what became of it.
 */
export function createToolPort(callers: ToolCallers): ToolPort {
  return {
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool } = request
      const refuse = (code: Code, why: string) =>
        new ToolFailure(code, `${tool.name} was not called: ${why}`, 'unsent')
      // The run asks the gate first; a call that comes here past it is a fault that must not reach the world.
      if (tool.gate === 'deny') throw refuse('TOOL_DENIED', tool.reason ?? 'the plan denies it')
      const caller = callers[tool.protocol]
      if (caller === undefined) {
        throw refuse('TOOL_PROTOCOL_UNSUPPORTED', `this host calls no ${tool.protocol} tools`)
      }
      if (tool.timeout_ms === undefined) return untilAborted(caller.call(request, { signal }), signal)
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(new TimeUp(tool)), tool.timeout_ms)
      const either = AbortSignal.any([signal, timeout.signal])
      try {
        return await untilAborted(caller.call(request, { signal: either }), either)
      } catch (error) {
        signal.throwIfAborted()
        throw timeout.signal.aborted ? new TimeUp(tool) : error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

class TimeUp extends ToolFailure {
  constructor(tool: PlannedTool) {
    super(
      'TOOL_TIMEOUT',
      `${tool.name} took longer than ${tool.timeout_ms} ms; it may have acted on the call`,
      'unknown',
    )
  }
}
