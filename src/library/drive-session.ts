import { defined } from '../document/defined.ts'
import type { Json } from '../document/json.ts'
import type { Control } from '../run/drive/drive-ports.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import type { RunResult } from '../run/result.ts'
import type { RunState, RunWarning } from '../run/state.ts'
import { answersGiven } from '../session/answers-given.ts'
import type { PersonsDecision } from '../session/leave-decision.ts'
import type { AskedCall, Session } from '../session/session.ts'
import { type WaitingApproval, waitingApproval } from '../session/waiting-approval.ts'
import { assertMembers, type OptionNames } from './assert-options.ts'
import { CALLER } from './open-home.ts'
import { inOptions, withOptionHint } from './option-hints.ts'
import { Stream } from './stream.ts'

/** Maximum time to wait for a collector after a run has ended, in milliseconds. */
const REPORT_MS = 5000

/** Options for driving a run, from its start or from the end of its record. */
export interface DriveOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal
  /**
   * False: throw CONCURRENCY_EXCEEDED instead of waiting while `runtime.concurrency` runs of the agent are active.
   */
  readonly wait?: boolean
  /**
   * True: a queue, a trigger or a batch starts the run, not a person. Then the default of `runtime.concurrency`, one run
   * at a time, applies to an agent that declares none.
   */
  readonly unattended?: boolean
  /**
   * Decides about a call that needs approval, whose server asks a person something, or whose outcome is unknown (`asks`).
   * Its arguments have the real values of personal data. Null, or no function: the run waits.
   */
  readonly decide?: (approval: WaitingApproval) => PersonsDecision | null | Promise<PersonsDecision | null>
  readonly onEvent?: (event: RunEvent) => void
  /** Called after the result if telemetry of the run did not reach its collector. */
  readonly onWarning?: (warning: RunWarning) => void
  /** Text as it is generated, without the secrets that the run knows. */
  readonly onText?: (delta: string) => void
}

/** Options for continuing a recorded run. */
export interface ResumeRunOptions extends DriveOptions {
  /** Who resumes it, for the record. */
  readonly by?: string
  /** The next input of the conversation: a run that has ended continues with another turn. */
  readonly input?: Json
}

export interface StreamOptions {
  /** Ask the model for its text piece by piece. */
  readonly text?: boolean
}

export const DRIVE_OPTIONS: OptionNames<DriveOptions> = {
  signal: true,
  wait: true,
  unattended: true,
  decide: true,
  onEvent: true,
  onWarning: true,
  onText: true,
}
export const RESUME_RUN_OPTIONS: OptionNames<ResumeRunOptions> = { ...DRIVE_OPTIONS, by: true, input: true }
export const DECISION: OptionNames<PersonsDecision> = {
  verdict: true,
  by: true,
  why: true,
  result: true,
  arguments: true,
  answers: true,
  content: true,
}
export const STREAM_OPTIONS: OptionNames<StreamOptions> = { text: true }

/** A run in progress. */
export interface StartedRun {
  readonly run_id: string
  /** Every event as it is recorded, without those of sub-agents' runs; ends with the run. Can be read once. */
  readonly events: AsyncIterable<RunEvent>
  /**
   * Text as it is generated, without the secrets that the run knows; empty unless `text` is set. Can be read once.
   */
  readonly text: AsyncIterable<string>
  readonly result: Promise<RunResult>
  /** Finishes calls in flight, saves the run, and ends with status `paused`; `resume` continues it. */
  pause(): void
  cancel(): void
}

/** A run that has been started, and its controls. */
export interface BegunRun {
  readonly run_id: string
  readonly result: Promise<RunResult>
  steer(act: (control: Control) => void): void
}

