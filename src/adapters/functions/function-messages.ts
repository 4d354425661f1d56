import type { Code } from '../../document/codes.ts'
import type { ErrorDetails } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { CallOutcome } from '../../run/ports.ts'

/** What a process of functions gets. Numbers name calls of this process. */
export type ToProcess =
  | {
      readonly kind: 'call'
      readonly id: number
      readonly name: string
      readonly args: JsonObject
      readonly key: string
      readonly headers: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'hook'
      readonly id: number
      readonly name: string
      readonly argument: Json
      readonly key: string
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'ping' }

/** What a process of functions sends. */
export type FromProcess =
  | ({ readonly kind: 'ready' } & DescribedModule)
  | { readonly kind: 'broken'; readonly error: BrokenModule }
  /** `result` is JSON as text. */
  | { readonly kind: 'done'; readonly id: number; readonly result: string }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: CallFailure }
  | { readonly kind: 'pong' }

/** The functions of a module, without their code. */
export interface DescribedModule {
  readonly tools: readonly {
    readonly name: string
    readonly readOnly: boolean
    readonly idempotent: boolean
    readonly parameters?: JsonObject
  }[]
  /** Names. */
  readonly hooks: readonly string[]
}

export interface BrokenModule extends Pick<ErrorDetails, 'message' | 'file' | 'line' | 'hint'> {
  readonly code: Code
}

export interface CallFailure {
  readonly code: Code
  readonly message: string
  readonly outcome: CallOutcome
}

/** The largest result of a function, in characters of its JSON: as of a message of an MCP server. */
export const LARGEST_RESULT = 10 * 1024 * 1024

/** The descriptor of the channel in a process of functions: the only one besides its standard streams. */
export const CHANNEL_FD = 3
