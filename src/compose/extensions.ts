import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { ExtensionFacts, OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan } from '../plan/plan.ts'
import type { Extension, ToolServices } from '../run/extension.ts'
import { guardedFetch } from './lazy-network.ts'
import type { Parts } from './parts.ts'

interface Added {
  readonly facts: ExtensionFacts | undefined
  /** The words that definitions may use besides those of the format. */
  readonly registries: readonly Json[]
}

/** Registries with the words that extensions bring, for reading definitions that use them (AAIF §10). */
export async function registriesOf(extensions: readonly Extension[]): Promise<readonly Json[]> {
  return (await addedTo(extensions)).registries
}

/** What extensions tell those who plan and negotiate. */
export async function extensionFactsOf(
  extensions: readonly Extension[],
): Promise<ExtensionFacts | undefined> {
  return (await addedTo(extensions)).facts
}

/** What extensions mean for planning; nothing is loaded where there are none. */
export async function addedTo(extensions: readonly Extension[] = []): Promise<Added> {
  if (extensions.length === 0) return { facts: undefined, registries: [] }
  const { extensionFacts, extensionRegistries } = await import('../adapters/extensions/extension-facts.ts')
  const facts = extensionFacts(extensions)
  return { facts, registries: extensionRegistries(extensions) }
}

/** The key of an added provider is bound to the provider's own API, like that of any other. */
export function withAddedKeys(
  settings: OperatorSettings,
  facts: ExtensionFacts | undefined,
): OperatorSettings {
  const bound = { ...settings.key_bindings }
  for (const [word, { base_url }] of Object.entries(facts?.providers ?? {}))
    if (base_url !== undefined) bound[word] = [...(bound[word] ?? []), base_url]
  return { ...settings, key_bindings: bound }
}

export async function toolServices(
  { secrets }: Pick<Parts, 'secrets'>,
  settings: OperatorSettings,
): Promise<ToolServices> {
  const { createToolServices } = await import('../adapters/extensions/services.ts')
  const { grants, secret_grants: secretGrants } = settings
  return createToolServices({ fetch: await guardedFetch(settings), secrets, secretGrants, grants })
}

/**
 * Loads the operator's extensions. Only ever files that the operator names, never one that a definition or a project
 * names.
 * @throws EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function loadExtensions(paths: readonly string[]): Promise<readonly Extension[]> {
  if (paths.length === 0) return []
  const { loadExtension } = await import('../adapters/extensions/load-extension.ts')
  return extensionsOf(await Promise.all(paths.map(loadExtension)))
}

/** Extensions that were given in code. @throws EXTENSION_INVALID */
export async function extensionsOf(given: readonly Extension[]): Promise<readonly Extension[]> {
  if (given.length === 0) return []
  const { checkExtension, checkTogether } = await import('../adapters/extensions/check-extension.ts')
  return checkTogether(given.map((extension) => checkExtension(extension)))
}

/** @throws EXTENSION_MISSING when the recorded plan needs an extension that is not there */
export function assertExtensions({ extensions = [] }: Plan, parts: Parts): void {
  const here = new Set((parts.extensions ?? []).map(({ name }) => name))
  const missing = extensions.filter(({ name }) => !here.has(name))
  if (missing.length === 0) return
  const names = missing.map(({ name, uses }) => `${name} (${uses.join(', ')})`).join(', ')
  throw new WaybillError('EXTENSION_MISSING', {
    fault: 'failed',
    message: `the run needs the extension${missing.length > 1 ? 's' : ''} ${names}`,
    hint: 'name its module in the config (extensions), or give it in `extensions` of the options',
    rule: 'AAIF-7-01',
  })
}
