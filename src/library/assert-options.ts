import { WaybillError } from '../document/issue.ts'
import { suggest } from '../document/suggest.ts'

/** The names of the options of a type: the compiler refuses a name that is missing, and one that does not exist. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** What a function accepts. */
interface Accepted {
  readonly names: Readonly<Record<string, true>>
  /** Options without which the function has no meaning. */
  readonly required?: readonly string[]
  /** Options of another function, and where they belong. */
  readonly elsewhere?: { readonly names: Readonly<Record<string, true>>; readonly hint: string }
}

/**
 * Refuses options that a function does not have: JavaScript ignores a misspelt one, and a grant that has no effect
 * looks like a grant.
 * @param of the function, such as `openAgent`
 * @throws USAGE
 */
export function assertOptions(
  of: string,
  options: unknown,
  { names, required = [], elsewhere }: Accepted,
): void {
  const given = checkedNames(
    `the options of ${of}`,
    options,
    names,
    (name) => `${of} has no option ${JSON.stringify(name)}`,
    (name) => (elsewhere !== undefined && Object.hasOwn(elsewhere.names, name) ? elsewhere.hint : undefined),
  )
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) throw unusable(`${of} needs the option ${missing}`, `write ${missing}: …`)
}

/** Refuses a value that is not an object with these members only. @param what such as "the decision" @throws USAGE */
export function assertMembers(what: string, value: unknown, names: Readonly<Record<string, true>>): void {
  checkedNames(what, value, names, (name) => `${what} has no member ${JSON.stringify(name)}`)
}

function checkedNames(
  what: string,
  value: unknown,
  names: Readonly<Record<string, true>>,
  message: (name: string) => string,
  hint: (name: string) => string | undefined = () => undefined,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(names)
  const all = `the members: ${known.toSorted().join(', ')}`
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(`${what}: an object is needed, not ${shown(value)}`, all)
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>
  const near = suggest(unknown, known)
  throw unusable(message(unknown), hint(unknown) ?? (near === undefined ? all : `did you mean ${near}?`))
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

function unusable(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}

/** Returns the options that another function has too. */
export function pickOptions<Options extends object>(
  options: Options,
  names: Readonly<Record<string, true>>,
): Partial<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(names, name)),
  ) as Partial<Options>
}
