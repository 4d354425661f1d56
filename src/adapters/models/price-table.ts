import { calcPrice, findProvider } from '@pydantic/genai-prices'
import { defined } from '../../document/defined.ts'
import { ownMember } from '../../document/own-member.ts'
import { suggest } from '../../document/suggest.ts'
import type { ModelFacts } from '../../plan/operator-settings.ts'

/** Provider ids in the price data, if they differ from the registry. */
const PRICE_IDS: Readonly<Record<string, string>> = {
  vertex_ai: 'google',
  azure_openai: 'azure',
  bedrock: 'aws',
  huggingface: 'huggingface_hub',
  xai: 'x-ai',
}

/** Queried with a thousand tokens: with a million, a tiered price would give its highest tier. */
const SAMPLE_TOKENS = 1000

/** Returns prices and context windows from the data of the package; makes no requests. */
export function openPriceTable(): (provider: string, model: string) => ModelFacts | undefined {
  const known = new Map<string, ModelFacts | undefined>()
  return (provider, model) => {
    const key = `${provider}/${model}`
    if (!known.has(key)) known.set(key, lookUp(ownMember(PRICE_IDS, provider) ?? provider, model))
    return known.get(key)
  }
}

/** Returns the models of a provider that the data of the package has. */
export function modelsOf(provider: string): readonly string[] {
  return (findProvider({ providerId: ownMember(PRICE_IDS, provider) ?? provider })?.models ?? []).map(
    ({ id }) => id,
  )
}

/** Returns the model of a provider that is most similar to a mistyped one; undefined if none is similar. */
export function similarModel(provider: string, model: string): string | undefined {
  return suggest(
    model,
    modelsOf(provider).filter((id) => id !== model),
  )
}

function lookUp(providerId: string, model: string): ModelFacts | undefined {
  if (findProvider({ providerId }) === undefined) return undefined
  const found = calcPrice({ input_tokens: SAMPLE_TOKENS, output_tokens: SAMPLE_TOKENS }, model, {
    providerId,
  })
  if (found === null) return undefined
  const perMillion = 1_000_000 / SAMPLE_TOKENS
  const window = found.model.context_window
  return {
    price: { input: found.input_price * perMillion, output: found.output_price * perMillion },
    ...defined({ context_window: window }),
  }
}
