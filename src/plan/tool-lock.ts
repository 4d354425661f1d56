/**
 * What a definition's tool servers offered when it was looked at: a server that later describes its tools differently
 * tells the model something else than was agreed to. Kept in a file beside the definition.
 */
export interface ToolLock {
  readonly v: 1
  /** By the name of the declared tool. */
  readonly tools: Readonly<Record<string, LockedTool>>
}

export interface LockedTool {
  readonly endpoint?: string
  /** What stood behind it, by the name that the server gives. */
  readonly offers: Readonly<Record<string, LockedOffer>>
}

export interface LockedOffer {
  /** SHA-256 (hex) of all that a model is told about it; see `pinOf`. */
  readonly sha256: string
  /** For whoever reviews a change: what it was. */
  readonly description: string
}

export const EMPTY_LOCK: ToolLock = { v: 1, tools: {} }
