import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { parseExact } from '../../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import { ownMember } from '../../../document/own-member.ts'
import { ModelFailure } from '../../../run/ports.ts'
import { type AnswerReader, objectOf, objectsOf } from './answer-reader.ts'

/** An answer that is not in the form of the API. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly status: number
  readonly type: string | null
  readonly text: string

  constructor({ status, headers }: Response, text: string) {
    super('the answer is not in the form of the API')
    this.status = status
    this.type = headers.get('content-type')
    this.text = text
  }
}

/** An error that the provider reports inside of an answer. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError'
  /** Its type and its code, as written. */
  readonly sign: string
  /** The error, and the delay that the provider asks for. */
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>

  constructor(error: Json, { headers }: Response) {
    const { type, code, status, message, metadata } = objectOf(error) ?? {}
    const raw = objectOf(metadata)?.raw
    super([message, raw, error].find((text) => typeof text === 'string' && text !== '') as string | undefined)
    this.sign = [type, code, status].filter((part) => part !== undefined && part !== null).join(' ')
    this.body = error
    this.headers = Object.fromEntries(headers)
  }
}

/** How long the rest of an answer is awaited after its reason of the end, in milliseconds. */
const REST_MS = 5_000

/**
 * Reads the body of a response into an answer. The first character decides whether it is a stream of events or one
 * answer: some servers answer in the other way than they were asked to.
 * @throws UnreadableAnswer, ReportedError, ModelFailure MODEL_STREAM_CUT, or the error of the connection
 */
export async function readResponse(
  response: Response,
  answer: AnswerReader,
  restMs = REST_MS,
): Promise<void> {
  const { body } = response
  if (body === null) throw new UnreadableAnswer(response, '')
  const source = body.getReader()
  const decoder = new TextDecoder()
  let form: Form | undefined
  try {
    while (!(form?.done ?? false)) {
      const next = answer.ended && form?.streamed === true ? within(source.read(), restMs) : source.read()
      let chunk: Awaited<ReturnType<typeof source.read>>
      try {
        chunk = (await next) as typeof chunk
      } catch (error) {
        if (form?.interrupted() === true) return
        throw error
      }
      const text = chunk.done ? decoder.decode() : decoder.decode(chunk.value, { stream: true })
      if (form === undefined) {
        // White space before an answer means nothing, and there may be any amount of it.
        const begin = text.trimStart()
        const first = begin.charAt(0)
        // Markup is neither, and is reported as a whole.
        if (first !== '')
          form = '{[<'.includes(first) ? new Whole(response, answer) : new Events(response, answer)
        form?.take(begin)
      } else form.take(text)
      if (chunk.done) {
        if (form === undefined) throw noAnswer(response)
        form.end()
        return
      }
    }
  } finally {
    source.cancel().catch(() => undefined)
  }
}

/** One of the two forms of a body. */
interface Form {
  readonly streamed: boolean
  /** Nothing of the rest matters. */
  readonly done: boolean
  take(text: string): void
  end(): void
  /** Returns true if the answer is complete although the connection was interrupted. */
  interrupted(): boolean
}

class Whole implements Form {
  readonly streamed = false
  readonly done = false
  readonly #response: Response
  readonly #answer: AnswerReader
  readonly #texts: string[] = []

  constructor(response: Response, answer: AnswerReader) {
    this.#response = response
    this.#answer = answer
  }

  take(text: string): void {
    this.#texts.push(text)
  }

