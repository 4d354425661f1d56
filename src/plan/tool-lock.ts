/**
 * The tools that the servers of a definition offered when they were pinned. A server that later changes a description
 * would change the instructions for the model without review. Stored in a file next to the definition.
 */
export interface ToolLock {
  readonly v: 1
  /** The offers by the name of the declaration. */
  readonly tools: Readonly<Record<string, LockedTool>>
}

export interface LockedTool {
  readonly endpoint?: string
  /** The pinned tools, by their names on the server. */
  readonly offers: Readonly<Record<string, LockedOffer>>
}

export interface LockedOffer {
  /** SHA-256 (hex) of everything that a model sees of the tool; see `pinOf`. */
  readonly sha256: string
  /** The pinned description, for the review of a change. */
  readonly description: string
  /** Whether a call reads only, as the server or the document says. Absent in lock files of version 0.1.0. */
  readonly effect?: 'read' | 'write'
  /** Whether a repeated call has no further effect, as the server says. */
  readonly idempotent?: boolean
  /** SHA-256 (hex) of all hints of the server, and of method, URL and operation of a document; see `pinnedActs`. */
  readonly acts?: string
}

export const EMPTY_LOCK: ToolLock = { v: 1, tools: {} }
