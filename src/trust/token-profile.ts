/**
 * What a platform puts into its migration tokens. `full`: all claims, as Waybill does. `draft`: at least those that bind a
 * token to one state, one agent and 15 minutes; the others are verified if they are there.
 */
export const TOKEN_PROFILES = ['full', 'draft'] as const
export type TokenProfile = (typeof TOKEN_PROFILES)[number]
