import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { shorten } from '../net/shorten.ts'
import { assertDoubles } from './assert-doubles.ts'
import { madeWithout } from './call-outcome.ts'
import { toJsonData } from './json-data.ts'
import { readableData } from './readable-data.ts'
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
      assertDoubles({ tool, args })
      let result: unknown
      try {
        result = await found.call(toJsonData(args) as JsonObject, { signal, idempotencyKey: key, headers })
      } catch (error) {
        signal.throwIfAborted()
        // A function in another process: only its caller knows what became of the call.
        if (error instanceof ToolFailure) {
          if (error.code !== 'TOOL_RESULT_TOO_LARGE') throw error
          return madeWithout(tool, { code: 'TOOL_RESULT_TOO_LARGE', why: 'is larger than the limit' })
        }
        const reason = messageOf(error)
        throw new ToolFailure('TOOL_THREW', `${tool.name} failed: ${shorten(reason)}`, 'answered')
      }
      return readableData(result)
    },
  }
}
