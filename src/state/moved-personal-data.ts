import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { strictJson } from '../document/strict-json.ts'
import { SEALED } from '../policy/pii/sealed-value.ts'
import { kindOf, type MovedValue } from '../run/drive/moved-values.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { withStateChecksum } from '../trust/checksum.ts'
import { type SealedAbout, sealFor } from '../trust/seal-for.ts'
import type { FidelityReport } from './fidelity.ts'
import { readWaybillMember } from './read-waybill-member.ts'
import { WAYBILL_MEMBER } from './waybill-member.ts'

/** The part of a state that reports name for values of personal data. */
export const PERSONAL_DATA = 'x-waybill.personal_data'

const CONTENT_TYPE = 'application/vnd.waybill.personal-data+json'

/** The one state, from the one organisation to the other one, that sealed values belong to. */
export interface MoveOfState {
  /** The sending organisation, as the URL of its place. */
  readonly source: string
  readonly stateId: string
  /** The receiving organisation, in the same way. */
  readonly target: string
}

/** Returns what sealed values are bound to, as claims of their header: in another state they cannot be opened. */
export function claimsOf({ source, stateId, target }: MoveOfState): Required<SealedAbout> {
  return { iss: source, sub: stateId, aud: target }
}

/**
 * Adds values of personal data to a state, sealed for the holder of a key (AAIF §12).
 * @param document must have the member `x-waybill`
 */
export async function withPersonalData(
  document: AgentState,
  values: readonly MovedValue[],
  key: KeyObject,
  move: Omit<MoveOfState, 'stateId'>,
): Promise<AgentState> {
  const about = claimsOf({ ...move, stateId: document.state_id })
  const bytes = Buffer.from(JSON.stringify({ v: 1, values }))
  const personal_data = await sealFor(bytes, key, CONTENT_TYPE, about)
  const member = { ...(document[WAYBILL_MEMBER] as JsonObject), personal_data }
  return withStateChecksum({
    ...(document as unknown as JsonObject),
    [WAYBILL_MEMBER]: member,
  }) as unknown as AgentState
}

/** Returns the sealed values of a state; undefined: it has none. */
export function personalDataIn(document: AgentState): string | undefined {
  return readWaybillMember(document).member?.personal_data
}

/**
 * Reads what {@link withPersonalData} has sealed.
 * @throws SEAL_UNREADABLE if it is not a list of values
 */
export function readPersonalData(bytes: Uint8Array): readonly MovedValue[] {
  const read = parsed(bytes)
  const values = isObject(read) && read.v === 1 && Array.isArray(read.values) ? read.values : undefined
  const names = new Set<string>()
  for (const one of values ?? []) if (isMovedValue(one)) names.add(one.text)
  if (values !== undefined && names.size === values.length) return values as unknown as readonly MovedValue[]
  // The text of a parser's error could contain a value.
  throw new WaybillError('SEAL_UNREADABLE', {
    message: 'the sealed personal data is not a list of values that this version reads',
    hint: 'move the run with the same version of Waybill on both platforms',
  })
}

/** Returns whether a platform has reported that it can use the values of a state. */
export function isCarried({ entries }: FidelityReport): boolean {
  return entries.some(({ part, status }) => part === PERSONAL_DATA && status === 'carried')
}

function parsed(bytes: Uint8Array): Json {
  try {
    return strictJson(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}

function isMovedValue(one: Json): one is JsonObject & { readonly text: string } {
  if (!isObject(one)) return false
  const { text, value, identity } = one
  if (typeof text !== 'string' || !isOptionalText(value) || !isOptionalText(identity)) return false
  // A sealed value has no canonical form, and a placeholder has both or, in a dry run, neither.
  return kindOf(text) === undefined
    ? text.match(SEALED)?.[0] === text && identity === undefined
    : (value === undefined) === (identity === undefined)
}

function isOptionalText(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string'
}
