import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The schema of definitions in the package, which an installed Waybill has in `node_modules`. */
const PACKAGED = 'waybill/schemas/aaif/agent.schema.json'
/** The name of a copy next to the definition. Not in a folder `.waybill`, which may be the home of the user. */
const COPY = '.agent.schema.json'

/** The schema that an editor uses for a definition. */
export interface EditorSchema {
  /** As the definition names it: relative to the folder of the definition. */
  readonly reference: string
  /** The file to write; absent if the file is there. */
  readonly missing?: { readonly path: string; readonly text: string }
}

/**
 * Finds the schema for editors: that of a package installed beside the definition, else a copy next to the definition,
 * so that the reference works where Waybill is installed for all folders.
 * @param replace whether a copy that differs, for example that of an older version, is replaced
 */
export function editorSchema(definition: string, replace: boolean): EditorSchema {
  const folder = dirname(definition)
  const installed = `node_modules/${PACKAGED}`
  if (existsSync(join(folder, installed))) return { reference: `./${installed}` }
  const path = join(folder, COPY)
  const reference = `./${COPY}`
  if (existsSync(path) && !replace) return { reference }
  const text = readFileSync(fileURLToPath(import.meta.resolve(PACKAGED)), 'utf8')
  return { reference, missing: { path, text } }
}
