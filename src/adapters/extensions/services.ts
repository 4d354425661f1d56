import type { AsyncLocalStorage } from 'node:async_hooks'
import { grantsForUse } from '../../policy/call-fingerprint.ts'
import { type KeyBindings, keyFor } from '../../policy/key-binding.ts'
import type { ModelServices, ToolServices } from '../../run/extension.ts'
import type { Secrets } from '../../run/ports.ts'
import { routeSecret } from '../models/model-port.ts'
import { createGuardedConnect } from '../net/guarded-connect.ts'
import type { GuardedFetchOptions } from '../net/guarded-fetch.ts'
import type { HttpToolOptions } from '../tools/http-tool.ts'
import { authorizeTool } from '../tools/tool-auth.ts'

/** The fingerprint of the call that an extension performs: an extension may name any tool when it asks for a secret. */
export type CallInProgress = AsyncLocalStorage<string | undefined>

/**
 * The services for tools of extensions: the same as for built-in tools.
 * @param call absent: no call is in progress, so that grants for one definition do not apply
 */
export function createToolServices(
  { fetch, secrets, secretGrants, grants }: HttpToolOptions & Pick<GuardedFetchOptions, 'grants'>,
  call?: CallInProgress,
): ToolServices {
  return {
    fetch,
    connect: createGuardedConnect({ grants }),
    secret: (tool, url, headers = new Headers()) =>
      authorizeTool(tool, url, headers, secrets, grantsForUse(secretGrants, call?.getStore())),
  }
}

export function createModelServices(
  fetch: typeof globalThis.fetch,
  secrets: Secrets,
  bindings: KeyBindings,
): ModelServices {
  return { fetch, key: async (route) => routeSecret(route, keyFor(route, bindings), secrets) }
}
