import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { ExtensionFacts } from '../../plan/operator-settings.ts'
import type { Extension } from '../../run/extension.ts'

/** Properties of extensions for plans, negotiations and the manifest. */
export function extensionFacts(extensions: readonly Extension[]): ExtensionFacts {
  const each = <Member, Facts>(
    part: (extension: Extension) => Readonly<Record<string, Member>> | undefined,
    facts: (member: Member) => Facts,
  ) =>
    Object.fromEntries(
      extensions.flatMap((extension) =>
        Object.entries(part(extension) ?? {}).map(([word, member]) => [
          word,
          { extension: extension.name, ...facts(member) },
        ]),
      ),
    )
  return {
    protocols: each(
      ({ toolProtocols }) => toolProtocols,
      ({ reach }) => ({ reach }),
    ),
    providers: each(
      ({ modelProviders }) => modelProviders,
      ({ baseUrl }) => defined({ base_url: baseUrl }),
    ),
    backends: each(
      ({ memoryBackends }) => memoryBackends,
      () => ({}),
    ),
  }
}

/**
 * Returns registries (AAIF §10) with the values that extensions add, so that a definition with these values is valid on
 * this host. For `options.registries` of the parse and validate functions.
 */
export function extensionRegistries(extensions: readonly Extension[]): readonly Json[] {
  const { protocols, backends } = extensionFacts(extensions)
  return [
    registryOf('aaif-tool-protocols', 'Protocols of tools', protocols),
    registryOf('aaif-memory-backends', 'Places for memory', backends),
  ].filter((registry) => registry.entries.length > 0)
}

function registryOf(
  registry: string,
  what: string,
  words: Readonly<Record<string, { readonly extension: string }>>,
) {
  return {
    registry,
    sc_standard: 'SC-006',
    description: `${what} that extensions of this host add.`,
    registration_policy: 'Private Use',
    entries: Object.entries(words).map(([id, { extension }]) => ({
      id,
      status: 'standard',
      meaning: `by the extension ${extension}`,
    })),
  }
}
