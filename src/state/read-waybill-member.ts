import { createRequire } from 'node:module'
import { lazyModule } from '../document/lazy-module.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type * as Validator from './generated/waybill-member.validate.js'
import { WAYBILL_MEMBER, type WaybillMember } from './waybill-member.ts'

const require = createRequire(import.meta.url)
const validator = lazyModule<typeof Validator>(() => require('./generated/waybill-member.validate.js'))

/** What an Agent State carries for Waybill; `problem`: why it cannot be read. */
export type ReadMember =
  | { readonly member: WaybillMember }
  | { readonly member?: undefined; readonly problem?: string }

/** Reads the member `x-waybill` of an Agent State: completely or not at all. */
export function readWaybillMember(state: AgentState): ReadMember {
  const member = state[WAYBILL_MEMBER]
  if (member === undefined) return {}
  const version = (member as { readonly v?: unknown } | null)?.v
  if (version !== 1)
    return { problem: `it has version ${JSON.stringify(version)}, and this Waybill reads version 1` }
  const { validate } = validator()
  if (validate(member)) return { member: member as unknown as WaybillMember }
  const [error] = validate.errors ?? []
  return { problem: `${error?.instancePath === '' ? 'it' : error?.instancePath} ${error?.message}` }
}