  end(): void {
    const text = this.#texts.join('')
    const value = parsed(text)
    const list = objectsOf(value)
    if (value === undefined || list.length === 0) throw new UnreadableAnswer(this.#response, text)
    for (const body of list) {
      throwIfError(body, this.#response)
      if (!isAnswer(body)) throw new UnreadableAnswer(this.#response, text)
      this.#answer.read(body)
    }
  }

  interrupted(): boolean {
    const text = this.#texts.join('')
    if (parsed(text) === undefined) return false
    this.end()
    return true
  }
}

class Events implements Form {
  readonly streamed = true
  readonly #response: Response
  readonly #answer: AnswerReader
  readonly #parser
  #isDone = false
  /** The beginning, until the first event. */
  #begin: string | undefined = ''

  constructor(response: Response, answer: AnswerReader) {
    this.#response = response
    this.#answer = answer
    this.#parser = createParser({ onEvent: (event) => this.#event(event) })
  }

  get done(): boolean {
    return this.#isDone || this.#answer.closed
  }

  take(text: string): void {
    if (this.#begin !== undefined) this.#begin = (this.#begin + text).slice(0, LONGEST_BEGIN)
    this.#parser.feed(text)
  }

  end(): void {
    // The last event may lack its empty line; the beginning of one does not count.
    try {
      this.#parser.feed('\n\n')
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error
      throw cut()
    }
    if (this.#answer.ended || this.#isDone) return
    // A text that has no event at all is not a stream.
    const begin = (this.#begin ?? '').replaceAll(/^(:.*|\s*)$/gm, '')
    throw begin === '' ? cut() : new UnreadableAnswer(this.#response, begin)
  }

  interrupted(): boolean {
    return this.#answer.ended
  }

  #event({ data, event }: EventSourceMessage): void {
    this.#begin = undefined
    if (this.done || data.trim() === '') return
    const whole = parsed(data)
    // Some servers write one event in each line, without empty lines between them.
    const values =
      whole === undefined ? data.split('\n').map((line) => this.#parsedLine(line, event)) : [whole]
    for (const value of values) {
      if (value === DONE) this.#isDone = true
      else if (value !== undefined) this.#value(value, event)
    }
  }

  #parsedLine(line: string, event: string | undefined): Json | typeof DONE | undefined {
    if (line.trim() === '') return undefined
    if (line.trim() === '[DONE]') return DONE
    const value = parsed(line)
    if (value !== undefined || this.#answer.ended) return value
    if (event === 'error') throw new ReportedError(line, this.#response)
    throw new UnreadableAnswer(this.#response, line)
  }

  #value(value: Json, event: string | undefined): void {
    for (const body of objectsOf(value)) {
      if (!this.#answer.ended) throwIfError(body, this.#response, event)
      this.#answer.read(body, event)
    }
  }
}

/** How much of a text without events is kept for a message, in UTF-16 units. */
const LONGEST_BEGIN = 500

const DONE = Symbol('the end of a stream')

function parsed(text: string): Json | undefined {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** The members that an answer of one of the dialects has, or that tell it from another document. */
const ANSWER_MEMBERS = ['choices', 'content', 'candidates', 'promptFeedback', 'stop_reason']

function isAnswer(body: JsonObject): boolean {
  return ANSWER_MEMBERS.some((name) => (ownMember(body, name) ?? null) !== null)
}

/** @throws ReportedError if the provider reports an error instead of an answer, or instead of its rest */
function throwIfError(body: JsonObject, response: Response, event?: string): void {
  const { error = null } = body
  const [choice] = objectsOf(body.choices)
  const inChoice = choice?.error ?? null
  const isError = typeof error === 'string' ? error !== '' : objectOf(error) !== undefined
  if (isError) throw new ReportedError(error, response)
  if (objectOf(inChoice) !== undefined || typeof inChoice === 'string')
    throw new ReportedError(inChoice, response)
  if (event === 'error' || body.type === 'error' || body.object === 'error')
    throw new ReportedError(body, response)
}

function noAnswer(response: Response): Error {
  const streams = /event-stream/i.test(response.headers.get('content-type') ?? '')
  return streams ? cut() : new UnreadableAnswer(response, '')
}

function cut(): ModelFailure {
  const text = 'the stream ended before the answer was complete'
  return new ModelFailure('unavailable', 'MODEL_STREAM_CUT', text, undefined, undefined, {
    outcome: 'unknown',
  })
}

/** Rejects if a read takes longer. */
async function within<T>(read: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the rest of the answer was not sent')), ms)
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}
