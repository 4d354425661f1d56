import { suggest } from '../../document/suggest.ts'
import type { Operation } from './operations.ts'

export type Selected =
  | { readonly ok: true; readonly operations: readonly Operation[] }
  | { readonly ok: false; readonly reason: string }

/**
 * Returns the operations that a declared tool offers, by the fragment of its endpoint: `#listPets,getPet` names them,
 * `#tag=pets` selects all of a tag, both may be combined, and without a fragment all are selected (AAIF §4.4).
 */
export function selectOperations(all: readonly Operation[], fragment: string): Selected {
  if (all.length === 0) return { ok: false, reason: 'the document has no operations' }
  if (fragment === '') return { ok: true, operations: all }
  const chosen = new Set<Operation>()
  for (const word of fragment.split(',').map(decoded)) {
    const found = word.startsWith('tag=')
      ? all.filter(({ tags }) => tags.includes(word.slice(4)))
      : all.filter(({ id, name }) => id === word || name === word)
    if (found.length === 0) return { ok: false, reason: notFound(all, word) }
    for (const operation of found) chosen.add(operation)
  }
  return { ok: true, operations: all.filter((operation) => chosen.has(operation)) }
}

function notFound(all: readonly Operation[], word: string): string {
  const tag = word.startsWith('tag=')
  const known = tag ? [...new Set(all.flatMap(({ tags }) => tags))] : all.map(({ id, name }) => id ?? name)
  const wanted = tag ? word.slice(4) : word
  const near = suggest(wanted, known)
  const hint =
    near === undefined
      ? `it has: ${known.slice(0, 10).join(', ') || 'none'}${known.length > 10 ? ', …' : ''}`
      : `did you mean ${near}?`
  return `the document has no ${tag ? 'tag' : 'operation'} "${wanted}"; ${hint}`
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word).trim()
  } catch {
    return word.trim()
  }
}
