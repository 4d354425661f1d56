import type { PlannedModel } from '../../plan/plan.ts'
import type { ModelProviderExtension, ModelServices } from '../../run/extension.ts'
import { type ModelAnswer, ModelFailure, type ModelPort } from '../../run/ports.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { type Redact, redactor, shorten } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'

/**
 * Dispatches each request to the adapter for its provider. Validates the shape of an extension's answer, and converts
 * everything it throws to a failure of its route.
 * @param named returns the name under which an extension has the provider of a route
 * @param servicesOf returns the services for a provider
 */
export function withModelProviders(
  own: ModelPort,
  providers: ReadonlyMap<string, ModelProviderExtension>,
  named: (route: PlannedModel) => string,
  servicesOf: (provider: ModelProviderExtension) => ModelServices,
): ModelPort {
  const opened = new Map<string, Promise<ModelPort>>()
  return {
    async ask(request, options) {
      const { route } = request
      const word = named(route)
      const provider = providers.get(word)
      if (provider === undefined) return own.ask(request, options)
      const { signal } = options
      signal.throwIfAborted()
      const services = servicesOf(provider)
      let redact = redactor([])
      try {
        redact = redactor([await untilAborted(services.key(route), signal)])
        const open = opened.get(word) ?? Promise.resolve().then(() => provider.open(services))
        opened.set(word, open)
        // A failed open may succeed the next time.
        open.catch(() => opened.delete(word))
        const port = await untilAborted(open, signal)
        return readAnswer(await untilAborted(port.ask(request, options), signal), `${word}/${route.model}`)
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, `${word}/${route.model}`, redact)
      }
    },
  }
}

/** Checks members, not the class: an extension may use another copy of this package. */
function failureOf(error: unknown, route: string, redact: Redact): ModelFailure {
  const { name, code, kind, message, retryAfterMs, outcome } = (error ?? {}) as Partial<ModelFailure>
  const reported = redact(shorten(typeof message === 'string' ? message : String(error)))
  const known = KINDS.find((one) => one === kind)
  if (name === 'ModelFailure' && typeof code === 'string' && known !== undefined)
    return new ModelFailure(known, code, reported, retryAfterMs, undefined, {
      ...(outcome === 'unsent' && { outcome }),
    })
  if (error instanceof GateRefusal) {
    const outcome = error.unsent ? 'unsent' : 'answered'
    return new ModelFailure('route', error.code, `${route}: ${reported}`, undefined, error.hint, { outcome })
  }
  return new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', `${route}: ${reported}`)
}

const KINDS: readonly ModelFailure['kind'][] = [
  'unavailable',
  'rate_limited',
  'timeout',
  'malformed',
  'route',
  'request',
]
const FINISHES: readonly ModelAnswer['finish'][] = ['stop', 'length', 'tool_calls', 'content_filter', 'other']

/** @throws ModelFailure malformed */
function readAnswer(answer: ModelAnswer, name: string): ModelAnswer {
  const { message, finish, usage = {}, warnings = [] } = (answer ?? {}) as Partial<ModelAnswer>
  const { text, calls } = message ?? {}
  const isCount = (value: unknown) =>
    value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)
  const readable =
    message?.role === 'assistant' &&
    typeof text === 'string' &&
    Array.isArray(calls) &&
    calls.every(
      ({ id, tool, args }) =>
        typeof id === 'string' && typeof tool === 'string' && typeof args === 'object' && args !== null,
    ) &&
    FINISHES.some((known) => known === finish) &&
    isCount(usage.input_tokens) &&
    isCount(usage.output_tokens)
  if (readable) return { ...answer, usage, warnings }
  const why = 'returned an unreadable answer'
  throw new ModelFailure('malformed', 'MODEL_ANSWER_UNREADABLE', `${name} ${why}`)
}
