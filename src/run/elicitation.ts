import type { JsonObject } from '../document/json.ts'

/**
 * What a server asks a person before it makes a call (MCP elicitation). It never enters the conversation of the model,
 * and only a person answers it.
 */
export interface ServerQuestion {
  /** The name of the question, by which the server finds its answer. */
  readonly key: string
  /** `form`: values for a schema. `url`: the person visits a URL, and says here whether they did. */
  readonly mode: 'form' | 'url'
  readonly message: string
  /** Of a form. */
  readonly schema?: JsonObject
  readonly url?: string
}

/** `cancel`: no person has decided. */
export interface QuestionAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Of an accepted form. */
  readonly content?: JsonObject
}

/** The answers by the keys of the questions. */
export type QuestionAnswers = Readonly<Record<string, QuestionAnswer>>

/** The questions of a call, as its ledger entry has them. */
export interface Elicitation {
  /** 1 for the first questions of the call. */
  readonly round: number
  readonly questions: readonly ServerQuestion[]
  /** The server gets it back unchanged, with the answers. */
  readonly request_state?: string
  /** Absent while a person is asked. */
  readonly answers?: QuestionAnswers
  /** Rounds before, oldest first: a server that has lost the call asks them again. */
  readonly before?: readonly AnsweredRound[]
}

export interface AnsweredRound {
  readonly questions: readonly ServerQuestion[]
  readonly answers: QuestionAnswers
}

/** More rounds than this are not asked. */
export const MOST_ROUNDS = 8
