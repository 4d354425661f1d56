import { modelProvider } from './model-providers.ts'

/** Parameters of `model.params` and `temperature`, by their names in a definition. */
export type ParamName =
  | 'temperature'
  | 'max_tokens'
  | 'top_p'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'stop'
  | 'seed'

const PENALTIES: readonly ParamName[] = ['frequency_penalty', 'presence_penalty']
const SAMPLING: readonly ParamName[] = ['temperature', 'top_p', ...PENALTIES]

/**
 * Returns the given parameters that the API of a model is known not to accept: they are omitted, with a note, so that
 * the request does not fail (SPEC §F). Parameters that the provider ignores are warnings of the run.
 */
export function leftOutParams(
  { provider, model }: { readonly provider: string; readonly model: string },
  given: readonly ParamName[],
): readonly ParamName[] {
  switch (modelProvider(provider)?.dialect) {
    case 'openai':
      // Reasoning models do not accept sampling parameters.
      return /^(o\d|gpt-([5-9]|\d\d))/.test(model) && !model.includes('chat') ? both(given, SAMPLING) : []
    case 'anthropic': {
      const never = both(given, [...PENALTIES, 'seed'])
      const pair = model.startsWith('claude') && given.includes('temperature') ? both(given, ['top_p']) : []
      return [...pair, ...never]
    }
    case 'google':
      return model.startsWith('gemini-2.5') ? both(given, PENALTIES) : []
    case 'mistral':
    case 'groq':
    case 'openai-compatible':
    case undefined:
      return []
  }
}

function both(given: readonly ParamName[], names: readonly ParamName[]): readonly ParamName[] {
  return given.filter((name) => names.includes(name))
}
