import { IDLE_TIMEOUT_MS } from '../../adapters/net/idle-timeout.ts'
import type { ErrorObject } from '../../document/issue.ts'
import { routeName, routingOf } from '../../plan/order-routes.ts'
import type { Plan, PlannedMemory, PlannedModel, RoutingStrategy } from '../../plan/plan.ts'
import { requestTokens } from '../../plan/request-tokens.ts'
import { count, dollars, duration } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { plainLine, plainText } from '../terminal/plain-text.ts'
import { orchestrationLines, subagentLine } from './show-orchestration.ts'
import { GATES, serverLines, toolLines, type UnaskedCalls } from './show-tools.ts'
import { type TimedTrigger, triggerLines } from './show-triggers.ts'

export interface PlanTextOptions {
  readonly color: boolean
  /** Show the complete system prompt, not only its beginning. */
  readonly prompt: boolean
  /** The definition as given on the command line, for the commands that the text suggests. */
  readonly file?: string
  /** Rules for calls that need no approval although their tool does. */
  readonly unasked?: readonly UnaskedCalls[]
  /** Secrets that the plan takes as set; `needed` is false if the plan does not need the name. */
  readonly assumed?: readonly { readonly name: string; readonly needed: boolean }[]
  /** The triggers of the plan, with their next times. */
  readonly triggers?: readonly TimedTrigger[]
  /** The error of every run, before its first model request; absent: a run can begin. */
  readonly error?: ErrorObject
}

const PROMPT_LINES = 6

/** Returns a plan as text for review: models, tools, limits, and members that are not applied. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const { color, prompt, file = 'FILE', unasked = [], assumed = [], triggers = [], error } = options
  const paint = painter(color)
  const sections = [
    [title(plan, paint)],
    section(
      'Refused',
      plan.refusals.map((refusal) => problem('✗', 'bad', refusal.message, refusal.hint, refusal.rule, paint)),
      paint,
    ),
    section('Models', modelLines(plan, paint), paint),
    section(
      'Tools',
      [
        ...toolLines(plan.tools, unasked, paint),
        ...serverLines(plan.tools, file, paint),
        ...tokenLines(plan, paint),
      ],
      paint,
    ),
    section(
      'Sub-agents',
      plan.subagents.map((subagent) => subagentLine(subagent, plan, paint)),
      paint,
    ),
    section('Orchestration', orchestrationLines(plan, paint), paint),
    section('Triggers', triggerLines(triggers, paint), paint),
    section(
      'Hooks',
      (plan.hooks ?? []).map(({ hook, name, doubled }) =>
        plainLine(`${hook} calls ${name}${doubled === true ? ' (test double)' : ''}`),
      ),
      paint,
    ),
    section(
      'Extensions',
      (plan.extensions ?? []).map(({ name, uses }) => plainLine(`${name} (${uses.join(', ')})`, 200)),
      paint,
    ),
    section(
      'Memory',
      plan.memory.map((entry) => memoryLine(entry, paint)),
      paint,
    ),
    section(
      'Constraints',
      plan.constraints.map(
        ({ text, enforcement }) => `${plainLine(text, 300)} ${paint('faint', ENFORCED[enforcement])}`,
      ),
      paint,
    ),
    section(
      'Not applied',
      plan.degradations.map(
        ({ path, reason, rule }) =>
          `${paint('warn', '!')} ${plainLine(path)}: ${plainLine(reason, 2000)} ${paint('faint', rule)}`,
      ),
      paint,
    ),
    section('Personal data', piiLines(plan), paint),
    section('Limits', limitLines(plan), paint),
    section('Secrets', secretLines(plan, assumed, paint), paint),
    section('System prompt', promptLines(plan, prompt, paint), paint),
    [verdict(plan, error, paint)],
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** What the tools cost: every request to the model contains their descriptions and schemas. */
function tokenLines(plan: Plan, paint: Paint): readonly string[] {
  const { tools } = requestTokens(plan)
  return tools === 0
    ? []
    : [paint('faint', `about ${count(tools, 'token')} of tools in every request to the model`)]
}

