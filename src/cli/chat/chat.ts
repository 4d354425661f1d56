import { v7 as uuidv7 } from 'uuid'
import { assertFunctions } from '../../compose/functions.ts'
import type { Env } from '../../compose/parts.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { Fact, FactOf } from '../../run/event.ts'
import type { FirstFact } from '../../run/record/records.ts'
import { runHeader } from '../../run/record/run-header.ts'
import type { RunResult } from '../../run/result.ts'
import { initialState, type RunState } from '../../run/state.ts'
import type { AgentSessions } from '../../session/agent-sessions.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { nextFact, type Session } from '../../session/session.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { slotOptions, type WaitOptions } from '../options/wait-option.ts'
import { personName } from '../person-name.ts'
import { sessionsOfRun } from '../resume/resume-run.ts'
import { callerTraceOf } from '../run-session/caller-trace.ts'
import { type Driven, driveRun, exitOf } from '../run-session/drive-run.ts'
import { asInput } from '../run-session/run-input.ts'
import { originOf, sessionsOf } from '../run-session/run-origin.ts'
import { environment, setUpRun } from '../run-session/run-setup.ts'
import { showResult } from '../run-view/show-result.ts'
import { openRunView, type ShownRun } from '../run-view/terminal-view.ts'
import { count, usageLine } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { type Lines, pipedLines, typedLines } from './lines.ts'

interface Options extends RunOptions, WaitOptions {
  readonly resume?: string
  readonly format?: string
}

/** Sessions that a conversation opens for itself. */
const OWN_SESSION = 'chat:'

/** `waybill chat`: one run, a turn for each thing that is said. */
export async function chat(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => {
      const opened = await openChat(file, options, home, env, io)
      const typed = isInteractive(io, wantsJson(options))
      const lines = typed ? typedLines(io) : pipedLines(io)
      const conversation = new Conversation(opened, home, lines, typed, options, io)
      try {
        return await conversation.hold()
      } finally {
        lines.close()
        await conversation.close()
      }
    },
    environment(options, io),
  )
}

interface OpenChat {
  readonly sessions: AgentSessions
  readonly shown: ShownRun
  /** Absent until something is said in a new conversation. */
  readonly session?: Session
  /** Begins a new conversation. */
  begin(first: FirstFact): Promise<Session>
}

async function openChat(
  file: string | undefined,
  options: Options,
  home: Home,
  env: Env,
  io: Io,
): Promise<OpenChat> {
  if (file === '-') {
    throw usage(
      'chat reads the messages from standard input, so the definition cannot come from there',
      'name the definition as a file',
    )
  }
  if ((file === undefined) === (options.resume === undefined))
    throw usage('name a definition, or a conversation with --resume', 'waybill chat agent.yaml')
  if (file !== undefined) {
    // A conversation is a session, of its own when none is named.
    const named = { ...options, session: options.session ?? `${OWN_SESSION}${uuidv7()}` }
    const setup = await setUpRun(file, named, io, home, env, { askHosts: !wantsJson(options), pin: true })
    const { program, family, parts } = setup
    for (const plan of family) assertFunctions(plan, parts)
    const sessions = sessionsOf(setup, io)
    const run_id = uuidv7()
    const origin = originOf(setup, named, io)
    const header = runHeader(program, run_id, { ...origin, definitions: setup.definitions })
    const state = initialState(run_id, program.plan.agent_id, program.hash)
    return {
      sessions,
      shown: { header, plan: program.plan, family: family.slice(1), state },
      begin: (first) => sessions.start(first, { ...origin, run_id }),
    }
  }
  const runId = await findRun(home, options.resume ?? '')
  const sessions = await sessionsOfRun(await home.runs.read(runId), options, home, env, io)
  try {
    const session = await sessions.open(runId)
    return { sessions, shown: session.run, session, begin: () => Promise.resolve(session) }
  } catch (error) {
    await sessions.close()
    throw error
  }
}

class Conversation {
  readonly #opened: OpenChat
  readonly #run: ShownRun
  readonly #home: Home
  readonly #lines: Lines
  readonly #typed: boolean
  readonly #json: boolean
  readonly #wait: boolean
  readonly #io: Io
  readonly #results: RunResult[] = []
  #session: Session | undefined
  #exit: ExitCode = EXIT.ok

  constructor(opened: OpenChat, home: Home, lines: Lines, typed: boolean, options: Options, io: Io) {
    this.#opened = opened
    this.#run = opened.shown
    this.#session = opened.session
    this.#home = home
    this.#lines = lines
    this.#typed = typed
    this.#json = wantsJson(options)
    this.#wait = options.wait ?? true
    this.#io = io
  }

  get #state(): RunState {
    return this.#session?.state ?? this.#run.state
  }

  async close(): Promise<void> {
    await this.#session?.close()
    await this.#opened.sessions.close()
  }

  async hold(): Promise<ExitCode> {
    openRunView(this.#io, this.#run, this.#home, { json: this.#json }).close?.()
    if (this.#typed) this.#io.err('/help says what can be done here\n')
    // A conversation that was cut off in the middle of a turn finishes that turn first.
    let goesOn =
      this.#session === undefined || this.#state.end !== null || (await this.#turn(this.#next(this.#session)))
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
    if (said === '' && this.#session !== undefined) return this.#turn(this.#next(this.#session))
    // Something else was said: the turn is given up. Calls whose fate is open have to be settled first.
    if (this.#state.calls.some(({ status }) => status === 'sent' || status === 'unknown')) {
      this.#io.err('a call of this turn is still open: press Enter to go on with it first\n')
      return true
    }
    await this.#drive({ type: 'run.cancelled', by: personName(this.#io.env) })
    return this.#turn(this.#said(said))
  }

  #said(text: string): FirstFact | FactOf<'user.said'> {
    const input: Json = asInput(text, this.#run.plan.input.schema !== undefined)
    return this.#session === undefined
      ? { type: 'run.started', input, ...callerTraceOf({}, this.#io.env) }
      : { type: 'user.said', input }
  }

  #next({ run, state }: Session): Fact {
    return nextFact(run, state, personName(this.#io.env))
  }

  async #turn(fact: Fact): Promise<boolean> {
    const view = openRunView(this.#io, this.#run, this.#home, { json: this.#json, turn: this.#state })
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
    if (fact.type === 'run.started') this.#session ??= await this.#opened.begin(fact)
    if (this.#session === undefined) throw new Error('a conversation begins with what is said')
    // Between the turns nothing runs, so a conversation that is only open keeps nobody waiting.
    return driveRun(this.#session, view, slotOptions(this.#run.plan, { wait: this.#wait }, this.#io), fact)
  }

  /**
   * A session that the conversation opened for itself ends with it (AAIF §4.5); one that was named with `--session` is
   * its owner's to end. A turn that is still open keeps its session.
   */
  async #endSession(): Promise<void> {
    const { session, rehearsal } = this.#run.header
    const ended = this.#session === undefined || this.#state.end !== null
    const kept = [this.#run.plan, ...this.#run.family].some(({ memory }) =>
      memory.some(({ scope }) => scope === 'session'),
    )
    if (!ended || !kept || rehearsal || session?.startsWith(OWN_SESSION) !== true) return
    const forgotten = await this.#home.memory.endSession(session)
    if (!this.#json) this.#io.err(`the session has ended: ${count(forgotten, 'item')} forgotten\n`)
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
