import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { KeptItem } from './records.ts'

/** Returns a memory item as lists of the command line and of the API show it; times are RFC 3339. */
export function shownItem(item: KeptItem): JsonObject {
  const { agent_id, scope, user, session, key, content, saved_at, expires_at, revision, source } = item
  const { run_id, on_behalf_of } = item
  return {
    agent_id,
    scope,
    ...(user !== '' && { user }),
    ...(session !== '' && { session }),
    key,
    content,
    saved_at: new Date(saved_at).toISOString(),
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
    revision,
    source,
    ...defined({ run_id, on_behalf_of }),
  }
}