function title({ agent_name, agent_version, agent_id, safety_level, rehearsal }: Plan, paint: Paint): string {
  const version = agent_version === undefined ? '' : ` ${agent_version}`
  const note = rehearsal
    ? `\n${paint('warn', 'REHEARSAL')} test doubles would replace the model and the tools`
    : ''
  return `${paint('strong', plainLine(`${agent_name}${version}`))} ${paint('faint', plainLine(`${agent_id} · safety level ${safety_level}`))}${note}`
}

function section(name: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : [paint('strong', name), ...lines.map((line) => `  ${line}`)]
}

function problem(
  mark: string,
  tone: 'bad' | 'warn',
  message: string,
  hint: string,
  rule: string,
  paint: Paint,
): string {
  return `${paint(tone, mark)} ${plainLine(message, 300)} ${paint('faint', rule)}\n      ${paint('accent', 'hint')} ${plainLine(hint, 300)}`
}

const STRATEGIES = {
  preferred_first: 'in declared order',
  cost: 'cheapest first',
  quality: 'highest rank first',
  latency: 'each once, then fastest first',
  round_robin: 'in turn',
} as const

/** Returns the models in the order in which they are used; models that cannot be used are last. */
function modelLines(plan: Plan, paint: Paint): readonly string[] {
  const { strategy, order } = routingOf(plan)
  const refused = plan.models.flatMap((model, index) => (order.includes(index) ? [] : [model]))
  const eligible = order.flatMap((index) => plan.models[index] ?? [])
  const lines = [
    ...eligible.map((model, place) => eligibleLine(model, strategy, place, paint)),
    ...refused.map(
      (model) =>
        `${paint('bad', '✗')} ${plainLine(routeName(model))}: ${plainLine(model.reason ?? 'not eligible', 300)}${hintBelow(model.hint, paint)}`,
    ),
  ]
  if (plan.models.length < 2) return lines
  return [paint('faint', `${strategy}: ${STRATEGIES[strategy]}`), ...lines]
}

function hintBelow(hint: string | undefined, paint: Paint): string {
  return hint === undefined ? '' : `\n      ${paint('accent', 'hint')} ${plainLine(hint, 400)}`
}

function eligibleLine(model: PlannedModel, strategy: RoutingStrategy, place: number, paint: Paint): string {
  const byMoment = strategy === 'latency' || strategy === 'round_robin'
  const details = [
    ...(byMoment ? [] : [place === 0 ? 'first choice' : 'fallback']),
    ...(model.base_url === undefined ? [] : [`at ${plainLine(model.base_url, 200)}`]),
    ...(model.key === undefined ? [] : [`key ${model.key}`]),
    ...(model.price === undefined
      ? [
          `price unknown${model.similar === undefined ? '' : `; did you mean ${plainLine(model.similar, 80)}?`}`,
        ]
      : [`${dollars(model.price.input)} in, ${dollars(model.price.output)} out per million tokens`]),
    ...(strategy === 'quality' ? [model.quality === undefined ? 'no rank' : `rank ${model.quality}`] : []),
  ]
  const more = details.length === 0 ? '' : ` ${paint('faint', `(${details.join('; ')})`)}`
  return `${paint('good', '✓')} ${plainLine(routeName(model))}${more}`
}

const ENFORCED = {
  rule: '(checked by rule)',
  judge: '(judged by a model)',
  prompt: '(only in the prompt)',
} as const

function memoryLine(entry: PlannedMemory, paint: Paint): string {
  const [tone, mark, label] = GATES[entry.gate]
  const owner = [
    ...(entry.user === undefined ? [] : [`user ${plainLine(entry.user, 80)}`]),
    ...(entry.session === undefined ? [] : [`session ${plainLine(entry.session, 80)}`]),
  ]
  const facts = [
    ...owner,
    entry.kept_in === 'in_memory' ? 'stored in the run' : `stored in ${plainLine(entry.kept_in, 80)}`,
    `up to ${entry.top_k} items by ${entry.retrieval_strategy}`,
    entry.ttl_seconds === 0 ? 'never expires' : `expires after ${duration(entry.ttl_seconds * 1000)}`,
  ]
  const reason =
    entry.reason === undefined
      ? ''
      : `\n      ${plainLine(entry.reason, 400)}${entry.rule === undefined ? '' : ` ${paint('faint', entry.rule)}`}`
  return `${paint(tone, mark)} ${entry.scope} ${plainLine(entry.key, 80)} ${paint(tone, label)} ${paint('faint', `(${facts.join('; ')})`)}${reason}`
}

