import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { RunResult } from '../run/result.ts'
import type { Session } from '../session/session.ts'
import { interruptingFacts, nextFact, nextTurnFact } from '../session/session.ts'
import { assertOptions, type OptionNames } from './assert-options.ts'
import { type BegunRun, DRIVE_OPTIONS, type DriveOptions, driveTurn } from './drive-session.ts'
import { CALLER } from './open-home.ts'

/** What an input does while a turn is in progress. */
export type OnBusy =
  /** It waits for the end of the turn. */
  | 'enqueue'
  /** It stops the turn, also one that waits for a person or is paused: an open question is closed as denied. */
  | 'interrupt'
  /** As `interrupt`, and the messages of the turn leave the conversation; calls that were sent stay on record. */
  | 'rollback'

export interface SayOptions extends DriveOptions {
  /** Default: `enqueue`. */
  readonly onBusy?: OnBusy
}

const SAY_OPTIONS: OptionNames<SayOptions> = { ...DRIVE_OPTIONS, onBusy: true }

/** A conversation: one run, with a turn for each input. */
export interface Chat extends AsyncDisposable {
  /** The id of its run; undefined before the first input. */
  readonly run_id: string | undefined
  /**
   * Sends an input and returns the result of its turn. Inputs that are sent meanwhile wait for the turn to end.
   * @throws TURN_UNFINISHED while the previous turn waits for a person or is paused: `resume` it first, or interrupt it
   * with `onBusy`
   */
  say(input: Json, options?: SayOptions): Promise<RunResult>
  /**
   * Sends a message to the turn in progress. The model gets it with its next question, or with the next input if the turn
   * asks none; it never answers a question to a person.
   * @returns false if no turn is in progress: then nothing is sent
   */
  steer(input: Json): boolean
  /** Continues a turn that waits for a person or was paused, and returns its result. */
  resume(options?: DriveOptions): Promise<RunResult>
  /** Waits for the turn in progress, and releases the run: `agent.resume(run_id, { input })` continues it. */
  close(): Promise<void>
}

/** The run of a conversation, and the way to report its turns. */
export interface HeldRun {
  readonly session: Session
  /** Reports to the agent that a turn is in progress. */
  hold(turn: BegunRun): BegunRun
}

/**
 * Opens a conversation.
 * @param begin stores the run with the first input; the conversation holds the run from then on
 * @param options of every turn
 */
export function openChat(begin: (input: Json) => Promise<HeldRun>, options: DriveOptions): Chat {
  let held: HeldRun | undefined
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  let active: BegunRun | undefined
  /** @param input absent: the previous turn is continued */
  const turn = async (input: Json | undefined, { onBusy, ...more }: SayOptions): Promise<RunResult> => {
    if (closed) throw chatClosed()
    const begins = held === undefined
    if (input === undefined && begins) throw noInputYet()
    held ??= await begin(input ?? null)
    const { session, hold } = held
    const continuesTurn = begins || input === undefined
    const fact = continuesTurn
      ? nextFact(session.run, session.state, CALLER)
      : isUrgent(onBusy)
        ? interruptingFacts(session.state, input, CALLER, onBusy)
        : nextTurnFact(session.state, input, 'continue the turn with `chat.resume()`')
    active = hold(driveTurn(session, fact, { ...options, ...more }))
    try {
      return await active.result
    } finally {
      active = undefined
    }
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
    say: async (input, more = {}) => {
      assertOptions('say', more, { names: SAY_OPTIONS })
      const { onBusy } = more
      if (isUrgent(onBusy)) active?.steer((control) => control.interrupt(CALLER, onBusy))
      return afterLast(() => turn(input, more))
    },
    steer: (input) => {
      active?.steer((control) => control.steer(input))
      return active !== undefined
    },
    resume: async (more = {}) => {
      assertOptions('resume', more, { names: DRIVE_OPTIONS })
      return afterLast(() => turn(undefined, more))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function isUrgent(onBusy: OnBusy | undefined): onBusy is 'interrupt' | 'rollback' {
  return onBusy === 'interrupt' || onBusy === 'rollback'
}

function noInputYet(): WaybillError {
  return new WaybillError('INPUT_MISSING', {
    fault: 'usage',
    message: 'this conversation has no input yet',
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
