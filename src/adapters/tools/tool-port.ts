import type { Code } from '../../document/codes.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { startTimeLimit } from '../clock/after-input.ts'
import { untilAborted } from '../net/until-aborted.ts'

/** The callers by protocol; a protocol without a caller is not supported on this host. */
export type ToolCallers = Readonly<Partial<Record<PlannedTool['protocol'], ToolPort>>>

/**
 * The tool port of a run: dispatches each call to the caller for its protocol, with the timeout in the plan (AAIF §4.4
 * timeout_seconds). An answer that arrived within the timeout counts, also if this process was suspended. An aborted call ends immediately, even if the tool continues; its outcome is then unknown.
 */
export function createToolPort(callers: ToolCallers): ToolPort {
  return {
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool } = request
      const refuse = (code: Code, why: string) =>
        new ToolFailure(code, `${tool.name} was not called: ${why}`, 'unsent')
      // The run checks the gate first; a denied call that reaches this line is a bug and must not be sent.
      if (tool.gate === 'deny') throw refuse('TOOL_DENIED', tool.reason ?? 'the plan denies it')
      const caller = callers[tool.protocol]
      if (caller === undefined) {
        throw refuse('TOOL_PROTOCOL_UNSUPPORTED', `this host does not support ${tool.protocol} tools`)
      }
      if (tool.timeout_ms === undefined) return untilAborted(caller.call(request, { signal }), signal)
      const timeout = new AbortController()
      const cancel = startTimeLimit(tool.timeout_ms, () => timeout.abort(new TimeUp(tool)))
      const either = AbortSignal.any([signal, timeout.signal])
      try {
        return await untilAborted(caller.call(request, { signal: either }), either)
      } catch (error) {
        signal.throwIfAborted()
        throw timeout.signal.aborted ? new TimeUp(tool) : error
      } finally {
        cancel()
      }
    },
  }
}

class TimeUp extends ToolFailure {
  constructor(tool: PlannedTool) {
    super(
      'TOOL_TIMEOUT',
      `${tool.name} took longer than ${tool.timeout_ms} ms; the call may have taken effect`,
      'unknown',
    )
  }
}
