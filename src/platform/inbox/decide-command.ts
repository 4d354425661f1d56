import type { ApprovalView } from './approval.ts'

/** What a shell reads as one word. Ids of calls come from models, and a person pastes the command. */
const SAFE_WORD = /^[A-Za-z0-9_][\w.:-]{0,99}$/

/**
 * Returns the commands that decide a question, or show one that needs more than a word. They contain no token.
 * @param url of the platform; absent: it is not known, so the command acts on the server of the login
 */
export function decideCommands(
  { run_id, call_id, asks }: Pick<ApprovalView, 'run_id' | 'call_id' | 'asks'>,
  url: string | undefined,
): readonly string[] {
  const server = url === undefined ? [] : ['--server', url.replace(/\/+$/, '')]
  // Without the id of the call, the command asks which one is meant, if there are several.
  const named = SAFE_WORD.test(run_id) ? [run_id, ...(SAFE_WORD.test(call_id) ? [call_id] : [])] : ['RUN']
  // An answer needs what only the question shows.
  const verdicts = asks === 'approval' ? ['approve', 'deny'] : ['show']
  return verdicts.map((verdict) => ['waybill', 'approvals', verdict, ...named, ...server].join(' '))
}
