import { v7 as uuidv7 } from 'uuid'
import { assertFunctions } from '../../compose/functions.ts'
import type { Json } from '../../document/json.ts'
import type { Fact, FactOf } from '../../run/event.ts'
import { initialState } from '../../run/initial-state.ts'
import type { FirstFact } from '../../run/record/records.ts'
import { runHeader } from '../../run/record/run-header.ts'
import type { RunResult } from '../../run/result.ts'
import type { RunState } from '../../run/state.ts'
import type { AgentSessions } from '../../session/agent-sessions.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { nextFact, type Session } from '../../session/session.ts'
import { type ShortRunId, shortRunIds } from '../../session/short-run-id.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { slotOptions, type WaitOptions } from '../options/wait-option.ts'
import { personName } from '../person-name.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { sessionsOfRun } from '../resume/resume-run.ts'
import { callerTraceOf } from '../run-session/caller-trace.ts'
import { type Driven, driveRun, exitOf } from '../run-session/drive-run.ts'
import type { OpenedCommand } from '../run-session/opened-command.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { asInput } from '../run-session/run-input.ts'
import { originOf, sessionsOf } from '../run-session/run-origin.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { showResult } from '../run-view/show-result.ts'
import { toolLines } from '../run-view/show-tools.ts'
import { routeLabel } from '../run-view/story.ts'
import { openRunView, type ShownRun, type TerminalView } from '../run-view/terminal-view.ts'
import { count, usageLine } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { earlierMessages } from './earlier-messages.ts'
import { type Lines, pipedLines, typedLines } from './lines.ts'
import { TypeAhead } from './type-ahead.ts'

interface Options extends RunOptions, WaitOptions, PlaceOptions {
  readonly resume?: string
  readonly format?: string
}

/** Prefix of the session ids that a conversation creates. */
const OWN_SESSION = 'chat:'

