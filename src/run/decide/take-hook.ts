import type { Decision, FactOf } from '../event.ts'

/** A hook that fails is no reason to stop; only a call that it was to allow does not leave. */
export function hookRan({ hook, ok, message }: FactOf<'hook.ran'>): Decision {
  if (ok || hook === 'on_tool_call') return {}
  return {
    warnings: [
      { code: 'HOOK_FAILED', message: `the hook ${hook} failed: ${message ?? 'it gave no reason'}` },
    ],
  }
}
