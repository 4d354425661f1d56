/** The words that IAP 0.2 defines. */

export const IAP_VERSION = '0.2'
/** 0.1 has a part of the same members and is read as such. */
export const IAP_VERSIONS = ['0.1', IAP_VERSION] as const

export const DELIVERY_METHODS = ['sync', 'async', 'email'] as const
export const OUTPUT_FORMATS = ['markdown', 'json', 'yaml', 'code', 'freeform'] as const
export const FAILURE_ACTIONS = ['return_partial', 'retry', 'escalate', 'abort'] as const
export const RESULT_STATUSES = ['complete', 'partial', 'failed', 'in_progress'] as const

/** What stands for a sender who did not say who they are. */
export const ANONYMOUS = 'anonymous'
