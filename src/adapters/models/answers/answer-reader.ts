import { isObject, type Json, type JsonObject } from '../../../document/json.ts'
import type { Finish } from '../../../run/finish.ts'
import type { ReportedUsage } from '../../../run/ports.ts'
import type { AnswerPiece } from '../opaque-parts.ts'

/** An answer as the provider wrote it. */
export interface WireAnswer {
  readonly pieces: readonly AnswerPiece[]
  readonly finish: Finish
  readonly usage: ReportedUsage
  /** The ids of calls that the provider gave; other ids are made here. */
  readonly wireIds: ReadonlySet<string>
  /** Parts of the message that the provider needs back as they are, in the form of {@link opaqueParts}. */
  readonly kept?: readonly JsonObject[]
}

/** Reads the answer of one API dialect: the events of a stream as they arrive, or one whole answer. */
export interface AnswerReader {
  /**
   * Reads one event of a stream, or a whole answer.
   * @param event the name of the event, if the stream names its events
   */
  read(data: JsonObject, event?: string): void
  /** The reason of the end has arrived: no later event, and no broken connection, makes the answer worse. */
  readonly ended: boolean
  /** The last event has arrived. */
  readonly closed: boolean
  answer(): WireAnswer
}

/** Receives the parts of an answer while it is read. */
export interface AnswerSink {
  readonly text: (delta: string) => void
  /** A call of a tool begins. */
  readonly call: () => void
}

/** Answers whose calls cannot be read. */
export class UnreadableCall extends Error {
  override readonly name = 'UnreadableCall'
}

export function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** Returns the objects of a list; one object that should be in a list is a list of one. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  const list: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value]
  return list.filter(isObject)
}

/** Returns a text that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a number of tokens, which some servers write as text. */
export function countOf(value: Json | undefined): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.round(count)) : undefined
}

/** Returns the arguments of a call as text: JSON as the model wrote it, or the JSON of a value. */
export function argumentsText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value)
  } catch {
    // Nested too deeply to be written: not JSON, so the run reports it to the model.
    return '…'
  }
}

/** Returns true if a text is a complete JSON object. */
export function isWholeObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Returns the reason of the end after another one. A later reason replaces an ordinary end, and never a reason that says
 * that the answer is cut or withheld.
 */
export function laterReason(before: Finish | undefined, next: Finish): Finish {
  const ordinary = before === undefined || before === 'stop' || before === 'tool_calls' || before === 'other'
  return ordinary && !(next === 'other' && before !== undefined) ? next : before
}
