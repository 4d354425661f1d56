import { showStream } from '../../document/shown-text.ts'
import { holdsAnswers } from '../../run/decide/gate-answer.ts'
import type { Fact, RunEvent } from '../../run/event.ts'
import { initialState } from '../../run/initial-state.ts'
import type { PersonDecided } from '../../run/record/left-decision.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { warningsOf } from '../../run/result.ts'
import type { RunState } from '../../run/state.ts'
import type { Home } from '../../session/home.ts'
import type { AskedCall } from '../../session/session.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import { type Io, isInteractive } from '../io.ts'
import { personName } from '../person-name.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { Screen, type ScreenOptions } from '../terminal/screen.ts'
import { textFormat } from '../terminal/text-format.ts'
import type { Typing } from '../terminal/typing.ts'
import type { RunView } from './run-view.ts'
import { paintLine, routeLabel, type StoryLine, storyOf } from './story.ts'

export interface TerminalView extends RunView {
  /** Returns the output text that was already shown while it was generated, or null. */
  shown(): string | null
}

export interface ViewOptions {
  /** Standard output is reserved for one JSON value. */
  readonly json: boolean
  /** Returns the short form of the run's id, and of the id of the run whose record answers, for the header. */
  readonly short: ShortRunId
  /** The state at the start of a turn in a conversation. A turn has no header. */
  readonly turn?: RunState
  /** Reads what the person types during the turn. */
  readonly typing?: Typing | undefined
  /** Keeps which warnings were shown, for the next turns of a conversation. */
  readonly warned?: Set<string>
}

export type ShownRun = Pick<StoredRun, 'header' | 'plan' | 'family' | 'state'>

/** Shows a run to the person at the terminal, or as plain lines to a log. */
export async function openRunView(
  io: Io,
  run: ShownRun,
  home: Home,
  { json, short, turn, typing, warned = new Set() }: ViewOptions,
): Promise<TerminalView> {
  const format = await textFormat(io, json)
  const view = new PersonView(io, run, home, { json, format, typing, warned }, turn ?? run.state)
  if (turn === undefined) view.header(short)
  return view
}

