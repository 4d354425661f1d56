/** Who is notified of a question. */
export interface Notify {
  readonly mail?: readonly string[]
  /** Members of these teams, at their addresses. */
  readonly teams?: readonly string[]
  readonly members?: readonly string[]
  /** Ids of webhooks. They get the message whatever events they want. */
  readonly webhooks?: readonly string[]
}

/** What becomes of the questions that match. Times are seconds after a question has opened. */
export interface NewPolicy {
  /** Of the policies that match, that with the lowest number applies; default 100. Equal numbers: by name. */
  readonly order?: number
  readonly match?: {
    readonly agent_id?: string
    /** The name of a tool, in which `*` is any text. */
    readonly tool?: string
  }
  readonly notify?: Notify
  readonly remind_after_seconds?: number
  /** Absent: there is one reminder. */
  readonly remind_every_seconds?: number
  readonly escalate?: { readonly after_seconds: number; readonly notify: Notify }
  readonly expire?: { readonly after_seconds: number; readonly verdict?: 'deny' | 'none' }
  /** Default 1. */
  readonly approvals_needed?: number
  /** Default true. */
  readonly starter_may_decide?: boolean
}

export interface PolicyView extends NewPolicy {
  readonly name: string
  readonly order: number
  readonly match: NonNullable<NewPolicy['match']>
  readonly notify: Notify
  readonly approvals_needed: number
  readonly starter_may_decide: boolean
  readonly changed_at: string
  readonly changed_by: string
}
