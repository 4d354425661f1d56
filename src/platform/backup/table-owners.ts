/**
 * To whom the rows of a table belong, so that a backup encrypts them for their user and an erasure removes them: derived
 * from the columns of the catalogue. A table without a rule fails a test.
 */
export type TableOwner =
  /** SQL for the user of a row `t`. */
  | { readonly kind: 'user'; readonly user: string }
  /** The column that names the run of a row. */
  | { readonly kind: 'run'; readonly column: string }
  /** The user of its conversation. */
  | { readonly kind: 'session' }
  /** The user of a run or session that it mentions. */
  | { readonly kind: 'mentions' }
  /** The only user whose runs name it: a plan names the owner of its memory. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'organisation' }

/** Tables whose column `user_id` names a member, not a user that runs serve. */
const MEMBERS = new Set(['members', 'team_members', 'tokens', 'votes', 'browser_sessions', 'erasures'])

/** Columns by another name than `run_id` that name a run. */
const RUN_COLUMNS: Readonly<Record<string, string>> = { sealed: 'root' }

/**
 * Tables of the organisation or of the installation: what they have of a user, if anything, is not data from the user's
 * runs.
 */
export const OF_ORGANISATION: Readonly<Record<string, string>> = {
  agent_versions: 'definitions',
  agents: 'definitions',
  approval_policies: 'settings',
  audit: 'digests, and the ids of users',
  audit_heads: 'the last line of the audit log',
  backups: 'times',
  batches: 'who has started them',
  erasures: 'the user until its rows are removed, then a digest',
  members: 'members',
  migrations: 'steps',
  organisations: 'settings',
  peers: 'settings',
  queues: 'names',
  flows: 'numbers',
  installation: 'signs of the server and its generation',
  virtual_time: 'numbers',
  workers: 'processes',
  routes: 'measurements of models',
  saved_calls: 'digests',
  secret_keys: 'wrapped keys',
  secrets: 'sealed values',
  stops: 'whom an operator has stopped; lifted ones of a user are removed with the user',
  team_members: 'members',
  teams: 'members',
  tokens: 'hashes',
  triggers: 'settings',
  webhooks: 'settings',
  browser_sessions: 'members',
}

/** Returns to whom the rows of a table belong; undefined: the table has no rule. */
export function ownerOf({
  name,
  columns,
}: {
  readonly name: string
  readonly columns: readonly string[]
}): TableOwner | undefined {
  if (name === 'spending') return { kind: 'user', user: "CASE WHEN t.kind = 'user' THEN t.subject END" }
  if (name === 'messages') return { kind: 'session' }
  if (name === 'idempotency') return { kind: 'mentions' }
  if (name === 'plans') return { kind: 'plan' }
  if (Object.hasOwn(OF_ORGANISATION, name)) return { kind: 'organisation' }
  const column = RUN_COLUMNS[name] ?? (columns.includes('run_id') ? 'run_id' : undefined)
  if (columns.includes('user_id') && !MEMBERS.has(name)) return { kind: 'user', user: 't.user_id' }
  return column === undefined ? undefined : { kind: 'run', column }
}