const HANDLED = {
  none: 'is not changed',
  detect: 'is detected and reported, but not changed',
  anonymize: 'is replaced by placeholders before it is recorded or sent to a model',
  encrypt: 'is encrypted before it is recorded or sent to a model',
  reject: 'is rejected in the input, in calls, results and answers',
} as const

function piiLines({ pii }: Plan): readonly string[] {
  if (pii === undefined || (pii.handling === 'detect' && pii.in_system_prompt === undefined)) return []
  const prompt = (pii.in_system_prompt ?? []).map(({ kind, count: amount }) => `${amount} ${kind}`).join(', ')
  return [
    `${HANDLED[pii.handling]}${pii.inherited === true ? ' (required by an agent that calls this one)' : ''}`,
    ...(prompt === ''
      ? []
      : [`the system prompt contains ${prompt}; it is sent unchanged, because the author wrote it`]),
  ]
}

function limitLines({ limits, retry }: Plan): readonly string[] {
  return [
    count(limits.max_iterations, 'model call'),
    ...concurrencyLines(limits),
    ...(limits.timeout_ms === undefined ? [] : [`${duration(limits.timeout_ms)} per turn`]),
    ...(limits.budget_tokens === undefined ? [] : [count(limits.budget_tokens, 'token')]),
    ...(limits.budget_usd === undefined ? [] : [dollars(limits.budget_usd)]),
    ...(limits.budget_calls === undefined ? [] : [count(limits.budget_calls, 'call')]),
    `${count(retry.max_retries, 'retry', 'retries')} per model call with ${retry.backoff} backoff`,
    `${duration(IDLE_TIMEOUT_MS)} for a model, or a tool over HTTP, that sends nothing`,
  ].map((limit, index) => (index === 0 ? `up to ${limit}` : limit))
}

function concurrencyLines({ concurrency, unattended_concurrency }: Plan['limits']): readonly string[] {
  if (concurrency !== undefined) return [`${count(concurrency, 'run')} at a time`]
  if (unattended_concurrency === undefined) return []
  return [
    `${count(unattended_concurrency, 'run')} at a time of those that a batch, a trigger or --detach starts`,
  ]
}

function promptLines({ system_prompt }: Plan, whole: boolean, paint: Paint): readonly string[] {
  const lines = plainText(system_prompt).trimEnd().split('\n')
  if (whole || lines.length <= PROMPT_LINES + 1) return lines
  const rest = paint('faint', `… ${count(lines.length - PROMPT_LINES, 'more line')}; --prompt shows all`)
  return [...lines.slice(0, PROMPT_LINES), rest]
}

function secretLines(
  { secrets }: Plan,
  assumed: NonNullable<PlanTextOptions['assumed']>,
  paint: Paint,
): readonly string[] {
  const names = assumed.map(({ name }) => name)
  return [
    ...secrets.map(
      (name) => `${plainLine(name)}${names.includes(name) ? paint('warn', ' assumed to be set') : ''}`,
    ),
    ...assumed
      .filter(({ name, needed }) => !needed && !secrets.includes(name))
      .map(({ name }) => `${plainLine(name)} ${paint('warn', 'assumed to be set, but not needed')}`),
  ]
}

function verdict(plan: Plan, error: ErrorObject | undefined, paint: Paint): string {
  if (plan.refusals.length > 0)
    return paint('bad', `A run would be refused; ${count(plan.refusals.length, 'reason')} above.`)
  if (error !== undefined)
    return paint('bad', `A run would fail: ${error.code} ${plainLine(error.message, 1000)}`)
  if (plan.rehearsal) return paint('good', 'A rehearsal can run.')
  const denied = plan.tools.filter(({ gate }) => gate === 'deny').length
  const asks = plan.tools.filter(({ gate }) => gate === 'ask').length
  const notes = [
    ...(denied > 0 ? [`${count(denied, 'tool')} denied`] : []),
    ...(asks > 0 ? [`${count(asks, 'tool')} ${asks === 1 ? 'needs' : 'need'} approval`] : []),
    ...(plan.degradations.length > 0 ? [`${count(plan.degradations.length, 'member')} not applied`] : []),
  ]
  return paint('good', `This agent can run${notes.length > 0 ? `: ${notes.join(', ')}` : ''}.`)
}
