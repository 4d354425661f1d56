import { isObject, type Json } from '../document/json.ts'
import type { Route } from '../http/route.ts'
import { SCOPE } from '../http/schema.ts'
import type { Schema } from '../spec/schema-builder.ts'
import { scopeOf } from './register-routes.ts'

/**
 * Returns routes in whose requests the scopes of a token are those of all routes: a feature cannot know the routes of the
 * others.
 * @param further routes of other protocols
 */
export function nameScopes<R extends Route<never>>(
  routes: readonly R[],
  further: readonly Pick<Route, 'tag' | 'method'>[],
): readonly R[] {
  const scope = { ...SCOPE, enum: [...new Set([...routes, ...further].map(scopeOf))].sort() }
  return routes.map((route) => {
    const { body } = route
    if (body?.kind !== 'json') return route
    const schema = replaced(body.schema, scope) as Schema
    return schema === body.schema ? route : { ...route, body: { ...body, schema } }
  })
}

/** A part without a scope stays the same object, because the OpenAPI document names some of them. */
function replaced(part: Json, scope: Json): Json {
  if (part === SCOPE) return scope
  if (Array.isArray(part)) {
    const items = part.map((item) => replaced(item, scope))
    return items.every((item, index) => item === part[index]) ? part : items
  }
  if (!isObject(part)) return part
  const members = Object.entries(part).map(([name, member]) => [name, replaced(member, scope)] as const)
  return members.every(([name, member]) => member === part[name]) ? part : Object.fromEntries(members)
}
