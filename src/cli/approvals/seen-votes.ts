import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { each } from '../remote/remote-records.ts'
import type { ServerClient } from '../remote/server-client.ts'
import type { Paint } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

export interface SeenVote {
  readonly by: string
  /** Of the question with the arguments that the vote is for. */
  readonly digest: string
}

/** What a server says about an open question beside its call. */
export interface SeenQuestion {
  readonly policy?: Json
  readonly votes?: Json
  readonly hint?: Json
}

/**
 * Returns what a server says about open questions, by run and call; without a server nothing, because only a platform has
 * policies.
 */
export async function seenQuestions(
  server: ServerClient | undefined,
  filter: { readonly run_id?: string } = {},
): Promise<(runId: string, callId: string) => SeenQuestion> {
  const seen = new Map<string, SeenQuestion>()
  if (server !== undefined)
    for await (const { run_id, call_id, policy, votes, hint } of each(server, '/v1/approvals', filter))
      seen.set(JSON.stringify([run_id, call_id]), {
        ...(typeof policy === 'string' && { policy }),
        ...(votes !== undefined && { votes }),
        ...(hint !== undefined && { hint }),
      })
  return (runId, callId) => seen.get(JSON.stringify([runId, callId])) ?? {}
}

/** Returns a vote for edited arguments, if there is one: all votes of a question are for the same. */
export function editedVote(question: SeenQuestion): SeenVote | undefined {
  const found = votesOf(question).find(
    ({ verdict, arguments: edited }) => verdict === 'edit' && isObject(edited),
  )
  return found && { by: String(found.by), digest: String(found.digest) }
}

/** Returns how many of the needed votes are given, such as `1 of 2 votes`, or nothing if one person decides. */
export function voteCount({ votes }: SeenQuestion): string {
  return isObject(votes) ? `${votesOf({ votes }).length} of ${String(votes.needed)} votes` : ''
}

/** Returns the policy, the votes and what they are for, and the hint of a question, as lines for a terminal. */
export function voteLines(question: SeenQuestion, paint: Paint): readonly string[] {
  const { policy, hint } = question
  const row = (name: string, text: string) => `  ${paint('faint', name.padEnd(9))} ${text}`
  const [first, ...others] = votesOf(question).map(voteLine)
  const count = voteCount(question)
  return [
    ...(typeof policy === 'string' ? [row('policy', plainLine(policy))] : []),
    ...(count === '' ? [] : [row('votes', [count, ...(first === undefined ? [] : [first])].join(': '))]),
    ...others.map((line) => row('', line)),
    ...(typeof hint === 'string' ? [row('rule', plainLine(hint, 400))] : []),
  ]
}

function voteLine({ by, at, verdict, digest, note, arguments: edited, result }: JsonObject): string {
  const about = edited ?? result
  return [
    `${plainLine(String(by), 40)} ${String(verdict ?? 'approve')}`,
    ...(about === undefined ? [] : [jsonText(about)]),
    ...(typeof note === 'string' ? [`"${plainLine(note, 200)}"`] : []),
    `at ${plainLine(String(at), 30)}`,
    ...(edited === undefined ? [] : [plainLine(String(digest), 80)]),
  ].join(' ')
}

function votesOf({ votes }: SeenQuestion): readonly JsonObject[] {
  const given: Json | undefined = isObject(votes) ? votes.given : undefined
  return Array.isArray(given) ? given.filter(isObject) : []
}
