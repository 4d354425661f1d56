import type { CallInProgress } from '../adapters/extensions/services.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import type { ExtensionFacts, OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan } from '../plan/plan.ts'
import type { Extension, ToolServices } from '../run/extension.ts'
import { guardedFetch } from './lazy-network.ts'
import type { Parts } from './parts.ts'

export interface Added {
  readonly facts: ExtensionFacts | undefined
  /** Names that definitions may use in addition to those of the format. */
  readonly registries: readonly Json[]
}

/** Returns registries with the names that extensions add, for reading definitions (AAIF §10). */
export async function registriesOf(extensions: readonly Extension[]): Promise<readonly Json[]> {
  return (await addedTo(extensions)).registries
}

/** The facts about extensions for planning and negotiation. */
export async function extensionFactsOf(
  extensions: readonly Extension[],
): Promise<ExtensionFacts | undefined> {
  return (await addedTo(extensions)).facts
}

/** Returns the facts about extensions for planning. Loads nothing if there are no extensions. */
export async function addedTo(extensions: readonly Extension[] = []): Promise<Added> {
  if (extensions.length === 0) return { facts: undefined, registries: [] }
  const { extensionFacts, extensionRegistries } = await import('../adapters/extensions/extension-facts.ts')
  const facts = extensionFacts(extensions)
  return { facts, registries: extensionRegistries(extensions) }
}

/** Binds the key of an added provider to the API of that provider, like the key of any provider. */
export function withAddedKeys(
  settings: OperatorSettings,
  facts: ExtensionFacts | undefined,
): OperatorSettings {
  const bound = { ...settings.key_bindings }
  for (const [word, { base_url }] of Object.entries(facts?.providers ?? {}))
    if (base_url !== undefined) bound[word] = [...(ownMember(bound, word) ?? []), base_url]
  return { ...settings, key_bindings: bound }
}

export async function toolServices(
  { secrets }: Pick<Parts, 'secrets'>,
  settings: OperatorSettings,
  call?: CallInProgress,
): Promise<ToolServices> {
  const { createToolServices } = await import('../adapters/extensions/services.ts')
  const { grants, secret_grants: secretGrants } = settings
  return createToolServices({ fetch: await guardedFetch(settings), secrets, secretGrants, grants }, call)
}

/**
 * Loads the extensions that the operator configured. A definition or a project cannot name extension files.
 * @throws EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function loadExtensions(paths: readonly string[]): Promise<readonly Extension[]> {
  if (paths.length === 0) return []
  const { loadExtension } = await import('../adapters/extensions/load-extension.ts')
  return extensionsOf(await Promise.all(paths.map(loadExtension)))
}

/** Checks extensions given in code. @throws EXTENSION_INVALID */
export async function extensionsOf(given: readonly Extension[]): Promise<readonly Extension[]> {
  if (given.length === 0) return []
  const { checkExtension, checkTogether } = await import('../adapters/extensions/check-extension.ts')
  return checkTogether(given.map((extension) => checkExtension(extension)))
}

/** @throws EXTENSION_MISSING if the recorded plan needs an extension that is not loaded */
export function assertExtensions({ extensions = [] }: Plan, parts: Parts): void {
  const here = new Set((parts.extensions ?? []).map(({ name }) => name))
  const missing = extensions.filter(({ name }) => !here.has(name))
  if (missing.length === 0) return
  const names = missing.map(({ name, uses }) => `${name} (${uses.join(', ')})`).join(', ')
  throw new WaybillError('EXTENSION_MISSING', {
    fault: 'failed',
    message: `the run needs the extension${missing.length > 1 ? 's' : ''} ${names}`,
    hint: 'add its module to the config (extensions), or pass it in the option `extensions`',
    rule: 'AAIF-7-01',
  })
}
