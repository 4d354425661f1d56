import { defined } from '../../document/defined.ts'
import { messageOf } from '../../document/message-of.ts'
import { continuationOf } from '../decide/continue-answer.ts'
import { holdsAnswers } from '../decide/gate-answer.ts'
import { answerText } from '../decide/prompt-tokens.ts'
import type { Fact } from '../event.ts'
import { HostFailure, ModelFailure, type ReportedUsage } from '../ports.ts'
import type { AssistantMessage, ModelAttempt, Usage } from '../state.ts'
import { checkAnswer } from './check-answer.ts'
import type { EffectContext } from './effect-context.ts'
import { memoryFirst } from './memory-first.ts'
import type { TextGate } from './pii-port.ts'
import { questionTokens, usageOf, usageOfFailure } from './request-usage.ts'
import { joined, Seam } from './seam.ts'
import { toolsIn } from './tools-in.ts'

/** Asks a model over the route of the attempt, after its delay. Returns null if the question was cancelled. */
export async function askModel(attempt: ModelAttempt, context: EffectContext): Promise<Fact | null> {
  const { program, state, ports, signal, trace } = context
  const { clock, model } = ports
  const { plan } = program
  const route = plan.models[attempt.route]
  if (route === undefined) return null
  const gate = textGate(context)
  const question = questionTokens(context)
  const before = attempt.continues === true ? (state.partial ?? '') : ''
  const seam = before === '' ? null : new Seam(before)
  let received = ''
  let started = clock.now()
  const show = (text: string) => {
    if (text === '') return
    context.partial(text)
    gate?.push(text)
  }
  context.partial('')
  if (before !== '') context.partial(before)
  try {
    await context.begun
    if (signal.aborted) return null
    if (attempt.delay_ms > 0) await clock.sleep(attempt.delay_ms, signal)
    // The text of this question begins with the interrupted answer: a reader that has it already is given the rest.
    if (before !== '') gate?.push(before)
    started = clock.now()
    const headers = trace.parentHeader(plan, state, trace.attemptSpan(attempt.n))
    const answer = checkAnswer(
      await model.ask(
        {
          plan,
          route,
          messages: [...memoryFirst(state.messages.toArray()), ...continuationOf(state)],
          headers,
          ...toolsIn(plan, state.messages),
          ...(state.choice !== undefined && { free_form: true as const }),
        },
        gate === null
          ? { signal }
          : {
              signal,
              onText: (delta) => {
                received += delta
                show(seam?.push(delta) ?? delta)
              },
              onCall: () => context.calling(),
            },
      ),
    )
    if (signal.aborted) return null
    show(seam?.end() ?? '')
    gate?.flush()
    context.partial('')
    const at = clock.now()
    const latency_ms = at - started
    ports.routes?.answered(route, latency_ms, at)
    const usage = usageOf(answer.usage, { question, answer: answerText(answer.message) }, context)
    const warnings = [...answer.warnings, ...unreported(answer.usage, usage)]
    return {
      type: 'model.answered',
      attempt: attempt.n,
      message: before === '' ? answer.message : joinedAnswer(before, answer.message),
      finish: answer.finish,
      usage,
      ...(warnings.length > 0 && { warnings }),
      latency_ms,
    }
  } catch (error) {
    if (signal.aborted) return null
    if (error instanceof HostFailure) throw error
    const failure =
      error instanceof ModelFailure ? error : new ModelFailure('route', 'MODEL_ERROR', messageOf(error))
    const { kind, code, message, retryAfterMs, hint } = failure
    const at = clock.now()
    const rest = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }
    ports.routes?.failed(route, { kind, ...rest }, at)
    return {
      type: 'model.failed',
      attempt: attempt.n,
      kind,
      code,
      message,
      ...defined({ hint }),
      ...rest,
      ...usageOfFailure(failure, { question, answer: received }, context),
      latency_ms: at - started,
    }
  }
}

function joinedAnswer(before: string, message: AssistantMessage): AssistantMessage {
  return { ...message, text: joined(before, message.text) }
}

/** Returns a warning if a provider reports no usage and no budget needs an estimate. */
function unreported(reported: ReportedUsage, { estimated }: Usage): readonly string[] {
  const { input_tokens, output_tokens } = reported
  if (estimated === true || input_tokens !== undefined || output_tokens !== undefined) return []
  return ['the provider did not report token usage: it counts as 0']
}

/**
 * Returns the receiver of generated text; null if the model need not stream, or if a gate may still withhold the
 * answer.
 */
function textGate({ program, state, ports, onText: watched }: EffectContext): TextGate | null {
  // The number of a selected answer is not the output.
  if (holdsAnswers(program) || state.choice !== undefined) return null
  const { plan } = program
  // A definition may require streaming even if no caller reads the text (AAIF §4.6 streaming).
  const isStreamed = watched !== undefined || (plan.streaming && !plan.rehearsal)
  if (!isStreamed) return null
  // An answer that is delivered whole arrives as a stream too: a pause in the middle of it keeps what was written.
  const onText = (plan.whole === true ? undefined : watched) ?? (() => {})
  return ports.pii === undefined ? { push: onText, flush: () => {} } : ports.pii.stream(plan, onText)
}
