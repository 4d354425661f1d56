import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { ServerQuestion } from '../../run/elicitation.ts'

/** A person reads what is asked, so what a server may ask is bounded. */
const MOST_QUESTIONS = 20
const LONGEST_KEY = 200
const LONGEST_MESSAGE = 4000
const LONGEST_URL = 8000
const LARGEST_SCHEMA = 64 * 1024
const LARGEST_STATE = 256 * 1024

/** What a server asks in place of a result. */
export interface Asked {
  /** May be empty: the call is made again at once, with the state. */
  readonly questions: readonly ServerQuestion[]
  readonly requestState?: string
}

/** A question that is not put to a person, and why not: ends the sentence "the server …". */
export class UnaskedQuestion extends Error {
  override readonly name = 'UnaskedQuestion'
}

/**
 * Reads a result that asks for input (MCP 2026-07-28, `input_required`); undefined: it is another result.
 * @throws UnaskedQuestion
 */
export function readInputRequired({
  resultType,
  inputRequests,
  requestState,
}: JsonObject): Asked | undefined {
  if (resultType !== 'input_required') return undefined
  const state = requestState ?? undefined
  if (state !== undefined && typeof state !== 'string')
    throw new UnaskedQuestion('asks for input with a requestState that is not a text')
  if (state !== undefined && state.length > LARGEST_STATE)
    throw new UnaskedQuestion(`asks for input with a requestState of more than ${LARGEST_STATE} characters`)
  const asked = inputRequests ?? {}
  if (!isObject(asked)) throw new UnaskedQuestion('asks for input with inputRequests that are not an object')
  const entries = Object.entries(asked)
  if (entries.length === 0 && state === undefined)
    throw new UnaskedQuestion('asks for input, and says neither which nor how to continue')
  if (entries.length > MOST_QUESTIONS)
    throw new UnaskedQuestion(`asks ${entries.length} questions at once, and ${MOST_QUESTIONS} is the most`)
  const others = [...new Set(entries.map(([, one]) => methodOf(one)).filter((one) => one !== ELICITATION))]
  if (others.length > 0)
    throw new UnaskedQuestion(`asks for ${others.join(', ')}, and only ${ELICITATION} is declared`)
  const questions = entries.map(([key, one]) => {
    if (key.length > LONGEST_KEY) throw new UnaskedQuestion('asks a question with a key that is too long')
    return readElicitation(isObject(one) ? one.params : undefined, key)
  })
  return { questions, ...(state !== undefined && { requestState: state }) }
}

const ELICITATION = 'elicitation/create'

function methodOf(request: Json): string {
  const method = isObject(request) ? request.method : undefined
  return typeof method === 'string' && method !== '' ? method.slice(0, 100) : 'something without a method'
}

/** Reads the parameters of `elicitation/create`. @throws UnaskedQuestion */
export function readElicitation(params: Json | undefined, key: string): ServerQuestion {
  const { mode = 'form', message, requestedSchema, url } = isObject(params) ? params : {}
  const text = typeof message === 'string' ? message : ''
  const shown = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : text
  switch (mode) {
    case null:
    case 'form': {
      if (!isObject(requestedSchema)) return { key, mode: 'form', message: shown }
      if (JSON.stringify(requestedSchema).length > LARGEST_SCHEMA)
        throw new UnaskedQuestion(`asks with a form of more than ${LARGEST_SCHEMA} characters`)
      return { key, mode: 'form', message: shown, schema: requestedSchema }
    }
    case 'url':
      return { key, mode: 'url', message: shown, url: readUrl(url) }
    default:
      throw new UnaskedQuestion('asks a question of a mode that is neither form nor url')
  }
}

function readUrl(url: Json | undefined): string {
  if (typeof url === 'string' && url.length <= LONGEST_URL && URL.canParse(url)) {
    const { protocol } = new URL(url)
    if (protocol === 'https:' || protocol === 'http:') return url
  }
  throw new UnaskedQuestion('asks a person to visit something that is not a web address')
}

/**
 * Reads the data of the error -32042: URLs that a person must visit before the call.
 * @throws UnaskedQuestion
 */
export function readUrlErrors(data: unknown): readonly ServerQuestion[] {
  const listed: unknown = isObject(data as Json) ? (data as JsonObject).elicitations : undefined
  const elicitations = Array.isArray(listed) ? (listed as readonly Json[]) : []
  if (elicitations.length === 0) throw new UnaskedQuestion('wants a person to visit a URL, and names none')
  if (elicitations.length > MOST_QUESTIONS)
    throw new UnaskedQuestion(`names ${elicitations.length} URLs to visit, and ${MOST_QUESTIONS} is the most`)
  return elicitations.map((one, index) =>
    readElicitation(isObject(one) ? { ...one, mode: 'url' } : undefined, `url_${index + 1}`),
  )
}

/** The error code with which a server wants a person to visit a URL first (MCP 2025-11-25). */
export const URL_REQUIRED_CODE = -32_042
