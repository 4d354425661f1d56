import type { Decision, FactOf } from '../event.ts'

/**
 * Handles the result of a hook. A hook that fails does not end the run; only a call that it had to allow is
 * not sent.
 */
export function hookRan({ hook, ok, message }: FactOf<'hook.ran'>): Decision {
  if (ok || hook === 'on_tool_call') return {}
  return {
    warnings: [
      { code: 'HOOK_FAILED', message: `the hook ${hook} failed: ${message ?? 'it gave no reason'}` },
    ],
  }
}
