import type { CodeEntries } from './code-entry.ts'

export const ROUTE_CODES = {
  MODEL_UNNAMED: {
    meaning: 'The definition names no model.',
    remedy: 'Set `model.preferred`, or add `--model PROVIDER/MODEL`.',
  },
  CONTEXT_WINDOW_TOO_SMALL: {
    meaning: "The model's context window is smaller than `min_context_tokens`.",
    remedy: 'Use a model with a larger window.',
  },
  PRICE_UNKNOWN: {
    meaning: 'The route has a price ceiling, or the run a budget, and its price is not known.',
    remedy: 'Set the price in the configuration (`models`).',
  },
  PRICE_ABOVE_CEILING: {
    meaning: "The price is above the route's `max_cost_usd_per_1k_tokens`.",
    remedy: 'Use a cheaper model, or raise the ceiling.',
  },
} satisfies CodeEntries
