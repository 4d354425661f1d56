import { messageOf } from '../../document/message-of.ts'
import type { HookPort, HookRequest } from '../../run/ports.ts'
import { startTimeLimit } from '../clock/after-input.ts'
import { shorten } from '../net/shorten.ts'
import type { HookContext, HookFunction } from './tool-module.ts'

/** Timeout of a hook. */
const HOOK_TIMEOUT_MS = 30_000

/**
 * Calls the hooks of the operator's module, each with a copy of its argument. `on_tool_call` vetoes by returning
 * `false` or `{ veto: reason }`, allows by returning undefined or `true`, and fails with any other result; the results
 * of other hooks are ignored.
 * @param timeoutMs timeout of one hook in milliseconds
 */
export function createHookPort(
  hooks: ReadonlyMap<string, HookFunction>,
  timeoutMs: number = HOOK_TIMEOUT_MS,
): HookPort {
  return {
    async run(request) {
      const found = hooks.get(request.name)
      if (found === undefined) return { ok: false, message: `there is no hook ${request.name}` }
      const limit = new AbortController()
      let cancel = () => {}
      try {
        const late = new Promise<never>((_, reject) => {
          cancel = startTimeLimit(timeoutMs, () => {
            reject(new Error(`it took longer than ${timeoutMs} ms`))
            limit.abort()
          })
        })
        const argument = structuredClone(argumentOf(request))
        const returned = await Promise.race([
          callNow(found, argument, { signal: limit.signal, idempotencyKey: request.key }),
          late,
        ])
        return { ok: true, ...vetoOf(request, returned) }
      } catch (error) {
        return { ok: false, message: shorten(messageOf(error)) }
      } finally {
        cancel()
      }
    },
  }
}

async function callNow(hook: HookFunction, argument: object, context: HookContext): Promise<unknown> {
  return hook(argument, context)
}

function argumentOf({ name: _name, key: _key, ...argument }: HookRequest): object {
  return argument
}

function vetoOf({ hook }: HookRequest, returned: unknown): { readonly veto?: string } {
  if (hook !== 'on_tool_call' || returned === undefined || returned === null || returned === true) return {}
  if (returned === false) return { veto: 'the operator does not allow this call' }
  if (typeof returned !== 'object' || !('veto' in returned)) {
    // The intention is unknown, and the hook may have meant to veto the call.
    throw new Error('its result is not a verdict: return undefined to allow the call, or { veto: reason }')
  }
  const { veto } = returned
  if (veto === undefined || veto === null || veto === false) return {}
  return {
    veto: typeof veto === 'string' && veto !== '' ? shorten(veto) : 'the operator does not allow this call',
  }
}
