import { v7 as uuidv7 } from 'uuid'
import { assertFunctions } from '../../compose/functions.ts'
import { openMemoryFile } from '../../compose/open-memory.ts'
import type { Parts } from '../../compose/parts.ts'
import { type Json, WaybillError } from '../../document/issue.ts'
import { assertBegun } from '../../library/kept-runs.ts'
import type { Fact } from '../../run/event.ts'
import { type OpenRun, RunStore } from '../../run/record/run-store.ts'
import type { RunResult } from '../../run/result.ts'
import type { RunState } from '../../run/state.ts'
import { memoryFile, runsFolder } from '../../settings/home.ts'
import { callerTraceOf } from '../caller-trace.ts'
import { type Driven, driveRun, exitOf } from '../drive-run.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { personName } from '../person-name.ts'
import { resumedParts } from '../resume-run.ts'
import { asInput } from '../run-input.ts'
import { type RunOptions, wantsJson } from '../run-options.ts'
import { setUpRun } from '../run-setup.ts'
import { startRun } from '../start-run.ts'
import { takeSlot, type WaitOptions } from '../take-slot.ts'
import { count, usageLine } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { openRunView } from '../terminal/run-view.ts'
import { showResult } from '../terminal/show-result.ts'
import { type Lines, pipedLines, typedLines } from './lines.ts'

interface Options extends RunOptions, WaitOptions {
  readonly resume?: string
  readonly format?: string
}

/** Sessions that a conversation opens for itself. */
const OWN_SESSION = 'chat:'

/** `waybill chat`: one run, a turn for each thing that is said. */
export async function chat(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const { run, parts } = await openChat(file, options, io)
  const typed = isInteractive(io, wantsJson(options))
  const lines = typed ? typedLines(io) : pipedLines(io)
  try {
    return await new Conversation(run, parts, lines, typed, options, io).hold()
  } finally {
    lines.close()
    run.close()
  }
}

async function openChat(
  file: string | undefined,
  options: Options,
  io: Io,
): Promise<{ readonly run: OpenRun; readonly parts: Parts }> {
  if (file === '-') throw usage('standard input is what is said', 'name the definition as a file')
  if ((file === undefined) === (options.resume === undefined))
    throw usage('name a definition, or a conversation with --resume', 'waybill chat agent.yaml')
  if (file !== undefined) {
    // A conversation is a session, of its own when none is named.
    const named = { ...options, session: options.session ?? `${OWN_SESSION}${uuidv7()}` }
    const setup = await setUpRun(file, named, io, { askHosts: !wantsJson(options), pin: true })
    assertFunctions(setup.program.plan, setup.parts)
    return { run: startRun(setup, named, io), parts: setup.parts }
  }
  const store = new RunStore(runsFolder(io.env))
  const runId = store.resolve(options.resume ?? '')
  assertBegun(store.read(runId))
  const run = store.open(runId)
  try {
    const parts = await resumedParts(run, options, io)
    assertFunctions(run.plan, parts)
    return { run, parts }
  } catch (error) {
    run.close()
    throw error
  }
}

class Conversation {
  readonly #run: OpenRun
  readonly #parts: Parts
  readonly #lines: Lines
  readonly #typed: boolean
  readonly #json: boolean
  readonly #wait: boolean
  readonly #io: Io
  readonly #results: RunResult[] = []
  #state: RunState
  #exit: ExitCode = EXIT.ok

  constructor(run: OpenRun, parts: Parts, lines: Lines, typed: boolean, options: Options, io: Io) {
    this.#run = run
    this.#parts = parts
    this.#lines = lines
    this.#typed = typed
    this.#json = wantsJson(options)
    this.#wait = options.wait ?? true
    this.#io = io
    this.#state = run.state
  }