/** The options in their internal form: an event comes with the state after it. */
export type Watched = Omit<DriveOptions, 'onEvent'> & {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

export type WatchedBy<Options extends DriveOptions> = Omit<Options, 'onEvent'> & Pick<Watched, 'onEvent'>

/** Drives a session once, and closes it. */
export function driveSession(session: Session, fact: Fact | undefined, options: Watched): BegunRun {
  const { result, ...begun } = driveTurn(session, fact, options)
  return { ...begun, result: closingAfter(result, () => session.close()) }
}

/** Drives one turn of a session. */
export function driveTurn(
  session: Session,
  fact: Fact | readonly Fact[] | undefined,
  options: Watched,
): BegunRun {
  const { decide, onText, onEvent, onWarning, signal, wait, unattended } = options
  let control: Control | undefined
  const wanted: ((control: Control) => void)[] = []
  const steer = (act: (control: Control) => void) => {
    if (control === undefined) wanted.push(act)
    else act(control)
  }
  const cancel = () => steer((given) => given.cancel(CALLER))
  const drives = async (): Promise<RunResult> => {
    try {
      const { result } = await session.drive(fact, {
        ...(decide !== undefined && { ask: (asked: AskedCall) => ask(asked, decide) }),
        ...defined({ onEvent, onText }),
        control: (given) => {
          control = given
          for (const act of wanted.splice(0)) act(given)
          if (signal?.aborted === true) cancel()
          else signal?.addEventListener('abort', cancel, { once: true })
        },
        slot: defined({ signal, wait, unattended }),
      })
      return withOptionHint(result)
    } finally {
      signal?.removeEventListener('abort', cancel)
      // In the background: a result does not wait for a collector.
      void session.report(REPORT_MS).then((warning) => warning && onWarning?.(warning))
    }
  }
  // An error of a callback is passed on as it is.
  return { run_id: session.run.header.run_id, result: inOptions(drives, () => null), steer }
}

/** Starts a run, and closes its resources when it is over, or if it could not be started. */
export async function closingWith(
  close: () => Promise<void>,
  start: () => Promise<StartedRun>,
): Promise<StartedRun> {
  try {
    const started = await start()
    const result = closingAfter(started.result, close)
    result.catch(() => {})
    return { ...started, result }
  } catch (error) {
    await close()
    throw error
  }
}

/** Calls `close` when the work is over, before its result or error is passed on. */
async function closingAfter<T>(work: Promise<T>, close: () => Promise<void>): Promise<T> {
  try {
    return await work
  } finally {
    await close()
  }
}

/** Starts a run whose events and text can be read while it is in progress. */
export async function watched(
  start: (more: Pick<Watched, 'onEvent' | 'onText'>) => Promise<BegunRun>,
  options: DriveOptions & StreamOptions,
): Promise<StartedRun> {
  const { text = false } = options
  const events = new Stream<RunEvent>()
  const texts = new Stream<string>()
  let runId: string | undefined
  const begun = await start({
    onEvent: (event, state) => {
      options.onEvent?.(event)
      runId ??= state.run_id
      if (state.run_id === runId) events.push(event)
    },
    ...((text || options.onText !== undefined) && {
      onText: (delta: string) => {
        options.onText?.(delta)
        if (text) texts.push(delta)
      },
    }),
  })
  const result = begun.result.finally(() => {
    events.end()
    texts.end()
  })
  // If the caller reads only the events, a rejected `result` must not end the process.
  result.catch(() => {})
  return {
    run_id: begun.run_id,
    events,
    text: texts,
    result,
    pause: () => begun.steer((control) => control.pause(CALLER)),
    cancel: () => begun.steer((control) => control.cancel(CALLER)),
  }
}

async function ask(
  { call, args, plan, state }: AskedCall,
  decide: NonNullable<DriveOptions['decide']>,
): Promise<Fact | null> {
  const decision = await decide(waitingApproval(state.run_id, plan, { ...call, args }))
  if (decision === null) return null
  assertMembers('the decision', decision, DECISION)
  const { answers: given, content, ...rest } = decision
  const answers = decision.verdict === 'answer' ? answersGiven(call, { answers: given, content }) : undefined
  return { type: 'person.decided', call_id: call.id, ...rest, ...defined({ answers }) }
}
