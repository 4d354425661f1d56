import { isDeepStrictEqual } from 'node:util'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { Json, JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type {
  AnsweredRound,
  Elicitation,
  QuestionAnswer,
  QuestionAnswers,
  ServerQuestion,
} from '../../run/elicitation.ts'
import { ASKED_BY } from './asked-by.ts'
import { readElicitation, UnaskedQuestion } from './read-questions.ts'

/** How long a question that may belong to several calls waits for the others to end, in milliseconds. */
const UNCLEAR_MS = 10_000
/** Questions that arrive together are put to a person together, in milliseconds. */
const TOGETHER_MS = 30

const CANCELLED: QuestionAnswer = { action: 'cancel' }

interface OpenQuestion {
  readonly question: ServerQuestion
  readonly answer: (given: QuestionAnswer) => void
  readonly refuse: (error: Error) => void
}

/**
 * The calls of one connection to a server of the 2025 revisions, which asks with a request of its own while the call is
 * in flight, and the questions that belong to them.
 */
export class CallsInFlight {
  readonly #calls = new Set<CallInFlight>()
  readonly #unclear = new Set<() => void>()

  /** @param key the idempotency key of the call; @param before what a person has answered for this call */
  begin(key: string, before: readonly AnsweredRound[]): CallInFlight {
    const call = new CallInFlight(key, before, () => {
      this.#calls.delete(call)
      for (const look of this.#unclear) look()
    })
    this.#calls.add(call)
    return call
  }

  /**
   * Takes a question of the server, and resolves with its answer. A question that belongs to no call is cancelled: no person
   * would know what it is for.
   * @throws ProtocolError if it cannot be put to a person
   */
  async asked(params: JsonObject): Promise<QuestionAnswer> {
    const meta = params._meta as JsonObject | undefined
    const call = await this.#callOf(meta?.[ASKED_BY])
    if (call === undefined) return CANCELLED
    try {
      return await call.asked(params)
    } catch (error) {
      if (!(error instanceof UnaskedQuestion)) throw error
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `the client does not take it: the server ${error.message}`,
      )
    }
  }

  /**
   * Returns the call that a question belongs to. On a single channel it is the only call that does not wait for an answer; with
   * several, the question waits for the others to end.
   * @param key of the call, if the transport knows it
   */
  async #callOf(key: Json | undefined): Promise<CallInFlight | undefined> {
    if (key !== undefined) return [...this.#calls].find((call) => call.key === key)
    if (this.#working().length > 1) await this.#onlyOneLeft()
    const [only, ...others] = this.#working()
    if (others.length > 0) return undefined
    // A call that has just asked may ask several questions at once.
    return only ?? [...this.#calls].toSorted((a, b) => b.askedAt - a.askedAt)[0]
  }

  /** Returns the calls that do not wait for an answer. */
  #working(): readonly CallInFlight[] {
    return [...this.#calls].filter((call) => !call.isWaiting)
  }

  #onlyOneLeft(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#working().length <= 1) done()
      }
      const done = () => {
        clearTimeout(timer)
        this.#unclear.delete(look)
        resolve()
      }
      const timer = setTimeout(done, UNCLEAR_MS)
      this.#unclear.add(look)
    })
  }
}

/** What a call has led to. */
export type CallNews =
  | { readonly type: 'questions'; readonly questions: readonly ServerQuestion[] }
  | { readonly type: 'result'; readonly result: JsonObject }
  | { readonly type: 'error'; readonly error: unknown }

/** A call that the server may interrupt with questions. */
export class CallInFlight {
  readonly key: string
  readonly #known: { readonly question: ServerQuestion; readonly answer: QuestionAnswer }[]
  readonly #ended: () => void
  readonly #open = new Map<string, OpenQuestion>()
  #outcome: Exclude<CallNews, { readonly type: 'questions' }> | undefined
  #count = 0
  /** When it last asked, by the clock of the process in milliseconds. */
  askedAt = 0
  #wake = () => {}

  constructor(key: string, before: readonly AnsweredRound[], ended: () => void) {
    this.key = key
    this.#ended = ended
    this.#known = before.flatMap(({ questions, answers }) =>
      questions.flatMap((question) => {
        const answer = ownMember(answers, question.key)
        return answer === undefined ? [] : [{ question, answer }]
      }),
    )
  }

  /** Follows the request of the call. */
  follow(request: Promise<JsonObject>): void {
    const end = (outcome: Exclude<CallNews, { readonly type: 'questions' }>) => {
      this.#outcome = outcome
      this.#ended()
      this.#wake()
    }
    request.then(
      (result) => end({ type: 'result', result }),
      (error: unknown) => end({ type: 'error', error }),
    )
  }

  get outcome(): CallNews | undefined {
    return this.#outcome
  }

  /** Returns the answer at once if a person has given it for the same question of this call. */
  asked(params: JsonObject): QuestionAnswer | Promise<QuestionAnswer> {
    const question = readElicitation(params, '')
    const at = this.#known.findIndex((one) => isSameQuestion(one.question, question))
    const [known] = at < 0 ? [] : this.#known.splice(at, 1)
    if (known !== undefined) return known.answer
    const key = `question_${++this.#count}`
    this.askedAt = performance.now()
    return new Promise((resolve, reject) => {
      const answer = (given: QuestionAnswer) => {
        this.#open.delete(key)
        resolve(given)
      }
      const refuse = (error: Error) => {
        this.#open.delete(key)
        reject(error)
      }
      this.#open.set(key, { question: { ...question, key }, answer, refuse })
      setTimeout(() => this.#wake(), TOGETHER_MS)
    })
  }

  /** Resolves when the call has a result, or asks something. The result of a call that has one comes first. */
  async next(signal: AbortSignal): Promise<CallNews> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#outcome !== undefined) return this.#outcome
      if (this.#open.size > 0)
        return { type: 'questions', questions: [...this.#open.values()].map(({ question }) => question) }
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake)
          resolve()
        }
        this.#wake = wake
        signal.addEventListener('abort', wake, { once: true })
      })
    }
  }

  /** Returns whether the call still waits for the answers to these questions. */
  waitsFor({ questions }: Pick<Elicitation, 'questions'>): boolean {
    return questions.every((question) => isDeepStrictEqual(this.#open.get(question.key)?.question, question))
  }

  answer(answers: QuestionAnswers): void {
    for (const [key, answer] of Object.entries(answers)) this.#open.get(key)?.answer(answer)
  }

  /** Returns whether the server waits for an answer. */
  get isWaiting(): boolean {
    return this.#open.size > 0
  }

  /** Refuses the open questions: an answer, also `cancel`, could let a server act on a call that is made again. */
  abandon(): void {
    const error = new ProtocolError(ProtocolErrorCode.InternalError, 'the client has abandoned this call')
    for (const { refuse } of [...this.#open.values()]) refuse(error)
  }
}

function isSameQuestion({ key: _a, ...a }: ServerQuestion, { key: _b, ...b }: ServerQuestion): boolean {
  return isDeepStrictEqual(a, b)
}
