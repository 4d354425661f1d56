/** The member of `_meta` of a question with the key of the call in whose answer it came. */
export const ASKED_BY = 'waybill/call'

/** The member of `_meta` of a call with its idempotency key. */
export const KEY = 'waybill/idempotency-key'
