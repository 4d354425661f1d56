import type { JsonObject } from '../../document/json.ts'
import { itemsAt, textAt } from '../../spec/loose-members.ts'
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
import { whole } from './scalar-rules.ts'

export const memory: MemberRule = items({
  of: 'MemoryEntry',
  noun: 'memory',
  nameOf: (entry) => `${textAt(entry, 'scope')} ${textAt(entry, 'key') ?? ''}`.trim(),
  added: (entry, pair) => added(entry, pair),
  removed: (entry, pair) =>
    added(entry, { ...pair, before: pair.after }).effect === 'widens'
      ? narrows('is removed: one scope or backend less')
      : neutral('is removed; its scope and backend are still used'),
  grants: true,
})

/** One more entry of a scope that the agent has, at a backend that it uses, is not one more right. */
function added(entry: JsonObject, { before }: Pair): Verdict {
  const others = itemsAt({ memory: before ?? [] }, 'memory')
  if (!others.some((other) => textAt(other, 'scope') === entry.scope))
    return widens(`is added: one more memory scope, ${quoted(entry.scope)}`)
  if (!others.some((other) => textAt(other, 'backend') === textAt(entry, 'backend')))
    return widens(`is added: one more memory backend, ${quoted(entry.backend ?? 'that of the host')}`)
  return neutral('is added; its scope and backend were already used')
}

/** An in-memory backend ends with the run. */
export const backend: MemberRule = whole(true, (before, after) => {
  const change = `was ${quoted(before)}, is ${quoted(after)}`
  return after === 'in_memory' ? narrows(change) : widens(`is another backend: ${change}`)
})
