import { setTimeout as sleep } from 'node:timers/promises'
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { rawNumbers } from '../../document/exact-numbers.ts'
import { asJson, type Json, type JsonObject } from '../../document/json.ts'
import { wellFormed } from '../../document/well-formed.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { type Elicitation, MOST_ROUNDS } from '../../run/elicitation.ts'
import { ToolFailure, ToolQuestions, type ToolRequest } from '../../run/ports.ts'
import { startTimeLimit } from '../clock/after-input.ts'
import { LONGEST_TIMER_MS } from '../clock/system-clock.ts'
import type { Redact } from '../net/shorten.ts'
import { toJsonData } from '../tools/json-data.ts'
import { KEY } from './asked-by.ts'
import { notAsked, Retry, resultOfCall } from './call-answer.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import { parameterHeaders } from './header-parameters.ts'
import { abandon, type HeldCall, type HeldCalls } from './held-calls.ts'
import type { McpConnection } from './open-connection.ts'
import { readUrlErrors, UnaskedQuestion, URL_REQUIRED_CODE } from './read-questions.ts'

const IDLE_MS = 60_000
/** Delay before a call that the server wants again at once, in milliseconds. */
const AGAIN_MS = 250

interface CallOptions {
  /** The calls that wait for a person while their servers wait as well. */
  readonly held: HeldCalls
  /** Time without a response, in milliseconds; a progress notification restarts it. */
  readonly idleMs: number | undefined
  readonly signal: AbortSignal
}

/**
 * Makes a call over a connection.
 * @throws ToolQuestions if the server asks a person something first; ToolFailure; errors of the library
 */
export async function callOver(
  connection: McpConnection,
  request: ToolRequest,
  options: CallOptions,
): Promise<Json> {
  const { calls, redact } = connection
  try {
    if (calls !== undefined) return await callThatMayAsk(connection, calls, request, options)
    let state = request.elicitation?.request_state
    for (let round = 0; ; round += 1) {
      const elicitation = round === 0 ? request.elicitation : undefined
      const params = {
        ...paramsOf(request),
        ...answersIn(elicitation),
        ...(state !== undefined && { requestState: state }),
      }
      const result = await send(connection, request, params, options.idleMs ?? IDLE_MS, options.signal)
      try {
        return resultOf(result, request.tool, redact)
      } catch (error) {
        if (!(error instanceof Retry)) throw error
        if (round === MOST_ROUNDS) throw wantsItAgain(request.tool)
        state = error.requestState
        await sleep(AGAIN_MS, undefined, { signal: options.signal })
      }
    }
  } catch (error) {
    throw urlQuestions(error, request, redact) ?? error
  }
}

function paramsOf({ tool, args, key, headers }: ToolRequest) {
  return {
    name: String((tool.binding as JsonObject).tool),
    arguments: rawNumbers(wellFormed(structuredClone(args))),
    // One connection serves many calls, so the data of a call is sent within the call, on every transport.
    _meta: { [KEY]: key, ...headers },
  }
}

/** The answers of this round only: those of earlier rounds are in the state, which the server keeps. */
function answersIn(elicitation: Elicitation | undefined) {
  if (elicitation?.answers === undefined) return {}
  return { inputResponses: rawNumbers(wellFormed(structuredClone(asJson(elicitation.answers)))) }
}

function send(
  { client, sendsParameters }: McpConnection,
  { tool, args }: ToolRequest,
  params: ReturnType<typeof paramsOf>,
  idleMs: number,
  signal: AbortSignal,
  onprogress: () => void = () => {},
): Promise<JsonObject> {
  const headers = sendsParameters ? parameterHeaders(tool.parameters_schema ?? {}, args) : {}
  // Not `client.callTool`: it checks results against schemas of the server, whose patterns may never end.
  return client.request(
    { method: 'tools/call', params },
    {
      signal,
      ...(Object.keys(headers).length > 0 && { headers }),
      // The tool port enforces the timeout of the tool, and reads the answer before it judges.
      timeout: tool.timeout_ms === undefined ? idleMs : LONGEST_TIMER_MS,
      resetTimeoutOnProgress: true,
      onprogress,
    },
  ) as unknown as Promise<JsonObject>
}

function resultOf(result: JsonObject, tool: PlannedTool, redact: Redact): Json {
  return toJsonData(resultOfCall((result._meta ?? {}) as Record<string, Json>, tool, redact))
}

/**
 * Makes a call to a server of the 2025 revisions. While a person is asked, the call stays open; answers reach the same
 * call, if it still waits for them. Else the call is made again, and the same questions get the same answers.
 */