class PersonView implements TerminalView {
  readonly #io: Io
  readonly #run: ShownRun
  readonly #home: Home
  readonly #screen: Screen
  readonly #paint: Paint
  readonly #interactive: boolean
  /** The latest state of the run and of each run of a sub-agent. */
  readonly #before = new Map<string, RunState>()
  #streamed = ''
  /** A control sequence may be split between two pieces. */
  readonly #stream = showStream((text) => {
    this.#streamed += text
    this.#screen.text(text)
  })
  #shown: string | null = null
  /** The warnings that were shown: the code of one about personal data, else the text. */
  readonly #warned: Set<string>
  /** Ends when all earlier prompts are answered, so that only one prompt is open. */
  #questions: Promise<unknown> = Promise.resolve()
  readonly text?: (delta: string) => void

  constructor(
    io: Io,
    run: ShownRun,
    home: Home,
    options: ScreenOptions & Pick<ViewOptions, 'json'> & Required<Pick<ViewOptions, 'warned'>>,
    start: RunState,
  ) {
    const { json } = options
    this.#warned = options.warned
    this.#io = io
    this.#run = run
    this.#home = home
    this.#screen = new Screen(io, options)
    this.#paint = painter(io.color)
    this.#interactive = isInteractive(io, json)
    this.#before.set(start.run_id, start)
    const streams = json ? io.errIsTty : io.outIsTty || io.errIsTty
    // Partial JSON is hard to read, so JSON output is shown complete at the end.
    if (streams && run.plan.output.format !== 'json') this.text = (delta) => this.#stream.push(delta)
  }

  header(short: ShortRunId): void {
    const { header, plan } = this.#run
    const model = plan.models.findIndex(({ eligible }) => eligible)
    const title = [
      this.#paint('strong', plainLine(plan.agent_name, 80)),
      routeLabel(plan, model),
      this.#paint('faint', `run ${short(header.run_id)}`),
    ]
    this.#screen.line(title.join(' · '))
    if (plan.rehearsal) {
      const banner = this.#io.color ? '\x1b[30;43m REHEARSAL \x1b[0m' : 'REHEARSAL'
      this.#screen.line(
        `${banner} test doubles replace the model and the tools; this proves nothing about real behaviour`,
      )
    }
    const { replay } = header
    if (replay !== undefined) {
      const banner = this.#io.color ? '\x1b[30;43m REPLAY \x1b[0m' : 'REPLAY'
      this.#screen.line(
        `${banner} the record of run ${short(replay.run_id)} answers, and nothing is sent; this proves nothing about real behaviour`,
      )
    }
    const warnings = warningsOf(plan).filter(({ code }) => code !== 'REHEARSAL')
    for (const { code, message } of warnings.slice(0, 3))
      this.#say({ kind: 'warning', text: plainLine(`${code} ${message}`, 300) })
    if (warnings.length > 3)
      this.#say({
        kind: 'warning',
        text: `and ${count(warnings.length - 3, 'more warning')}: \`waybill plan\` shows all`,
      })
  }

  event(event: RunEvent, state: RunState): void {
    if (state.run_id !== this.#run.header.run_id) {
      this.#agentEvent(event, state)
      return
    }
    const { fact } = event
    if (fact.type === 'model.answered' || fact.type === 'model.failed') this.#screen.idle()
    if (fact.type === 'call.answered' || fact.type === 'call.failed') this.#screen.idle(fact.call_id)
    this.#showStory(event, state)
    this.#busy(event, state)
    if (state.end !== null || state.status === 'waiting') this.#screen.idle()
    this.#before.set(state.run_id, state)
  }

  /** Shows the steps of a sub-agent with its name. Its messages are not shown, because they are for its caller. */
  #agentEvent(event: RunEvent, state: RunState): void {
    const plan = this.#run.family.find(({ agent_id }) => agent_id === state.agent_id) ?? this.#run.plan
    const before =
      this.#before.get(state.run_id) ?? initialState(state.run_id, state.agent_id, state.plan_hash)
    for (const { kind, text } of storyOf(event, before, state, plan)) {
      if (kind !== 'user' && kind !== 'text' && !this.#repeats(kind, text))
        this.#say({ kind, text: `${plainLine(plan.agent_name, 40)}: ${text}` })
    }
    if (state.end === null) this.#before.set(state.run_id, state)
    else this.#before.delete(state.run_id)
  }

  ask(asked: AskedCall, interrupt: () => void): Promise<Fact | null> | null {
    if (!this.#interactive) return null
    const answer = this.#questions.then(() => this.#askNow(asked, interrupt))
    this.#questions = answer.catch(() => undefined)
    return answer
  }

  overruled({ by, verdict }: PersonDecided): void {
    this.#say({ kind: 'note', text: `${plainLine(by, 60)} decided first in another terminal: ${verdict}` })
  }

  stopping(): void {
    this.#screen.line(
      this.#paint(
        'warn',
        'stopping: waiting for active calls, then saving; press Ctrl-C again to leave at once',
      ),
    )
  }

  close(): void {
    this.#screen.close()
  }

  shown(): string | null {
    return this.#shown
  }

  async #askNow(asked: AskedCall, interrupt: () => void): Promise<Fact | null> {
    const { signal } = asked
    if (signal.aborted) return null
    const { promptPerson } = await import('./ask-person.ts')
    const by = personName(this.#io.env)
    const definitions = this.#run.header.definitions ?? {}
    const question = { ...asked, home: this.#home, definitions, by }
    const answer = await promptPerson(question, this.#io, this.#screen)
    switch (answer.kind) {
      case 'later':
        return null
      case 'interrupted':
        interrupt()
        return null
      case 'decided':
        if (answer.elsewhere) this.#say({ kind: 'note', text: 'decided in another terminal' })
        return answer.fact
    }
  }

  #showStory(event: RunEvent, state: RunState): void {
    const { fact } = event
    const ends = fact.type === 'model.answered' || fact.type === 'model.failed'
    if (ends) this.#stream.flush()
    const streamed = this.#streamed
    if (ends) {
      this.#screen.endText()
      this.#streamed = ''
      this.#shown = fact.type === 'model.answered' && streamed !== '' ? streamed : null
    }
    for (const line of storyOf(event, this.#before.get(state.run_id) ?? state, state, this.#run.plan)) {
      // The prompt that follows has more details.
      if (line.kind === 'user' || (line.kind === 'ask' && this.#interactive)) continue
      if (line.kind === 'text') {
        // The final answer goes to standard output, and streamed text is already visible.
        // Intermediate text is not shown while a gate may still withhold it.
        if (streamed === '' && state.end === null && !holdsAnswers(this.#run)) this.#screen.line(line.text)
        continue
      }
      if (!this.#repeats(line.kind, line.text)) this.#say(line)
    }
  }

  /**
   * Returns whether a line is a warning that the person has seen. An agent that reads personal data has one for most
   * messages; the last line of the run counts them, and `waybill runs show` has all.
   */
  #repeats(kind: StoryLine['kind'], text: string): boolean {
    if (kind !== 'warning') return false
    const warning = /^PII_\w+/.exec(text)?.[0] ?? text
    if (this.#warned.has(warning)) return true
    this.#warned.add(warning)
    return false
  }

  #busy({ decision }: RunEvent, state: RunState): void {
    if (decision.attempt !== undefined)
      this.#screen.busy(`${routeLabel(this.#run.plan, decision.attempt.route)} is thinking`)
    const sent = new Set(
      Object.entries(decision.set ?? {}).flatMap(([id, status]) => (status === 'sent' ? [id] : [])),
    )
    for (const call of [...(decision.calls ?? []), ...(decision.add ?? [])])
      if (call.status === 'sent') sent.add(call.id)
    for (const call of state.calls)
      if (sent.has(call.id)) this.#screen.busy(plainLine(call.tool, 40), call.id)
  }

  #say(line: StoryLine): void {
    this.#screen.line(paintLine(line, this.#paint))
  }
}
