import type { Json, JsonObject } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import { adoptValues, keepsValues, type MovedValue } from '../run/drive/moved-values.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { RestoredValues } from '../state/restore-options.ts'

/** The values of personal data that a state has brought, or why they cannot be used. */
export type MovedValues = { readonly values: readonly MovedValue[] } | { readonly problem: string }

/** A state whose texts can be read in the run that continues it. */
export interface ReadableState {
  readonly document: AgentState
  /** The own states of its sub-agents. */
  readonly documents: readonly AgentState[]
  readonly values?: RestoredValues
}

const STAYED = 'they stay on the platform that captured the run'

/**
 * Lets a new run use the values of personal data that have come with its state. Without a value, a name in the state is
 * replaced by a text such as `[email withheld]`: in another run the same name may stand for another value.
 */
export function restoreValues(
  state: AgentState,
  plans: readonly Plan[],
  pii: OpenPii,
  moved: MovedValues | undefined,
  others: readonly AgentState[] = [],
): ReadableState {
  // Texts that look like a placeholder are only texts then.
  if (!handlesValues(plans) && moved === undefined) return { document: state, documents: others }
  const { values, why } = usable(moved, plans)
  const { document, carried, lost } = adoptValues([state, ...others] as unknown as Json, values, pii)
  const [readable = state, ...documents] = document as unknown as readonly AgentState[]
  return {
    document: readable,
    documents,
    values: {
      carried,
      lost,
      why,
      reveal: (args) => (namesOnly(values, args) ? null : pii.port.reveal(args)),
    },
  }
}

/** Returns whether names of personal data in a state have a meaning for these agents. */
export function handlesValues(plans: readonly Plan[]): boolean {
  return plans.some(({ pii }) => pii?.handling === 'reject') || keepsValues(plans)
}

function usable(
  moved: MovedValues | undefined,
  plans: readonly Plan[],
): { readonly values: readonly MovedValue[]; readonly why: string } {
  if (moved === undefined) return { values: [], why: STAYED }
  if ('problem' in moved) return { values: [], why: moved.problem }
  if (keepsValues(plans)) return { values: moved.values, why: STAYED }
  return { values: [], why: 'the pii_handling of the definition here keeps no values' }
}

/** Returns whether arguments name a value that is missing, because a dry run moves only names. */
function namesOnly(values: readonly MovedValue[], args: JsonObject): boolean {
  const text = JSON.stringify(args)
  return values.some((one) => one.value === undefined && text.includes(one.text))
}