async function callThatMayAsk(
  connection: McpConnection,
  calls: CallsInFlight,
  request: ToolRequest,
  { held, idleMs = IDLE_MS, signal }: CallOptions,
): Promise<Json> {
  const { tool, key, elicitation } = request
  const { redact } = connection
  const waiting = elicitation === undefined ? undefined : held.take(key)
  const outcome = waiting?.call.outcome
  // It was made without the answer.
  if (outcome?.type === 'result' && isMade(outcome.result, tool))
    return resultOf(outcome.result, tool, redact)
  const one = stillWaiting(waiting, connection, elicitation) ?? begin(connection, calls, request)
  if (one === waiting) one.call.answer(elicitation?.answers ?? {})
  else if (waiting !== undefined) abandon(waiting)
  const limit = new IdleLimit(tool.timeout_ms === undefined ? idleMs : undefined)
  one.onProgress(() => limit.restart())
  try {
    const news = await one.call.next(AbortSignal.any([signal, limit.signal]))
    if (news.type === 'questions') {
      held.hold(one)
      throw new ToolQuestions(news.questions)
    }
    if (news.type === 'error') throw news.error
    try {
      return resultOf(news.result, tool, redact)
    } catch (error) {
      if (!(error instanceof Retry) && !(error instanceof ToolQuestions)) throw error
      const why = 'asks in a way that its revision of the protocol does not have'
      throw notAsked(tool.name, new UnaskedQuestion(why), redact)
    }
  } catch (error) {
    if (!(error instanceof ToolQuestions)) one.abort(error as Error)
    throw error
  } finally {
    limit.stop()
  }
}

function begin(connection: McpConnection, calls: CallsInFlight, request: ToolRequest): HeldCall {
  const { key, elicitation } = request
  const known =
    elicitation?.answers === undefined
      ? []
      : [...(elicitation.before ?? []), { ...elicitation, answers: elicitation.answers }]
  const call = calls.begin(key, known)
  const stop = new AbortController()
  let listener = () => {}
  // Its time limits are kept here: no time counts while a person is asked.
  call.follow(send(connection, request, paramsOf(request), LONGEST_TIMER_MS, stop.signal, () => listener()))
  return {
    call,
    connection,
    abort: (reason) => stop.abort(reason),
    onProgress: (act) => {
      listener = act
    },
  }
}

/** Returns the held call if it still waits for the answers to these questions. */
function stillWaiting(
  held: HeldCall | undefined,
  connection: McpConnection,
  elicitation: Elicitation | undefined,
): HeldCall | undefined {
  if (held === undefined || elicitation === undefined || held.connection !== connection) return undefined
  return held.call.outcome === undefined && held.call.waitsFor(elicitation) ? held : undefined
}

/** A failure after the question had no answer says nothing: the call is made again with the answer. */
function isMade(result: JsonObject, tool: PlannedTool): boolean {
  try {
    resultOf(result, tool, (text) => text)
    return true
  } catch {
    return false
  }
}

/** Time without a response. */
class IdleLimit {
  readonly #ms: number | undefined
  readonly #over = new AbortController()
  #cancel = () => {}

  /** @param ms absent: no limit */
  constructor(ms: number | undefined) {
    this.#ms = ms
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  restart(): void {
    this.#cancel()
    if (this.#ms === undefined) return
    const late = () => this.#over.abort(new SdkError(SdkErrorCode.RequestTimeout, 'no response in time'))
    this.#cancel = startTimeLimit(this.#ms, late)
  }

  stop(): void {
    this.#cancel()
  }
}

function wantsItAgain({ name }: PlannedTool): ToolFailure {
  const why = `the server has not made the call of ${name}: it wanted it again ${MOST_ROUNDS} times`
  return new ToolFailure('MCP_CALL_REFUSED', why, 'answered')
}

/**
 * Returns what follows from the error of a server that wants a person to visit a URL first: questions, or a failure if a
 * person has not wanted to.
 */
function urlQuestions(error: unknown, { tool, elicitation }: ToolRequest, redact: Redact): Error | undefined {
  if (!(error instanceof ProtocolError) || error.code !== URL_REQUIRED_CODE) return undefined
  const answers = Object.values(elicitation?.answers ?? {})
  if (answers.length > 0 && answers.every(({ action }) => action !== 'accept'))
    return notAsked(tool.name, new UnaskedQuestion('needs a visit of a person, who has declined it'), redact)
  try {
    return new ToolQuestions(readUrlErrors(error.data))
  } catch (unread) {
    return unread instanceof UnaskedQuestion ? notAsked(tool.name, unread, redact) : undefined
  }
}
