import type { Json } from '../../document/json.ts'
import type { Message as ConversationMessage } from '../../run/state.ts'
import type { OnBusy } from '../engine/next-facts.ts'

/** The members of a request for a run that its plan depends on. */
export type PlanSettings = Pick<StartRun, 'user' | 'session' | 'version' | 'budget' | 'rehearse'>

/** The body of a request to start a run. */
export interface StartRun {
  readonly input?: Json
  readonly user?: string
  readonly session?: string
  /** A version or a label; default: the active version. */
  readonly version?: string
  readonly budget?: {
    readonly tokens?: number
    readonly usd?: number
    readonly calls?: number
    readonly seconds?: number
  }
  readonly rehearse?: boolean
  /** RFC 3339. */
  readonly start_after?: string
  /** From -2 to 2; runs of a higher priority get more of the organisation's share. Default 0. */
  readonly priority?: number
  readonly on_busy?: OnBusy
  /** The id of a webhook, or a URL, that is notified of the changes of this run. */
  readonly webhook?: string
  /** The conversation before the input, which the client sends with each request. */
  readonly history?: readonly ConversationMessage[]
}
