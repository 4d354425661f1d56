import type { Json, JsonObject } from '../../document/json.ts'
import { sameJson } from '../../document/same-json.ts'
import { itemsAt, textAt } from '../../spec/loose-members.ts'
import {
  changeOf,
  type MemberRule,
  narrows,
  type Pair,
  quoted,
  type Verdict,
  widens,
} from './definition-change.ts'
import { items } from './list-rules.ts'
import { whole } from './scalar-rules.ts'

export const subagents: MemberRule = items({
  of: 'Subagent',
  noun: 'sub-agent',
  nameOf: (agent) => textAt(agent, 'alias') ?? String(agent.ref),
  added: (agent) => widens(`is added: one more sub-agent, ${quoted(agent.ref)}`),
  removed: () => narrows('is removed: one sub-agent less'),
  grants: true,
})

/**
 * `orchestration.handoff`: the first rule whose condition is true decides. So a rule also limits those that follow it,
 * and removing it, or making it true less often, may let them take its cases.
 */
export const handoffs: MemberRule = items({
  of: 'HandoffRule',
  noun: 'hand-off to',
  nameOf: (rule) => String(rule.target_agent),
  added: () => widens('is added: one more way to give the run away'),
  removed: (rule, { before }) =>
    isLast(rule, before)
      ? narrows('is removed')
      : widens('is removed: the rules that follow it may take its cases'),
  moved: widens('is changed: the first rule whose condition is true decides'),
  grants: true,
})

function isLast(rule: JsonObject, list: Json | undefined): boolean {
  return Array.isArray(list) && sameJson(list.at(-1), rule)
}

/** A condition of a hand-off that becomes stricter lets the rules that follow it take its cases. */
export function beforeOthers(condition: MemberRule): MemberRule {
  return {
    grants: true,
    compare: (pair) =>
      condition
        .compare(pair)
        .map((one) =>
          one.effect !== 'narrows' || isLastOf(pair)
            ? one
            : { ...one, effect: 'widens', reason: `${one.reason}: ${OTHERS}` },
        ),
  }
}

const OTHERS = 'the rules that follow it may take its cases'

function isLastOf({ owners, agents }: Pair): boolean {
  const orchestration = agents.after.orchestration
  return isLast(owners.after, itemsAt(orchestration, 'handoff'))
}

/** `orchestration.pipeline`: each step gets the output of the step before it, so a step may check for the next. */
export const pipeline: MemberRule = {
  grants: true,
  compare: (pair) => {
    const [before, after] = [stepsOf(pair.before), stepsOf(pair.after)]
    if (sameJson(before, after)) return []
    return [changeOf(pair, pipelineVerdict(before, after), isMoved(before, after))]
  },
}

function pipelineVerdict(before: readonly Json[], after: readonly Json[]): Verdict {
  const steps = `was ${stepsText(before)}, is ${stepsText(after)}`
  if (after.length === 0) return widens(`${steps}: the model of the agent decides which sub-agents it calls`)
  if (before.length === 0) return widens(`${steps}: each step is called in every run`)
  if (sameJson(before.slice(0, after.length), after)) return narrows(`${steps}: fewer steps`)
  if (isMoved(before, after)) return widens(`${steps}: a step may have checked what a later step did`)
  return after.every((step) => before.includes(step))
    ? widens(`${steps}: a step may have checked what a later step did`)
    : widens(`${steps}: other steps`)
}

function isMoved(before: readonly Json[], after: readonly Json[]): boolean {
  return sameJson([...before].map(String).sort(), [...after].map(String).sort())
}

function stepsOf(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list : []
}

function stepsText(steps: readonly Json[]): string {
  return steps.length === 0 ? 'absent' : quoted(steps.map(String).join(' → '))
}

const STRENGTH: readonly (Json | undefined)[] = ['first_success', undefined]

/** `consensus.strategy`: the first success needs no agreement at all; the others cannot be compared. */
export const consensus: MemberRule = whole(true, (before, after) => {
  const strength = (value: Json | undefined) => {
    const found = STRENGTH.indexOf(value)
    return found < 0 ? STRENGTH.length : found
  }
  const change = `was ${quoted(before)}, is ${quoted(after)}`
  return strength(after) > strength(before)
    ? narrows(`needs more agreement: ${change}`)
    : widens(`may need less agreement: ${change}`)
})
