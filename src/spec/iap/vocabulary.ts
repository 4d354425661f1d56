/** The values that IAP 0.2 defines. */

export const IAP_VERSION = '0.2'
/** 0.1 has a subset of the members and is accepted. */
export const IAP_VERSIONS = ['0.1', IAP_VERSION] as const

export const DELIVERY_METHODS = ['sync', 'async', 'email'] as const
export const OUTPUT_FORMATS = ['markdown', 'json', 'yaml', 'code', 'freeform'] as const
export const FAILURE_ACTIONS = ['return_partial', 'retry', 'escalate', 'abort'] as const
export const RESULT_STATUSES = ['complete', 'partial', 'failed', 'in_progress'] as const

/** The agent_id of an anonymous sender. */
export const ANONYMOUS = 'anonymous'