/** Holds a conversation: one run with one turn per message (`waybill chat`). */
export async function chat(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const server = serverFor(options, io)
  if (server !== undefined) {
    if (file === undefined || file === '-')
      throw usageError('name the definition, or an agent of the server', 'waybill chat agent.yaml')
    const lines = isInteractive(io, wantsJson(options)) ? typedLines(io) : pipedLines(io)
    return (await import('../remote/run-there.ts')).chatThere(server, file, lines, options, io)
  }
  return withHome(
    io,
    async (home, env) => {
      const opened = await openChat(file, { options, io, home, env })
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
  /** Absent before the first message of a new conversation. */
  readonly session?: Session
  /** Starts a new conversation. */
  begin(first: FirstFact): Promise<Session>
}

async function openChat(file: string | undefined, command: OpenedCommand<Options>): Promise<OpenChat> {
  const { options, io, home } = command
  if (file === '-') {
    throw usageError(
      'chat reads the messages from standard input, so the definition cannot come from there',
      'give the definition as a file',
    )
  }
  if ((file === undefined) === (options.resume === undefined))
    throw usageError('name a definition, or a conversation with --resume', 'waybill chat agent.yaml')
  if (file !== undefined) {
    // Each conversation has a session. Without --session it gets a new one.
    const named = { ...options, session: options.session ?? `${OWN_SESSION}${uuidv7()}` }
    const setup = await setUpRun(
      file,
      { ...command, options: named },
      { askHosts: !wantsJson(options), starts: true },
    )
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
  const { resume: wanted = '', ...others } = options
  const runId = await findRun(home, wanted)
  const sessions = await sessionsOfRun(await home.runs.read(runId), { ...command, options: others })
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
  /** What the person types while the agent works; absent if the messages are not typed. */
  readonly #ahead: TypeAhead | undefined
  readonly #warned = new Set<string>()
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
    this.#ahead = typed ? new TypeAhead(io) : undefined
  }

  get #state(): RunState {
    return this.#session?.state ?? this.#run.state
  }

  async close(): Promise<void> {
    await this.#session?.close()
    await this.#opened.sessions.close()
  }

  async hold(): Promise<ExitCode> {
    const short = await this.#short()
    const header = await openRunView(this.#io, this.#run, this.#home, { json: this.#json, short })
    header.close?.()
    if (this.#typed && this.#session !== undefined) this.#io.err(await earlierMessages(this.#state, this.#io))
    if (this.#typed) this.#io.err('type a message, or /help for the commands\n')
    // A conversation that was interrupted in the middle of a turn finishes that turn first.
    let active =
      this.#session === undefined || this.#state.end !== null || (await this.#turn(this.#next(this.#session)))
    while (active) {
      const message = await this.#nextMessage()
      if (message === null) break
      active = await this.#take(message.trim())
    }
    await this.#endSession()
    return this.#leave()
  }

  /** Returns the next message: one that was typed during the last turn, or the answer to the prompt. */
  async #nextMessage(): Promise<string | null> {
    // A turn that did not complete may change what the person wants to send, so it is edited first.
    const settled = this.#state.end?.status === 'completed' || this.#state.end === null
    const ready = settled && this.#state.status !== 'paused' ? this.#ahead?.nextMessage() : undefined
    if (ready === undefined) return this.#lines.next(this.#prompt(), this.#ahead?.takeAll())
    this.#io.err(`${this.#prompt()}${ready}\n`)
    return ready
  }

  #prompt(): string {
    const paint = painter(this.#io.color)
    return this.#state.status === 'paused' ? paint('warn', '(paused) > ') : paint('accent', '> ')
  }

  /** @returns whether the conversation continues */
  async #take(message: string): Promise<boolean> {
    if (this.#typed) {
      switch (message) {
        case '/exit':
        case '/quit':
          return false
        case '/help':
          this.#io.err(HELP)
          return true
        case '/usage':
          this.#io.err(`${usageLine(this.#state.totals, this.#run.plan.rehearsal)}\n`)
          return true
        case '/tools':
          this.#io.err(this.#tools())
          return true
        case '/model':
          this.#io.err(this.#models())
          return true
      }
      if (/^\/[a-z]+$/.test(message)) {
        this.#io.err(`unknown command ${message}; /help lists the commands\n`)
        return true
      }
    }
    if (this.#state.status === 'paused') return this.#afterPause(message)
    if (message === '') return true
    return this.#turn(this.#said(message))
  }

  #tools(): string {
    const lines = toolLines(this.#run.plan.tools, [], painter(this.#io.color))
    return lines.length === 0 ? 'this agent has no tools\n' : lines.map((line) => `  ${line}\n`).join('')
  }

  #models(): string {
    const { plan } = this.#run
    return plan.models
      .map(({ eligible }, index) => `  ${routeLabel(plan, index)}${eligible ? '' : ' (not used)'}\n`)
      .join('')
  }

  async #afterPause(message: string): Promise<boolean> {
    if (message === '' && this.#session !== undefined) return this.#turn(this.#next(this.#session))
    // A new message abandons the paused turn. Calls with an unknown outcome must be settled first.
    if (this.#state.calls.some(({ status }) => status === 'sent' || status === 'unknown')) {
      this.#io.err('a call of this turn is unfinished: press Enter to continue the turn first\n')
      return true
    }
    await this.#drive({ type: 'run.cancelled', by: personName(this.#io.env) })
    return this.#turn(this.#said(message))
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
    const short = await this.#short()
    const view = await openRunView(this.#io, this.#run, this.#home, {
      json: this.#json,
      short,
      turn: this.#state,
      typing: this.#ahead,
      warned: this.#warned,
    })
    const driven = await this.#driveShown(fact, view)
    const { result } = driven
    this.#results.push(result)
    this.#exit = exitOf(driven)
    if (!this.#json)
      await showResult(result, this.#io, { json: false, short, shown: view.shown(), brief: true })
    if (result.status === 'completed') return true
    if (this.#typed && result.error?.code === 'PII_REJECTED') return true
    if (!this.#typed || result.status === 'refused' || result.status === 'awaiting_approval') return false
    if (result.status === 'paused')
      this.#io.err(
        'press Enter to continue this turn, or type a new message to abandon it; /exit saves it for later\n',
      )
    return true
  }

  async #driveShown(fact: Fact, view: TerminalView): Promise<Driven> {
    try {
      return await this.#drive(fact, view)
    } finally {
      // Also a turn that could not begin returns the terminal.
      this.#ahead?.stop()
    }
  }

  async #drive(fact: Fact, view = {}): Promise<Driven> {
    if (fact.type === 'run.started') this.#session ??= await this.#opened.begin(fact)
    if (this.#session === undefined) throw new Error('a conversation begins with a message of the user')
    // An open conversation holds its slot only during a turn, so that other runs do not wait for it.
    return driveRun(this.#session, view, slotOptions(this.#run.plan, { wait: this.#wait }, this.#io), fact)
  }

  /**
   * Ends the session if the conversation created it (AAIF §4.5). A session named with `--session` is ended by its
   * owner. An unfinished turn keeps its session.
   */
  async #endSession(): Promise<void> {
    const { session, rehearsal } = this.#run.header
    const ended = this.#session === undefined || this.#state.end !== null
    const kept = [this.#run.plan, ...this.#run.family].some(({ memory }) =>
      memory.some(({ scope }) => scope === 'session'),
    )
    if (!ended || !kept || rehearsal || session?.startsWith(OWN_SESSION) !== true) return
    const forgotten = await this.#home.memory.endSession(session)
    if (!this.#json) this.#io.err(`session ended: ${count(forgotten, 'memory item')} deleted\n`)
  }

  #short(): Promise<ShortRunId> {
    return shortRunIds(this.#home, [this.#run.header.run_id])
  }

  async #leave(): Promise<ExitCode> {
    const { run_id } = this.#run.header
    if (this.#json) this.#io.out(`${jsonText({ run_id, turns: this.#results })}\n`)
    else
      this.#io.err(
        painter(this.#io.color)(
          'faint',
          `continue with: waybill chat --resume ${(await this.#short())(this.#run.header.run_id)}`,
        ).concat('\n'),
      )
    // A person has seen the failed turn before leaving; a script needs the exit code.
    return this.#typed && this.#state.end !== null && this.#state.end.status !== 'refused'
      ? EXIT.ok
      : this.#exit
  }
}

const HELP = `  /tools   list the tools, and which calls need approval
  /model   show the model, and those that replace it if it fails
  /usage   show tokens, cost and calls so far
  /exit    leave the chat (also Ctrl-D, or Ctrl-C at the prompt)
  Ctrl-C   pause the agent while it works
  \\        at the end of a line: the message has one more line; so does a block between two lines with \`\`\`
What you type while the agent works is sent as the next message.
`
