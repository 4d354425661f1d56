import type { Json, JsonObject } from '../../document/json.ts'
import { itemsAt, memberOf, textAt } from '../../spec/loose-members.ts'
import {
  type MemberRule,
  narrows,
  neutral,
  type Pair,
  quoted,
  type Verdict,
  widens,
} from './definition-change.ts'
import { items } from './list-rules.ts'
import { address, whole } from './scalar-rules.ts'

/**
 * `model.provider`: another provider gets the conversations of the agent, and another key is used. A provider that the
 * model names already is not one more.
 */
export const provider: MemberRule = whole(true, (before, after, { owners }) => {
  if (before === undefined || after === undefined)
    return widens(`${change(before, after)}: without a provider, the name of the model decides about it`)
  const [was, is] = [providersOf(owners.before), providersOf(owners.after)]
  if (!was.has(firstOf(owners.after))) return widens(`is another provider: ${change(before, after)}`)
  if (!is.has(firstOf(owners.before))) return narrows(`${change(before, after)}, which was a fallback`)
  return neutral(`${change(before, after)}; the model names the same providers`)
})

/** `model.preferred`: the name of a model, which decides about its provider if none is given. */
export const preferred: MemberRule = whole(true, (before, after, { owners }) => {
  const given = (model: JsonObject) => memberOf(model, 'provider') ?? memberOf(model, 'base_url')
  return given(owners.before) === undefined || given(owners.after) === undefined
    ? widens(`${change(before, after)}: without a provider, the name of the model decides about it`)
    : neutral(change(before, after))
})

/** `model.fallbacks`: routes in their order. */
export const fallbacks: MemberRule = items({
  of: 'Fallback',
  noun: 'fallback',
  nameOf: (route) => `${textAt(route, 'provider')}/${textAt(route, 'model')}`,
  added: (route, { owners }) => added(destinationOf(route, owners.after), owners.before),
  removed: (route, { owners }) =>
    providersOf(owners.after).has(destinationOf(route, owners.before))
      ? neutral('is removed; its provider is still used')
      : narrows('is removed: one provider less'),
  moved: neutral('is changed'),
  grants: true,
})

function added(destination: string, before: JsonObject): Verdict {
  return providersOf(before).has(destination)
    ? neutral('is added; its provider was already used')
    : widens(`is added: one more provider, ${destination}`)
}

function change(before: Json | undefined, after: Json | undefined): string {
  return `was ${quoted(before)}, is ${quoted(after)}`
}

function providersOf(model: JsonObject): ReadonlySet<string> {
  return new Set([
    firstOf(model),
    ...itemsAt(model, 'fallbacks').map((route) => destinationOf(route as JsonObject, model)),
  ])
}

function firstOf(model: JsonObject): string {
  const { provider: first } = model
  return first === 'custom' ? customOf(model) : String(first)
}

/** A fallback `custom`, or with the `provider_id` of the model, is the custom provider of the model. */
function destinationOf(route: JsonObject, model: JsonObject): string {
  const { provider: named } = route
  return named === 'custom' || named === model.provider_id ? customOf(model) : String(named)
}

function customOf({ provider_id = 'custom' }: JsonObject): string {
  return `custom provider ${String(provider_id)}`
}

/** Returns the names of both definitions' custom providers, which decide about the key. */
export const providerId: MemberRule = whole(true, (before, after, { owners }: Pair) => {
  const used = (model: JsonObject) => providersOf(model).has(customOf(model))
  if (!used(owners.before) && !used(owners.after))
    return neutral(`${change(before, after)}; no route uses it`)
  if (after === undefined) return narrows('is removed')
  return widens(`${change(before, after)}: another key may be used`)
})

/** `model.base_url`: without an address, the requests go to the API of the provider, which is another host. */
export const baseUrl: MemberRule = {
  grants: true,
  compare: (pair) =>
    address.compare(pair).map((one) =>
      one.kind === 'removed'
        ? {
            ...one,
            effect: 'widens',
            reason: `${pair.name} is removed: the requests go to the API of the provider`,
          }
        : one,
    ),
}
