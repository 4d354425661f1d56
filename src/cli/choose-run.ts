import type { Command } from 'commander'
import { type Asks, asksOf } from '../run/unsettled.ts'
import { ago } from '../session/ago.ts'
import type { Home } from '../session/home.ts'
import { listed } from '../session/listed-runs.ts'
import type { ShownStatus } from '../session/run-status.ts'
import { allWaitingCalls } from '../session/waiting-calls.ts'
import { commandPath } from './command-path.ts'
import type { Io } from './io.ts'
import { listFor } from './list-for.ts'
import { shortIds } from './remote/short-ids.ts'
import { type PlaceOptions, placeName, withRecords } from './remote/with-records.ts'
import { chooseDeliberately, type Entry } from './terminal/choose-deliberately.ts'
import { argumentsLine, plainLine } from './terminal/plain-text.ts'
import { openPrompts } from './terminal/prompts.ts'
import { usageError } from './usage-error.ts'

/** How many runs of each status are offered. */
const OFFERED = 30

/** How many of them a window shows at a time. */
const SHOWN = 12

/** What a person may choose: the words that the command line lacks, and how they are described. */
interface Choice {
  /** The id of a run, and that of its call if only one of several is meant. */
  readonly words: readonly string[]
  readonly run_id: string
  readonly text: string
}

/**
 * Asks the person at the terminal which run a command means that was given none, and returns the completed words of the
 * command line. Only runs are offered that the command can work on.
 * @returns undefined if the command cannot be completed with a run
 * @throws USAGE if there is no such run, or none was chosen
 */
export async function withChosenRun(
  words: readonly string[],
  command: Command,
  io: Io,
): Promise<readonly string[] | undefined> {
  const path = commandPath(command)
  const name = path.join(' ')
  const options = command.opts<PlaceOptions & { readonly from?: string }>()
  // The runs of another machine are not in the list of this one.
  if (options.from !== undefined || path.some((word, index) => words[index] !== word)) return undefined
  const choices = await withRecords(options, io, async (home, server) => {
    const found = await choicesFor(home, name, repeats(command))
    const short = await shortIds(
      home,
      server,
      found.map(({ run_id }) => run_id),
    )
    return found.map(({ words: chosen, run_id, text }) => ({
      value: chosen,
      label: `${short(run_id)}  ${text}`,
    }))
  })
  const list = listFor(name)
  if (choices.length === 0)
    throw usageError(`no run in ${placeName(options, io)} is one for \`waybill ${name}\``, list)
  const message = `waybill ${name}: which ${name.startsWith('approvals ') ? 'call' : 'run'}?`
  const chosen = await (HAVE_EFFECT.test(name) ? chooseOrNone : choose)(message, choices, io)
  if (chosen === undefined)
    throw usageError('no run was chosen', `name it, or use \`last\` for the newest; ${list}`)
  return [...words.slice(0, path.length), ...chosen, ...words.slice(path.length)]
}

/** The commands that decide about a call or give a run away. An accidental Enter must not choose for them. */
const HAVE_EFFECT = /^(approvals (approve|deny|edit|answer|resend|assume)|migrate)$/

type Words = readonly string[]

async function chooseOrNone(message: string, choices: Entry<Words>[], io: Io): Promise<Words | undefined> {
  const none: Words = []
  const options = [{ value: none, label: 'None of these' }, ...choices]
  const chosen = await chooseDeliberately({ message, options, safe: none }, io)
  return chosen === none ? undefined : chosen
}

async function choose(message: string, options: Entry<Words>[], io: Io): Promise<Words | undefined> {
  const { prompts, streams } = await openPrompts(io)
  const chosen = await prompts.select({ ...streams, message, options, maxItems: SHOWN })
  return prompts.isCancel(chosen) ? undefined : chosen
}

/** A fork and a replay repeat a run that may have ended. */
function repeats(command: Command): boolean {
  const { at, replay } = command.opts<{ readonly at?: number; readonly replay?: boolean }>()
  return at !== undefined || replay === true
}

function choicesFor(home: Home, name: string, again: boolean): Promise<readonly Choice[]> {
  if (name.startsWith('approvals ')) return callsFor(home, name)
  if (name === 'pause') return runsWith(home, ['running'])
  if (name === 'resume' && !again) return runsWith(home, ['awaiting_approval', 'paused', 'interrupted'])
  if (name === 'migrate') return runsWith(home, ['running', 'awaiting_approval', 'paused', 'interrupted'])
  return runsWith(home, [undefined])
}

async function runsWith(
  home: Home,
  statuses: readonly (ShownStatus | undefined)[],
): Promise<readonly Choice[]> {
  const lists = await Promise.all(
    statuses.map((status) => listed(home, { ...(status !== undefined && { status }), limit: OFFERED })),
  )
  const now = Date.now()
  return lists
    .flatMap(({ runs }) => runs)
    .filter(({ status }) => status !== 'damaged')
    .toSorted((a, b) => Date.parse(b.created_at ?? '') - Date.parse(a.created_at ?? ''))
    .map(({ run_id, agent_name, status, created_at }) => {
      const age = created_at === null ? [] : [ago(now - Date.parse(created_at))]
      const facts = [plainLine(agent_name ?? '', 40), status.replaceAll('_', ' '), ...age]
      return { words: [run_id], run_id, text: facts.join(' · ') }
    })
}

/** A call whose outcome is unknown cannot be approved, and one that was not sent cannot be sent again. */
const ASKED: Readonly<Record<string, readonly Asks[]>> = {
  approve: ['approval'],
  edit: ['approval'],
  answer: ['input'],
  resend: ['unknown'],
  assume: ['unknown'],
}

async function callsFor(home: Home, name: string): Promise<readonly Choice[]> {
  const verdict = name.slice('approvals '.length)
  const { calls } = await allWaitingCalls(home)
  const fitting = calls.filter(({ call, decided }) => {
    return decided === undefined && (ASKED[verdict]?.includes(asksOf(call)) ?? true)
  })
  return fitting.map(({ run: { header }, call }) => ({
    // An id that looks like an option cannot be a word of the command line.
    words: [header.run_id, ...(call.id.startsWith('-') ? [] : [call.id])],
    run_id: header.run_id,
    text: `${plainLine(header.agent_name, 30)} · ${plainLine(call.tool, 40)} ${argumentsLine(call.args, 60)}`,
  }))
}
