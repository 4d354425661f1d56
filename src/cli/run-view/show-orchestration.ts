import type { Condition } from '../../condition/condition.ts'
import type { Plan, PlannedConsensus, PlannedOrchestration, PlannedSubagent } from '../../plan/plan.ts'
import { count } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** A sub-agent as people review it: whether it can be called, in which role, when, and why not. */
export function subagentLine(subagent: PlannedSubagent, { orchestration }: Plan, paint: Paint): string {
  const { alias, ref, role, own_role, agent, when, doubled, reason } = subagent
  const roles = [...new Set([role, own_role, ...rolesOf(alias, orchestration)])].filter(
    (part) => part !== undefined,
  )
  const facts = [
    ...roles,
    ...(ref === alias ? [] : [plainLine(ref, 100)]),
    ...(when === undefined ? [] : [`when ${conditionText(when)}`]),
    ...(doubled === true ? ['doubled'] : []),
  ]
  const known = facts.length === 0 ? '' : ` ${paint('faint', `(${facts.join('; ')})`)}`
  const mark = agent === undefined ? paint('bad', '✗') : paint('good', '✓')
  const why =
    reason === undefined
      ? ''
      : `\n      ${doubled === true ? 'a real run would lack it' : 'it cannot be called'}: ${plainLine(reason, 300)} ${paint('faint', 'AAIF-3-04')}`
  return `${mark} ${plainLine(alias, 80)}${known}${why}`
}

function rolesOf(alias: string, orchestration: PlannedOrchestration | undefined): readonly string[] {
  return [
    ...(orchestration?.synthesizer === alias ? ['synthesizer'] : []),
    ...(orchestration?.fallback === alias ? ['fallback'] : []),
    ...(orchestration?.consensus?.judge === alias
      ? [orchestration.consensus.strategy === 'referee' ? 'referee' : 'evaluator']
      : []),
  ]
}

/** Which pattern it is, who has which part in it, and when work is handed off. */
export function orchestrationLines({ orchestration }: Plan, paint: Paint): readonly string[] {
  if (orchestration === undefined) return []
  return [
    modeLine(orchestration),
    ...orchestration.handoffs.map(({ condition, target, pass_context }) => {
      const conversation = pass_context ? 'with the conversation' : 'without the conversation'
      return `hand-off to ${plainLine(target, 80)} when ${conditionText(condition)} ${paint('faint', `(${conversation})`)}`
    }),
  ]
}

function modeLine({ mode, steps, workers, consensus, synthesizer }: PlannedOrchestration): string {
  const names = (list: readonly string[]) => plainLine(list.join(', '), 300)
  switch (mode) {
    case 'pipeline':
      return `pipeline: ${plainLine(steps.join(' → '), 300)}`
    case 'swarm':
      return `swarm: ${names(workers)} at once; ${consensusText(consensus, synthesizer)}`
    case 'router':
      return `router: by their conditions among ${names(workers)}; ${consensusText(undefined, synthesizer)}`
    case 'model':
      return workers.length === 0
        ? 'only hand-offs let others work'
        : `its own model asks ${names(workers)} as it calls tools`
  }
}

function consensusText(consensus: PlannedConsensus | undefined, synthesizer: string | undefined): string {
  const { strategy, min_votes, judge = 'its own model' } = consensus ?? {}
  switch (strategy) {
    case 'majority_vote':
      return `the answer that ${min_votes === undefined ? 'more than half of them give' : `${count(min_votes, 'worker')} give${min_votes === 1 ? 's' : ''}`} wins`
    case 'best_of_n':
      return `${plainLine(judge, 80)} picks the best answer`
    case 'referee':
      return `${plainLine(judge, 80)} decides`
    case 'first_success':
      return 'the first answer wins, and the others are stopped'
    case undefined:
      return `${plainLine(synthesizer ?? 'its own model', 80)} merges several answers`
  }
}

function conditionText(condition: Condition): string {
  if (typeof condition === 'string') return `"${plainLine(condition, 120)}" (a text: never satisfied)`
  const { lang, expr, nl } = condition
  const said = expr === undefined ? (nl ?? '') : typeof expr === 'string' ? expr : JSON.stringify(expr)
  return plainLine(`${lang} ${said}`.trim(), 160)
}
