import { exactText } from '../../document/exact-numbers.ts'
import { showText } from '../../document/shown-text.ts'
import { createRedactor } from '../../secret/redact.ts'
import type { ApprovalView } from './approval.ts'
import { decideCommands } from './decide-command.ts'
import type { StoredQuestion } from './question-rows.ts'

export type MailKind = 'opened' | 'reminded' | 'escalated' | 'expired'

export interface MailAbout {
  readonly kind: MailKind
  readonly question: Pick<
    StoredQuestion,
    'id' | 'view' | 'settings' | 'rehearsal' | 'expires_at' | 'closed_at'
  >
  /** The URL of the platform, if it is known. */
  readonly url?: string
}

/** Lengths in characters. */
const LONGEST_SUBJECT = 150
const LONGEST_NAME = 60
const LONGEST_ARGUMENTS = 4000
const LONGEST_REASON = 500
/** Other receivers that a mail names. */
const NAMED = 20

const BEFORE: Readonly<Record<MailKind, string>> = {
  opened: '',
  reminded: 'Reminder: ',
  escalated: 'Escalated: ',
  expired: 'Expired: ',
}

/** Returns the subject of a mail: one line of bounded length, whatever the names of the agent and the tool contain. */
export function mailSubject({ kind, question: { view, rehearsal } }: MailAbout): string {
  const { agent_name, tool, asks } = view
  const [agent, named] = [oneLine(agent_name, LONGEST_NAME), oneLine(tool, LONGEST_NAME)]
  const server = oneLine(view.server ?? '', LONGEST_NAME)
  const what = {
    approval: `may ${agent} call ${named}?`,
    input: `the server ${server} asks about ${named} of ${agent}`,
    unknown: `what did ${named} of ${agent} do?`,
  }[asks]
  return oneLine(`[Waybill] ${rehearsal ? 'Rehearsal: ' : ''}${BEFORE[kind]}${what}`, LONGEST_SUBJECT)
}

/** Returns the text of a mail. It contains neither a token nor anything that decides. */
export function mailBody(about: MailAbout & { readonly others: readonly string[] }): string {
  const { kind, question, url, others } = about
  const { view, rehearsal, expires_at, closed_at } = question
  const { agent_name, tool, asks, why, run_id } = view
  const args = createRedactor(new Map()).json(view.arguments)
  const lines = [
    ...(rehearsal ? ['This is a rehearsal: nothing is sent to real systems.', ''] : []),
    FIRST[kind],
    {
      approval: `The agent ${oneLine(agent_name, LONGEST_NAME)} asks for approval of one call.`,
      input: `A tool server asks a person something before it makes a call of the agent ${oneLine(agent_name, LONGEST_NAME)}.`,
      unknown: `The agent ${oneLine(agent_name, LONGEST_NAME)} asks what became of one call, which may have taken effect.`,
    }[asks],
    '',
    `Tool:      ${oneLine(tool, LONGEST_NAME)}`,
    `Run:       ${oneLine(run_id, LONGEST_NAME)}`,
    ...(why === undefined
      ? []
      : [`Why:       ${oneLine(createRedactor(new Map()).text(why), LONGEST_REASON)}`]),
    ...(expires_at === null ? [] : [`Expires:   ${expires_at.toISOString()}`]),
    '',
    ...askedLines(view),
    'Arguments, as the agent has written them:',
    // Indented, so that no line of an argument looks like a line of this mail.
    bounded(plain(exactText(args, 2)), LONGEST_ARGUMENTS).replaceAll(/^/gm, '    '),
    '',
    ...(closed_at === null
      ? decideLines(view, url)
      : [
          asks === 'input'
            ? 'The approval policy has declined the question.'
            : 'The approval policy has denied the call; nothing was sent.',
        ]),
    ...(others.length === 0 ? [] : ['', `Also notified: ${othersText(others)}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns what a server asks, without its links: a mail does not lead a person where a server wants. */
function askedLines({ server = '', questions }: ApprovalView): readonly string[] {
  if (questions === undefined) return []
  const redactor = createRedactor(new Map())
  const texts = questions.map(({ message }) => bounded(plain(redactor.text(message)), LONGEST_REASON))
  return [
    `What the server ${oneLine(server, LONGEST_NAME)} asks, in its own words; a password belongs in no answer:`,
    ...texts.map((text) => text.replaceAll(/^/gm, '    ')),
    '',
  ]
}

const FIRST: Readonly<Record<MailKind, string>> = {
  opened: 'A question waits for a decision.',
  reminded: 'A question still waits for a decision.',
  escalated: 'A question was not decided in time, and is escalated to you.',
  expired: 'A question was not decided in time.',
}

function decideLines(view: ApprovalView, url: string | undefined): readonly string[] {
  const what = view.asks === 'approval' ? 'Decide with one of:' : 'See what can be decided with:'
  return [what, ...decideCommands(view, url).map((command) => `    ${command}`)]
}

function othersText(others: readonly string[]): string {
  const named = others.slice(0, NAMED).join(', ')
  return others.length > NAMED ? `${named} and ${others.length - NAMED} more` : named
}

/** Returns a text without control characters and other characters that are not seen. */
function plain(text: string): string {
  return showText(text).text
}

function oneLine(text: string, longest: number): string {
  return bounded(plain(text).replaceAll(/\s+/g, ' ').trim(), longest)
}

/** Counts characters, so that none is cut in two. */
function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}
