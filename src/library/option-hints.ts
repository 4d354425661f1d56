import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { Plan } from '../plan/plan.ts'
import type { RunResult } from '../run/result.ts'

/** The options of the library by the flags of the command line, which hints name. */
const OPTIONS: readonly (readonly [flag: RegExp, option: string])[] = [
  [/--allow-host ([^\s;,)]+)/g, "allowHosts: ['$1']"],
  [/--allow-secret ([^\s;,)]+)/g, "allowSecrets: ['$1']"],
  [/--yes ("[^"]*"|[^\s;,)]+)/g, 'allowCalls: [$1]'],
  [/--model ([^\s;,)?]+)/g, "model: '$1'"],
  [/--base-url (URL|https?:[^\s;,)]+)/g, "baseUrl: '$1'"],
  [/--base-url/g, 'baseUrl'],
  [/--env-file \S+/g, 'the option env'],
  [/--tools FILE/g, 'the option tools'],
  [/the module given with --tools/g, 'the option tools'],
  [/--rehearse/g, 'rehearse: true'],
  [/--allow-deprecated/g, 'allowDeprecated: true'],
  [/--user( \w+)?/g, 'the option user'],
  [/--session( \w+)?/g, 'the option session'],
  [/--budget( \S+)?/g, 'the option budget'],
  [/--input @\S+/g, 'the first argument of run'],
  [/ on the command line/g, ''],
]

/** Returns a hint in the words of the library: options instead of flags. */
export function optionHint(hint: string): string {
  return OPTIONS.reduce((text, [flag, option]) => text.replace(flag, option), hint)
}

/** Returns a result whose hints name options. */
export function withOptionHint(result: RunResult): RunResult {
  const { error } = result
  if (error === undefined) return result
  const { details } = error
  return { ...result, error: { ...hinted(error), ...defined({ details: details?.map(hinted) }) } }
}

function hinted<T extends { readonly hint?: string }>(part: T): T {
  return part.hint === undefined ? part : { ...part, hint: optionHint(part.hint) }
}

/** Returns a plan whose hints about models name options. */
export function withOptionHints(plan: Plan): Plan {
  return { ...plan, models: plan.models.map(hinted) }
}

/** Calls `act`; the hints of its errors name options. */
export async function inOptions<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof WaybillError) || error.details.hint === undefined) throw error
    throw new WaybillError(error.code, { ...hinted(error.details), fault: error.fault, cause: error.cause })
  }
}
