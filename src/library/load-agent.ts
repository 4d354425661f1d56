import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extensionsOf, registriesOf } from '../compose/extensions.ts'
import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import { type Issue, WaybillError } from '../document/issue.ts'
import { readDefinitionFile } from '../resolve/read-definition-file.ts'
import { readGivenSchemas } from '../settings/read-schema-files.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { assertOptions } from './assert-options.ts'
import { inOptions } from './option-hints.ts'
import { PLAN_OPTIONS, type PlanOptions } from './options.ts'

/** A definition that was read from a file, and where. */
export interface LoadedAgent {
  readonly definition: AgentDefinition
  /** Its source, with the position of each value: `document.locate('/agent/goal').line`. */
  readonly document: Document
  /** Absolute path; absent for a pipe or a device, which has no folder. */
  readonly file?: string
  /** The real path that was read. The identity of the agent in a home is that of this file. */
  readonly real?: string
  /** Findings that leave it valid. */
  readonly warnings: readonly Issue[]
}

/** What a definition may refer to. The other options of an agent are accepted, and have no effect. */
export type LoadOptions = Pick<PlanOptions, 'extensions' | 'schemas'>

/**
 * Reads and checks the file of a definition, and remembers where it came from: later errors name the file, the line and
 * the column, and its files and sub-agents are found in its folder.
 * @param from a path, or a `file:` URL
 * @throws FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_EMPTY; DEFINITION_INVALID, whose `issues` are all findings
 */
export async function loadAgent(from: string | URL, options: LoadOptions = {}): Promise<LoadedAgent> {
  assertOptions('loadAgent', options, { names: PLAN_OPTIONS })
  return inOptions(() => readAgent(from, options))
}

/** Reads the file of a definition; see {@link loadAgent}. */
export async function readAgent(
  from: string | URL,
  { extensions = [], schemas = {} }: LoadOptions,
): Promise<LoadedAgent> {
  const named = pathOf(from)
  const registries = await registriesOf(await extensionsOf(extensions))
  const { path: file, ...read } = readDefinitionFile(
    resolve(named),
    named,
    registries,
    readGivenSchemas(schemas),
  )
  return { ...read, ...defined({ file }) }
}

/** Returns the path of a definition as the caller named it. @throws FILE_UNREADABLE for a URL of another scheme */
export function pathOf(from: string | URL): string {
  if (typeof from === 'string') {
    if (!from.includes('\n')) return from
    throw new WaybillError('FILE_UNREADABLE', {
      fault: 'usage',
      message: 'this is not the path of a definition, but a text of several lines',
      hint: 'pass the result of parseAgentDefinition(text)',
    })
  }
  if (from.protocol === 'file:') return fileURLToPath(from)
  throw new WaybillError('FILE_UNREADABLE', {
    fault: 'usage',
    file: from.href,
    message: 'a definition is read from a file, and never fetched',
    hint: 'fetch it yourself, and pass the result of parseAgentDefinition(text)',
  })
}
