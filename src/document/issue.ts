import type { AnyCode, Code } from './codes.ts'
import { defined } from './defined.ts'

export type Severity = 'error' | 'warning' | 'info'

/**
 * One finding about a document, at its place.
 * `pointer` is a JSON Pointer (RFC 6901); `line` and `column` are 1-based and count UTF-16 units.
 */
export interface Issue {
  readonly severity: Severity
  readonly code: Code
  readonly pointer: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** What to do. */
  readonly hint?: string
  /** The id of the rule in the catalogue, e.g. `AAIF-4-03`. */
  readonly rule?: string
}

/** A finding about data that may have no lines, such as the query of a URL. */
export type UnplacedIssue = Omit<Issue, 'line' | 'column'> & Partial<Pick<Issue, 'line' | 'column'>>

/** The class of an error; the command line maps it to an exit code. */
export type Fault =
  /** The check failed: invalid, or refused by policy, gate, capability or signature. Exit 1. */
  | 'refused'
  /** Usage error or unreadable input. Exit 2. */
  | 'usage'
  /** The operation failed: provider error, timeout, missing key. Exit 3. */
  | 'failed'

/** The JSON form of every error, including errors reported by another process. */
export interface ErrorObject extends ErrorPart {
  readonly file?: string
  /**
   * The parts of an error with several causes: each refusal of a plan, the failure of each route, or each error of a
   * definition.
   */
  readonly details?: readonly ErrorPart[]
  /** Of PLAN_CHANGED: the differences, in words. */
  readonly changes?: readonly string[]
}

/** One cause of an error. */
export interface ErrorPart {
  readonly code: AnyCode
  readonly message: string
  readonly pointer?: string
  readonly hint?: string
  readonly rule?: string
  /** The route that failed, such as `openai/gpt-5`. */
  readonly route?: string
  /** The aliases that lead to the sub-agent that causes it. */
  readonly subagent?: readonly string[]
  readonly line?: number
  readonly column?: number
}

export interface ErrorDetails {
  readonly message: string
  readonly fault?: Fault
  /** JSON Pointer into the document concerned. */
  readonly at?: string
  readonly line?: number
  readonly column?: number
  readonly file?: string
  readonly hint?: string
  readonly rule?: string
  /** What the audit log must say about the refused document; not part of the JSON form. */
  readonly refused?: Readonly<Record<string, string>> & { readonly definition: string }
  readonly changes?: readonly string[]
  /** All causes of the error, if there are several. */
  readonly parts?: readonly ErrorPart[]
  /** The findings about a document or a request that was refused; not part of the JSON form. */
  readonly issues?: readonly UnplacedIssue[]
  readonly cause?: unknown
}

/** The only error class of Waybill: a stable code, a place, a rule and a hint, as in its JSON form. */
export class WaybillError extends Error {
  override readonly name = 'WaybillError'
  readonly code: Code
  readonly fault: Fault
  readonly details: ErrorDetails

  constructor(code: Code, details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.fault = details.fault ?? 'refused'
    this.details = details
    // Node prints the members and the stack of an error that is not caught: the stack says it all, once.
    const frames: { stack?: string } = {}
    Error.captureStackTrace(frames, new.target)
    Object.defineProperties(this, {
      details: { value: details, enumerable: false },
      stack: { get: () => stackOf(this, frames.stack), configurable: true },
    })
  }

  /** JSON Pointer (RFC 6901) into the document concerned. */
  get pointer(): string | undefined {
    return this.details.at
  }

  /** What to do. */
  get hint(): string | undefined {
    return this.details.hint
  }

  /** The id of the rule in the catalogue, e.g. `AAIF-4-03`. */
  get rule(): string | undefined {
    return this.details.rule
  }

  /** The file concerned, as the caller named it. */
  get file(): string | undefined {
    return this.details.file
  }

  /** 1-based. */
  get line(): number | undefined {
    return this.details.line
  }

  /** 1-based, in UTF-16 units. */
  get column(): number | undefined {
    return this.details.column
  }

  /** Of PLAN_CHANGED: the differences, in words. */
  get changes(): readonly string[] | undefined {
    return this.details.changes
  }

  /** All findings about a document that was refused; empty for other errors. */
  get issues(): readonly UnplacedIssue[] {
    return this.details.issues ?? []
  }

  /** Returns one line for a log, with the code and the place. */
  override toString(): string {
    const { file, line, column, pointer } = this
    const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`
    const place = file === undefined ? (pointer ?? '') : `${file}${position}`
    return `${this.name} [${this.code}]: ${place === '' ? '' : `${place}: `}${this.message}`
  }

  /** Returns the object that the command line prints with `--json`. */
  toJSON(): ErrorObject {
    const { code, message, pointer, line, column, file, hint, rule, changes } = this
    return {
      code,
      message,
      ...defined({ pointer, line, column, file, hint, rule, details: this.details.parts, changes }),
    }
  }
}

/** Formatted when it is asked for, because most errors are caught and only reported. */
function stackOf(error: WaybillError, captured: string | undefined): string {
  const { hint, rule } = error
  const notes = Object.entries(defined({ hint, rule })).map(([name, text]) => `\n  ${name} ${text}`)
  return `${error.toString()}${notes.join('')}${/(?:\n\s+at .*)+$/.exec(captured ?? '')?.[0] ?? ''}`
}
