import { type Grants, type HostGrant, parseHostGrant } from './endpoint-gate.ts'

/** The dialect of a provider's API. */
export type Dialect = 'openai' | 'anthropic' | 'google' | 'mistral' | 'groq' | 'openai-compatible'

export interface ModelProvider {
  readonly dialect: Dialect
  /** The base URL of the provider's API. */
  readonly base_url: string
  /** The environment variable that the provider's own library documents. Absent if no key is needed. */
  readonly key?: string
  /** True if the API refuses answers by JSON Schema (response_format json_schema), so that plain JSON mode is used. */
  readonly json_mode_only?: true
  /** The API refuses requests with more tools. Absent: it documents no limit. */
  readonly most_tools?: number
}

/**
 * The supported providers, by their registered id. A provider with a known dialect needs one entry; `custom` is not
 * listed, because the definition and the operator set its base URL.
 */
const PROVIDERS: ReadonlyMap<string, ModelProvider> = new Map([
  [
    'openai',
    { dialect: 'openai', base_url: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY', most_tools: 128 },
  ],
  ['anthropic', { dialect: 'anthropic', base_url: 'https://api.anthropic.com/v1', key: 'ANTHROPIC_API_KEY' }],
  [
    'google',
    {
      dialect: 'google',
      base_url: 'https://generativelanguage.googleapis.com/v1beta',
      key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    },
  ],
  ['mistral', { dialect: 'mistral', base_url: 'https://api.mistral.ai/v1', key: 'MISTRAL_API_KEY' }],
  [
    'groq',
    {
      dialect: 'groq',
      base_url: 'https://api.groq.com/openai/v1',
      key: 'GROQ_API_KEY',
      most_tools: 128,
    },
  ],
  [
    'openrouter',
    { dialect: 'openai-compatible', base_url: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  ],
  ['xai', { dialect: 'openai-compatible', base_url: 'https://api.x.ai/v1', key: 'XAI_API_KEY' }],
  [
    'deepseek',
    {
      dialect: 'openai-compatible',
      base_url: 'https://api.deepseek.com',
      key: 'DEEPSEEK_API_KEY',
      json_mode_only: true,
      most_tools: 128,
    },
  ],
  [
    'together',
    { dialect: 'openai-compatible', base_url: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' },
  ],
  [
    'fireworks',
    {
      dialect: 'openai-compatible',
      base_url: 'https://api.fireworks.ai/inference/v1',
      key: 'FIREWORKS_API_KEY',
    },
  ],
  [
    'huggingface',
    {
      dialect: 'openai-compatible',
      base_url: 'https://router.huggingface.co/v1',
      key: 'HUGGINGFACE_API_KEY',
    },
  ],
  ['ollama', { dialect: 'openai-compatible', base_url: 'http://127.0.0.1:11434/v1' }],
])

/** Returns the entry of a provider, or undefined for `custom` and for unsupported providers. */
export function modelProvider(id: string): ModelProvider | undefined {
  return PROVIDERS.get(id)
}

/** Returns the ids of the listed providers. */
export function providerNames(): readonly string[] {
  return [...PROVIDERS.keys()]
}

/** Returns true if this provider is supported: a listed provider, or `custom` with a base URL. */
export function callableProvider(route: { readonly provider: string; readonly base_url?: string }): boolean {
  return PROVIDERS.has(route.provider) || (route.provider === 'custom' && route.base_url !== undefined)
}

/**
 * Returns a grant for the default address of a provider that runs on this machine (Ollama), else none. The command
 * line gives it by naming the provider; a definition alone cannot.
 */
export function localModelHosts(provider: string): readonly HostGrant[] {
  const url = URL.parse(PROVIDERS.get(provider)?.base_url ?? '')
  return url?.protocol === 'http:' ? [parseHostGrant(url.host, 'flag')] : []
}

/**
 * Returns the hosts that model calls may reach: the public APIs of all listed providers, and the operator's grants.
 * @param added the APIs of providers added by extensions
 */
export function modelGrants(grants: Grants, added: readonly string[] = []): Grants {
  const own = [...[...PROVIDERS.values()].map((provider) => provider.base_url), ...added]
    .map((url) => new URL(url))
    .filter((url) => url.protocol === 'https:')
    .map((url) => ({ host: url.hostname, private: false, source: 'builtin' as const }))
  return { ...grants, hosts: [...grants.hosts, ...(grants.model_hosts ?? []), ...own] }
}

/** Returns the names of the keys that the supported providers use. */
export function knownProviderKeys(): readonly string[] {
  return [...PROVIDERS.values()].flatMap(({ key }) => (key === undefined ? [] : [key]))
}
