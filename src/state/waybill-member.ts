import type { JsonObject } from '../document/json.ts'
import type { Budget } from '../plan/operator-settings.ts'
import type { MemoryScope } from '../plan/plan.ts'
import type { AssistantMessage, RestoredState, UserMessage } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'

/** The member `x-waybill` of an Agent State, version 1; its schema is published. */
export interface WaybillMember {
  readonly v: 1
  readonly plan_hash: string
  readonly definition_hash: string
  readonly seq: number
  readonly user?: string
  readonly session?: string
  /** Time left for the turn, in milliseconds; null: no limit. */
  readonly deadline_in_ms: number | null
  /** Of a run that is moved: the whole budget that it was started with. `run.totals` says what is spent of it. */
  readonly budget?: Budget
  /** The models of the plan: routes are indexes in this list. */
  readonly routes: readonly RouteModel[]
  readonly messages: readonly CarriedMessage[]
  readonly record_items: readonly RecordItem[]
  readonly run: CarriedRun
  readonly documents?: readonly AgentState[]
  readonly receipts?: readonly JsonObject[]
  /** Values of personal data, sealed for the platform that the run moves to: a compact JWE. */
  readonly personal_data?: string
}

export interface RouteModel {
  readonly provider: string
  readonly model: string
}

/** The members of a run's state that have no place elsewhere in the document. */
export type CarriedRun = Omit<RestoredState, 'iteration' | 'memory' | 'variables' | 'deadline_at'>

export interface RecordItem {
  readonly scope: MemoryScope
  readonly key: string
  readonly passed?: true
}

/** What a message has besides the members of the format. */
export interface CarriedMessage
  extends Partial<Pick<AssistantMessage, 'calls' | 'opaque'>>,
    Omit<UserMessage, 'role' | 'text'> {
  /** Index in `conversation`. */
  readonly at: number
  readonly error?: true
  /** A result of the open round, which the ledger has as well. */
  readonly open?: true
}

export const WAYBILL_MEMBER = 'x-waybill'
