/** What a person allowed beforehand: what, for whom, until when. */
export interface Grant {
  /** Such as `g-3f9a1c07`. */
  readonly id: string
  readonly kind: 'host' | 'secret' | 'call'
  /** Of a host `HOST[:PORT]`, of a secret `NAME@HOST`, of a call a rule such as `send_email to=*@ours.example`. */
  readonly what: string
  /** For which agent; absent: for every agent. A call is always of one. */
  readonly agent_id?: string
  readonly agent_name?: string
  /**
   * Identity of the definition that it was given for, as this home knows it (`definition-identity.ts`). Another
   * definition with the same `agent_id` is not covered. Absent only where `agent_id` is.
   */
  readonly definition?: string
  /**
   * Fingerprints of the definition's tools that it was given for. A tool that is new or has changed (address, method,
   * sign-in) is not covered.
   */
  readonly tools?: readonly string[]
  /** Of a call: the definition as it was; absent: it stays when the definition is edited. */
  readonly definition_hash?: string
  /** Of a call: where its tool led, so that another tool of the same name is another matter. */
  readonly endpoint?: string
  /** Of a call: how its tool was called there, see `calledHow`; the same URL by another method is another matter. */
  readonly called_how?: string
  /** ISO 8601, UTC; absent: until it is revoked. */
  readonly until?: string
  /** How often it may still be used; absent: without limit. */
  readonly uses_left?: number
  readonly by: string
  /** When it was given: ISO 8601, UTC. */
  readonly at: string
  readonly why?: string
}

/** Whether a grant counts at this moment. */
export function isInForce({ until, uses_left }: Grant, now: number): boolean {
  return (until === undefined || now < Date.parse(until)) && uses_left !== 0
}
