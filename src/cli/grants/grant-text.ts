import { fileURLToPath } from 'node:url'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import { count, duration } from '../terminal/amounts.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** Returns a grant as `--json` prints it. */
export function grantObject(grant: Grant, now: Date): JsonObject {
  const { id, kind, what, agent_id, agent_name, definition, definition_hash } = grant
  const { endpoint, until, uses_left, by, at, why } = grant
  return {
    id,
    kind,
    what,
    for:
      agent_id === undefined
        ? null
        : {
            agent_id,
            ...defined({ agent_name, definition, definition_hash }),
          },
    ...defined({ endpoint }),
    until: until ?? null,
    ...defined({ uses_left }),
    in_force: isInForce(grant, now.getTime()),
    by,
    at,
    ...defined({ why }),
  }
}

/** Returns the agent of a grant and its remaining lifetime. */
export function scopeText(grant: Grant, now: Date): string {
  const { agent_id, agent_name, definition, definition_hash, until, uses_left } = grant
  const whom =
    agent_id === undefined
      ? 'for every agent'
      : `for ${plainLine(agent_name ?? agent_id, 60)}${placeText(definition)}${grant.kind === 'call' && definition_hash === undefined ? ', any version' : ''}`
  const left = until === undefined ? 0 : Date.parse(until) - now.getTime()
  const time = until === undefined ? 'until revoked' : left > 0 ? `for ${duration(left)} more` : 'expired'
  const uses = uses_left === undefined ? '' : `, ${count(uses_left, 'use')} left`
  return `${whom}, ${time}${uses}`
}

/** Returns the source of the definition, because two definitions may have the same name. */
function placeText(definition: string | undefined): string {
  if (definition === undefined) return ''
  const places = definition
    .split(' > ')
    .map((place) => (place.startsWith('file:') ? fileURLToPath(place) : place.slice(0, 80)))
  return ` (${plainLine(places.join(' > '), 200)})`
}