  async hold(): Promise<ExitCode> {
    openRunView(this.#io, this.#run, { json: this.#json }).close?.()
    if (this.#typed) this.#io.err('/help says what can be done here\n')
    // A conversation that was cut off in the middle of a turn finishes that turn first.
    let goesOn = this.#state.seq === 0 || this.#state.end !== null || (await this.#turn(this.#resumed()))
    while (goesOn) {
      const said = await this.#lines.next(this.#prompt())
      if (said === null) break
      goesOn = await this.#take(said.trim())
    }
    await this.#endSession()
    return this.#leave()
  }

  #prompt(): string {
    const paint = painter(this.#io.color)
    return this.#state.status === 'paused' ? paint('warn', '(paused) > ') : paint('accent', '> ')
  }

  /** @returns whether the conversation goes on */
  async #take(said: string): Promise<boolean> {
    if (this.#typed) {
      switch (said) {
        case '/exit':
        case '/quit':
          return false
        case '/help':
          this.#io.err(HELP)
          return true
        case '/usage':
          this.#io.err(`${usageLine(this.#state.totals, this.#run.plan.rehearsal)}\n`)
          return true
      }
      if (/^\/[a-z]+$/.test(said)) {
        this.#io.err(`there is no command ${said}; /help lists them\n`)
        return true
      }
    }
    if (this.#state.status === 'paused') return this.#afterPause(said)
    if (said === '') return true
    return this.#turn(this.#said(said))
  }

  async #afterPause(said: string): Promise<boolean> {
    if (said === '') return this.#turn(this.#resumed())
    // Something else was said: the turn is given up. Calls whose fate is open have to be settled first.
    if (this.#state.calls.some(({ status }) => status === 'sent' || status === 'unknown')) {
      this.#io.err('a call of this turn is still open: press Enter to go on with it first\n')
      return true
    }
    await this.#drive({ type: 'run.cancelled', by: personName(this.#io.env) })
    return this.#turn(this.#said(said))
  }

  #said(text: string): Fact {
    const input: Json = asInput(text, this.#run.plan.input.schema !== undefined)
    return this.#state.seq === 0
      ? { type: 'run.started', input, ...callerTraceOf({}, this.#parts.env) }
      : { type: 'user.said', input }
  }

  #resumed(): Fact {
    return { type: 'run.resumed', by: personName(this.#io.env) }
  }

  async #turn(fact: Fact): Promise<boolean> {
    const view = openRunView(this.#io, this.#run, { json: this.#json, turn: this.#state })
    const driven = await this.#drive(fact, view)
    const { result } = driven
    this.#results.push(result)
    this.#exit = exitOf(driven)
    if (!this.#json) showResult(result, this.#io, { json: false, shown: view.shown(), brief: true })
    if (result.status === 'completed') return true
    if (this.#typed && result.error?.code === 'PII_REJECTED') return true
    if (!this.#typed || result.status === 'refused' || result.status === 'awaiting_approval') return false
    if (result.status === 'paused')
      this.#io.err(
        'Enter goes on with it; say something else to give it up; /exit leaves, and it can be resumed\n',
      )
    return true
  }

  async #drive(fact: Fact, view = {}): Promise<Driven> {
    // Between the turns nothing runs, so a conversation that is only open keeps nobody waiting.
    const release = await takeSlot(this.#run.plan, { wait: this.#wait }, this.#io)
    const driven = await driveRun(this.#run, fact, this.#parts, view, this.#state).finally(release)
    this.#state = driven.state
    return driven
  }

  /**
   * A session that the conversation opened for itself ends with it (AAIF §4.5); one that was named with `--session` is
   * its owner's to end. A turn that is still open keeps its session.
   */
  async #endSession(): Promise<void> {
    const { session, rehearsal } = this.#run.header
    const ended = this.#state.seq === 0 || this.#state.end !== null
    const kept = [this.#run.plan, ...this.#run.family].some(({ memory }) =>
      memory.some(({ scope }) => scope === 'session'),
    )
    if (!ended || !kept || rehearsal || session?.startsWith(OWN_SESSION) !== true) return
    const file = await openMemoryFile(memoryFile(this.#parts.env))
    try {
      const forgotten = file.endSession(session)
      if (!this.#json) this.#io.err(`the session has ended: ${count(forgotten, 'item')} forgotten\n`)
    } finally {
      file.close()
    }
  }

  #leave(): ExitCode {
    const { run_id } = this.#run.header
    if (this.#json) this.#io.out(`${jsonText({ run_id, turns: this.#results })}\n`)
    else
      this.#io.err(
        painter(this.#io.color)('faint', `go on with it: waybill chat --resume ${run_id}`).concat('\n'),
      )
    // A person who leaves after a failed turn has seen it; a script needs the code.
    return this.#typed && this.#state.end !== null && this.#state.end.status !== 'refused'
      ? EXIT.ok
      : this.#exit
  }
}

const HELP = `  /usage   what the conversation has used so far
  /exit    leave; so do Ctrl-D, and Ctrl-C at the prompt
  Ctrl-C   while the agent works: pauses it
`

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}
