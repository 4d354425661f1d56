import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { RunResult } from '../run/result.ts'
import type { Session } from '../session/session.ts'
import { nextFact, saidFact } from '../session/session.ts'
import { type BegunRun, type DriveOptions, driveTurn } from './drive-session.ts'
import { CALLER } from './open-home.ts'

/** A conversation: one run, a turn for each thing that is said. */
export interface Chat extends AsyncDisposable {
  /** Of its run; undefined until something is said. */
  readonly run_id: string | undefined
  /**
   * Says something and returns the result of the turn. What is said meanwhile waits for the turn to end.
   * @throws TURN_UNFINISHED while the turn before waits for a person, or was paused: `resume` it first
   */
  say(input: Json, options?: DriveOptions): Promise<RunResult>
  /** Continues a turn that waits for a person or was paused, and returns its result. */
  resume(options?: DriveOptions): Promise<RunResult>
  /** Waits for the turn that is under way, and gives the run back: `agent.resume(run_id, { input })` continues it. */
  close(): Promise<void>
}

/** The run of a conversation. */
export interface HeldRun {
  readonly session: Session
  /** Tells the agent that a turn is under way. */
  hold(turn: BegunRun): BegunRun
}

/**
 * @param begin stores the run with what is said first; the conversation holds it from then on
 * @param options of every turn
 */
export function openChat(begin: (input: Json) => Promise<HeldRun>, options: DriveOptions): Chat {
  let held: HeldRun | undefined
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  /** @param input absent: the turn before is continued */
  const turn = async (input: Json | undefined, more: DriveOptions): Promise<RunResult> => {
    if (closed) throw chatClosed()
    const begins = held === undefined
    if (input === undefined && begins) throw nothingSaid()
    held ??= await begin(input ?? null)
    const { session, hold } = held
    const goesOn = begins || input === undefined
    const fact = goesOn
      ? nextFact(session.run, session.state, CALLER)
      : saidFact(session.state, input, 'continue the turn with `chat.resume()`')
    return hold(driveTurn(session, fact, { ...options, ...more })).result
  }
  const afterLast = (act: () => Promise<RunResult>): Promise<RunResult> => {
    const result = last.then(act)
    last = result.catch(() => {})
    return result
  }
  const close = async () => {
    closed = true
    await last
    await held?.session.close()
  }
  return {
    get run_id() {
      return held?.session.run.header.run_id
    },
    say: (input, more = {}) => afterLast(() => turn(input, more)),
    resume: (more = {}) => afterLast(() => turn(undefined, more)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function nothingSaid(): WaybillError {
  return new WaybillError('INPUT_MISSING', {
    fault: 'usage',
    message: 'nothing has been said in this conversation yet',
    hint: 'begin it with `chat.say(text)`',
  })
}

function chatClosed(): WaybillError {
  return new WaybillError('RECORDS_CLOSED', {
    fault: 'usage',
    message: 'the conversation is closed',
    hint: 'open another one with `agent.chat()`, or continue its run with `agent.resume(run_id, { input })`',
  })
}
