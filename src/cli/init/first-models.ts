import { ownMember } from '../../document/own-member.ts'
import { modelProvider, providerNames } from '../../policy/model-providers.ts'
import type { Secrets } from '../../run/ports.ts'

/** Default models of the most common providers. */
const FIRST_MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  openrouter: 'openai/gpt-4o-mini',
  ollama: 'llama3.2',
}

/** Returns the model that a new definition prefers if no model is given, or undefined if none is known. */
export function firstModel(provider: string): string | undefined {
  return ownMember(FIRST_MODELS, provider)
}

export interface ProviderChoice {
  readonly value: string
  /** What a run with this provider needs, or has. */
  readonly hint: string
}

/** Returns all providers: those that can be used now first, that is, with a key or on this machine. */
export async function providerChoices(secrets: Pick<Secrets, 'has'>): Promise<readonly ProviderChoice[]> {
  const ready: ProviderChoice[] = []
  const local: ProviderChoice[] = []
  const others: ProviderChoice[] = []
  for (const value of providerNames()) {
    const key = modelProvider(value)?.key
    if (key === undefined) local.push({ value, hint: 'on this machine, without a key' })
    else if (await secrets.has(key)) ready.push({ value, hint: `${key} is set` })
    else others.push({ value, hint: `needs ${key}` })
  }
  return [...ready, ...local, ...others, { value: 'custom', hint: 'a server with an OpenAI-compatible API' }]
}
