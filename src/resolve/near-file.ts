import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { suggest } from '../document/suggest.ts'

const DEFINITION = /\.(?:ya?ml|json|cbor)$/i
/** More names are not compared: the message is about a typing error. */
const MAX_NAMES = 1_000

/**
 * Returns the definition file that was probably meant by a path that does not exist: the same name with another
 * ending, such as `agent.yaml` for `agent.yml`, or a similar name in the same folder.
 */
export function nearFile(path: string): string | undefined {
  let names: readonly string[]
  try {
    names = readdirSync(dirname(path)).slice(0, MAX_NAMES)
  } catch {
    return undefined
  }
  const wanted = basename(path)
  const stem = basename(path, extname(path)).toLowerCase()
  const definitions = names.filter((name) => DEFINITION.test(name) && !name.startsWith('.'))
  const other = definitions.find((name) => basename(name, extname(name)).toLowerCase() === stem)
  const meant = other ?? suggest(wanted, definitions)
  return meant === undefined ? undefined : join(dirname(path), meant)
}
