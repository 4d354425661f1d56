import type { Json } from '../../document/issue.ts'

const MAX_DEPTH = 200

/**
 * A copy of a value as JSON data; undefined as a whole is null, an undefined member is left out.
 * The copy matters: the run records the result, and a function may go on changing what it returned.
 * @throws TypeError that names the place, as a JSON Pointer, of what JSON cannot say
 */
export function toJsonData(value: unknown): Json {
  return value === undefined ? null : copy(value, '', 0)
}

function copy(value: unknown, at: string, depth: number): Json {
  const refuse = (what: string) => new TypeError(`${what} at "${at}"`)
  if (depth > MAX_DEPTH) throw refuse(`more than ${MAX_DEPTH} levels, or a cycle,`)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      throw refuse(`the number ${value}`)
    case 'object': {
      if (value === null) return null
      if (Array.isArray(value)) {
        return Array.from(value, (item, index) => copy(item, `${at}/${index}`, depth + 1))
      }
      const prototype = Object.getPrototypeOf(value)
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        throw refuse(`an instance of ${prototype.constructor?.name ?? 'a class'}`)
      }
      const entries = Object.entries(value).filter(([, member]) => member !== undefined)
      return Object.fromEntries(
        entries.map(([name, member]) => [name, copy(member, `${at}/${escapeToken(name)}`, depth + 1)]),
      )
    }
    default:
      throw refuse(`a value of type ${typeof value}`)
  }
}

function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
