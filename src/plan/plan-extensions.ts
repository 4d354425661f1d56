import { type HostFacts, NO_EXTENSIONS } from './operator-settings.ts'
import type { Plan, PlannedMemory, PlannedModel, PlannedTool } from './plan.ts'

/** Returns the extensions that a plan needs, by name; a rehearsal needs none. */
export function planExtensions(
  tools: readonly PlannedTool[],
  models: readonly PlannedModel[],
  memory: readonly PlannedMemory[],
  host: HostFacts,
  rehearsal: boolean,
): Pick<Plan, 'extensions'> {
  const { protocols, providers, backends } = host.extensions ?? NO_EXTENSIONS
  const used = new Map<string, Set<string>>()
  const use = (
    facts: Readonly<Record<string, { readonly extension: string }>>,
    word: string,
    what: string,
  ) => {
    const extension = Object.hasOwn(facts, word) ? facts[word]?.extension : undefined
    if (extension !== undefined) used.set(extension, (used.get(extension) ?? new Set()).add(what))
  }
  if (rehearsal) return {}
  for (const { protocol, gate } of tools) if (gate !== 'deny') use(protocols, protocol, `tool ${protocol}`)
  for (const route of models) {
    const word = providerWord(route)
    if (route.eligible) use(providers, word, `model ${word}`)
  }
  for (const { kept_in, gate } of memory) if (gate !== 'deny') use(backends, kept_in, `memory ${kept_in}`)
  if (used.size === 0) return {}
  return { extensions: [...used].map(([name, uses]) => ({ name, uses: [...uses] })) }
}

/** Returns the provider of a route by the name that extensions use. */
export function providerWord({
  provider,
  provider_id,
}: Pick<PlannedModel, 'provider' | 'provider_id'>): string {
  return provider === 'custom' ? (provider_id ?? 'custom') : provider
}
