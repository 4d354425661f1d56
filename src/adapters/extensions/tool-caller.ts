import { realpathSync } from 'node:fs'
import { messageOf } from '../../document/message-of.ts'
import { callFingerprint } from '../../policy/call-fingerprint.ts'
import type { ExtensionTools, ToolProtocol, ToolServices } from '../../run/extension.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'
import { CLOSE_MS, within } from '../net/within.ts'
import { assertDoubles } from '../tools/assert-doubles.ts'
import { readableData } from '../tools/readable-data.ts'
import type { CallInProgress } from './services.ts'
import { isCode, thrownMembers } from './thrown-members.ts'

/** Calls the tools of an extension and keeps the contract of a tool port for any behaviour of the extension. */
export interface ExtensionCaller extends ToolPort {
  close(): Promise<void>
}

export function createExtensionCaller(
  protocol: ToolProtocol,
  services: ToolServices,
  inProgress?: CallInProgress,
): ExtensionCaller {
  let opened: Promise<ExtensionTools> | undefined
  return {
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool } = request
      assertDoubles(request)
      const { file } = tool.binding ?? {}
      // Between planning and calling, a link may have replaced the file.
      if (protocol.reach === 'file' && (typeof file !== 'string' || !isThere(file))) {
        const why = `the planned file is no longer at ${String(file)}`
        throw new ToolFailure('TOOL_FILE_MOVED', `${tool.name} was not called: ${why}`, 'unsent')
      }
      opened ??= Promise.resolve().then(() => protocol.open(services))
      let tools: ExtensionTools
      try {
        tools = await opened
      } catch (error) {
        opened = undefined
        throw failureOf(error, tool.name, 'unsent')
      }
      let result: unknown
      try {
        const own = { ...request, args: structuredClone(request.args) }
        const work = () => tools.call(own, { signal })
        result = await (inProgress === undefined ? work() : inProgress.run(callFingerprint(tool), work))
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, tool.name, 'unknown')
      }
      return readableData(result)
    },
    async close() {
      await within(CLOSE_MS, Promise.resolve(opened?.then((tools) => tools.close?.())))
    },
  }
}

function isThere(file: string): boolean {
  try {
    return realpathSync(file) === file
  } catch {
    return false
  }
}

/** Checks members, not the class: an extension may use another copy of this package. */
function failureOf(error: unknown, tool: string, outcome: ToolFailure['outcome']): ToolFailure {
  const { name, code, outcome: known } = thrownMembers(error)
  const reported = shorten(messageOf(error))
  if (name === 'ToolFailure' && isCode(code) && OUTCOMES.some((one) => one === known))
    return new ToolFailure(code, reported, (known as ToolFailure['outcome']) ?? outcome)
  // The gate may have refused the second of two requests, so the outcome of the whole call is unknown.
  if (error instanceof GateRefusal) return new ToolFailure(error.code, reported, outcome)
  return new ToolFailure('TOOL_THREW', `${tool} failed: ${reported}`, outcome)
}

const OUTCOMES: readonly unknown[] = ['unsent', 'answered', 'unknown']
