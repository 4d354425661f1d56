import { messageOf } from '../../document/message-of.ts'
import type { PlannedModel } from '../../plan/plan.ts'
import type { ModelProviderExtension, ModelServices } from '../../run/extension.ts'
import { FINISHES } from '../../run/finish.ts'
import { type ModelAnswer, ModelFailure, type ModelPort } from '../../run/ports.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { type Redact, redactor, shorten } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { toJsonData } from '../tools/json-data.ts'
import { isCode, thrownMembers } from './thrown-members.ts'

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
  const { name, code, kind, retryAfterMs, outcome } = thrownMembers(error)
  const reported = redact(shorten(messageOf(error)))
  const known = KINDS.find((one) => one === kind)
  if (name === 'ModelFailure' && isCode(code) && known !== undefined) {
    const wait = typeof retryAfterMs === 'number' ? retryAfterMs : undefined
    return new ModelFailure(known, code, reported, wait, undefined, {
      ...(outcome === 'unsent' && { outcome }),
    })
  }
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

/**
 * Returns a copy as plain data: the run records the answer, and the extension may change its own object later.
 * @throws ModelFailure malformed
 */
function readAnswer(answer: ModelAnswer, name: string): ModelAnswer {
  const unreadable = () =>
    new ModelFailure('malformed', 'MODEL_ANSWER_UNREADABLE', `${name} returned an unreadable answer`)
  let copy: Partial<ModelAnswer> | null
  try {
    copy = toJsonData(answer) as unknown as Partial<ModelAnswer> | null
  } catch {
    throw unreadable()
  }
  const { message, finish, usage = {}, warnings = [] } = copy ?? {}
  const { text, calls } = message ?? {}
  const isCount = (value: unknown) =>
    value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)
  const readable =
    message?.role === 'assistant' &&
    typeof text === 'string' &&
    Array.isArray(calls) &&
    calls.every(
      (call) =>
        typeof call?.id === 'string' &&
        typeof call.tool === 'string' &&
        typeof call.args === 'object' &&
        call.args !== null,
    ) &&
    typeof finish === 'string' &&
    Object.hasOwn(FINISHES, finish) &&
    isCount(usage.input_tokens) &&
    isCount(usage.output_tokens)
  if (!readable) throw unreadable()
  return { ...(copy as ModelAnswer), usage, warnings }
}
