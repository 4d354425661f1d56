import { dirname } from 'node:path'
import { extensionsOf, registriesOf } from '../compose/extensions.ts'
import { defined } from '../document/defined.ts'
import { Document } from '../document/document.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { assertJsonData, MAX_DEPTH } from '../document/json-data.ts'
import { auditedAgent } from '../policy/audited-agent.ts'
import { definitionInvalid } from '../resolve/definition-invalid.ts'
import { createFindSchema } from '../resolve/find-schema.ts'
import { readGivenSchemas } from '../settings/read-schema-files.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { validateAgentDefinition } from '../spec/aaif/validate-agent-definition.ts'
import { type LoadedAgent, type LoadOptions, readAgent } from './load-agent.ts'

/** An agent, as each function of the library takes it: the path of its definition, what was loaded, or data. */
export type AgentSource = string | URL | LoadedAgent | AgentDefinition

/** A definition that has been checked, and its file if it was read from one. */
export interface GivenAgent {
  readonly definition: AgentDefinition
  /** Absolute path. */
  readonly file?: string | undefined
  /** Its real path when it was read. */
  readonly real?: string | undefined
}

/**
 * Reads and checks an agent. Also data that was parsed before is checked: it may have been changed since then.
 * @param options of which a definition may use the extensions and the schemas
 * @throws DEFINITION_INVALID, whose `issues` are all findings; FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_EMPTY
 */
export async function givenAgent(
  from: AgentSource,
  { extensions, schemas, folder }: LoadOptions & { readonly folder?: string },
): Promise<GivenAgent> {
  const options = defined({ extensions, schemas })
  if (typeof from === 'string' || from instanceof URL) return readAgent(from, options)
  const { file, real } = isLoaded(from) ? from : {}
  const data = isLoaded(from) ? from.definition : from
  const source = isLoaded(from) && from.document.value === (data as unknown) ? from.document : data
  const registries = await registriesOf(await extensionsOf(extensions ?? []))
  const ownFolder = file === undefined ? undefined : dirname(file)
  const findSchema = createFindSchema(readGivenSchemas(schemas ?? {}), folder ?? ownFolder)
  const definition = copyOf(data)
  const issues = validateAgentDefinition(
    source instanceof Document ? source : (definition as unknown as Json),
    { registries, findSchema },
  )
  if (issues.some(({ severity }) => severity === 'error')) {
    // Data has no lines.
    const placed =
      source instanceof Document ? issues : issues.map(({ line: _line, column: _column, ...issue }) => issue)
    throw definitionInvalid(placed, { file, refused: auditedAgent(definition) })
  }
  return { definition, file, real }
}

export function isLoaded(from: LoadedAgent | AgentDefinition): from is LoadedAgent {
  return (from as Partial<LoadedAgent> | null | undefined)?.document instanceof Document
}

/**
 * Copies a definition: the caller may change it while the agent is open, and a plan freezes what it is made of.
 * @throws DEFINITION_INVALID if it is not JSON data
 */
function copyOf(definition: AgentDefinition): AgentDefinition {
  try {
    const copy = withoutUndefined(definition, 0)
    assertJsonData(copy)
    return copy as unknown as AgentDefinition
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    const { code, message, pointer = '', hint } = error
    throw definitionInvalid([{ severity: 'error', code, pointer, message, ...defined({ hint }) }], {})
  }
}

/** Copies plain objects and lists; a member without a value is absent, as in JSON. */
function withoutUndefined(value: unknown, depth: number): unknown {
  // What is nested deeper is refused.
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return Array.from(value, (item) => withoutUndefined(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, withoutUndefined(member, depth + 1)]),
  )
}
