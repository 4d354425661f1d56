/** A standing permission of a person: what is allowed, for which agent, until when. */
export interface Grant {
  /** Such as `g-3f9a1c07`. */
  readonly id: string
  readonly kind: 'host' | 'secret' | 'call'
  /** For a host `HOST[:PORT]`, for a secret `NAME@HOST`, for a call a rule such as `send_email to=*@ours.example`. */
  readonly what: string
  /** The agent; absent: every agent. A grant for calls always names one. */
  readonly agent_id?: string
  readonly agent_name?: string
  /**
   * Identity of the definition that it was given for, in this home (see `definition-identity.ts`). Another
   * definition with the same `agent_id` is not covered. Absent only if `agent_id` is.
   */
  readonly definition?: string
  /**
   * Fingerprints of the uses that it was given for, see `call-fingerprint.ts`. A call that is new or has changed
   * (protocol, final URL, method, sign-in, operation) is not covered.
   */
  readonly tools?: readonly string[]
  /** For a call: hash of the definition as it was; absent: the grant remains valid when the definition is edited. */
  readonly definition_hash?: string
  /** For a call: the address of its tool. A tool of the same name at another address is not covered. */
  readonly endpoint?: string
  /** For a call: how its tool was called, see `calledHow`; the same URL with another method is not covered. */
  readonly called_how?: string
  /** ISO 8601, UTC; absent: valid until it is revoked. */
  readonly until?: string
  /** Remaining uses; absent: without limit. */
  readonly uses_left?: number
  readonly by: string
  /** On a platform: the user of the run whose call the rule was made from. It is removed with the data of this user. */
  readonly user?: string
  /** On a platform: other members who have made the token of its maker, and when: they could act in that name. */
  readonly token_makers?: readonly string[]
  readonly token_made_at?: string
  /** When it was given: ISO 8601, UTC. */
  readonly at: string
  readonly why?: string
}

/** Returns whether a grant is valid at this moment. */
export function isInForce({ until, uses_left }: Grant, now: number): boolean {
  return (until === undefined || now < Date.parse(until)) && uses_left !== 0
}
