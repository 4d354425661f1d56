import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { shorten } from '../net/shorten.ts'
import { toJsonData } from './json-data.ts'
import type { ToolModule } from './tool-module.ts'

/** Calls tools that are functions of the operator's module. Arguments are copied, so a function may change them. */
export function createFunctionTool(module: Pick<ToolModule, 'tools'>): ToolPort {
  return {
    async call({ tool, args, key, headers = {} }, { signal }) {
      signal.throwIfAborted()
      const found = module.tools.get(tool.name)
      if (found === undefined) {
        const named = [...module.tools.keys()].join(', ') || 'none'
        const message = `there is no function ${tool.name}; the tools module has: ${named}`
        throw new ToolFailure('TOOL_FUNCTION_MISSING', message, 'unsent')
      }
      let result: unknown
      try {
        result = await found.call(toJsonData(args) as JsonObject, { signal, idempotencyKey: key, headers })
      } catch (error) {
        signal.throwIfAborted()
        // A function in another process: only its caller knows what became of the call.
        if (error instanceof ToolFailure) throw error
        const reason = messageOf(error)
        throw new ToolFailure('TOOL_THREW', `${tool.name} failed: ${shorten(reason)}`, 'answered')
      }
      try {
        return toJsonData(result)
      } catch (error) {
        const what = error instanceof Error ? error.message : 'something'
        throw new ToolFailure(
          'TOOL_RESULT_NOT_JSON',
          `${tool.name} returned ${what}, which JSON cannot represent`,
          'answered',
        )
      }
    },
  }
}
