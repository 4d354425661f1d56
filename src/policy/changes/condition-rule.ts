import { isObject, type Json } from '../../document/json.ts'
import { sameJson } from '../../document/same-json.ts'
import { type MemberRule, narrows, neutral, type Pair, type Verdict, widens } from './definition-change.ts'
import { whole } from './scalar-rules.ts'

/** When a condition is true. */
type Truth = 'never' | 'sometimes' | 'always'

export interface ConditionMeaning {
  /** What a condition in plain text means: it cannot be evaluated (AAIF §5). */
  readonly text: Truth
  /** What an absent condition means. */
  readonly absent: Truth
  /** Whether the agent may do more the more often the condition is true; false: a person is asked more often. */
  readonly permits: boolean
}

/** A condition that decides about an act of the agent. */
export function condition({ text, absent, permits }: ConditionMeaning): MemberRule {
  return whole(true, (before, after, pair) => {
    const truthOf = (value: Json | undefined): Truth =>
      value === undefined ? absent : typeof value === 'string' ? text : truthOfExpression(value)
    const [was, is] = [truthOf(before), truthOf(after)]
    if (was === is && (was !== 'sometimes' || sameExpression(before, after))) return neutral(noteVerb(pair))
    if (was === is) return widens('is another condition: it is not proved that it permits nothing more')
    const oftener = ORDER.indexOf(is) > ORDER.indexOf(was)
    return verdictOf(oftener === permits, `was ${TRUTHS[was]}, is ${TRUTHS[is]}`)
  })
}

const ORDER: readonly Truth[] = ['never', 'sometimes', 'always']
const TRUTHS: Readonly<Record<Truth, string>> = {
  never: 'never true',
  sometimes: 'true in some cases',
  always: 'always true',
}

function verdictOf(wider: boolean, why: string): Verdict {
  return wider ? widens(why) : narrows(why)
}

function truthOfExpression(value: Json): Truth {
  if (!isObject(value)) return 'sometimes'
  const { lang, expr } = value
  const constant = lang === 'cel' && typeof expr === 'string' ? expr.trim() : lang
  if (constant === 'always' || constant === 'true') return 'always'
  return constant === 'never' || constant === 'false' ? 'never' : 'sometimes'
}

function sameExpression(before: Json | undefined, after: Json | undefined): boolean {
  return (
    isObject(before) && isObject(after) && before.lang === after.lang && sameJson(before.expr, after.expr)
  )
}

function noteVerb({ before, after }: Pair): string {
  if (before === undefined) return 'is added; it changes nothing'
  return after === undefined ? 'is removed; it changed nothing' : 'is worded differently'
}

/** A condition that limits which calls a person approves. A condition that cannot be evaluated asks the person. */
export const approvalTrigger: MemberRule = {
  grants: true,
  compare: (pair) => {
    const { before, after } = pair.owners
    const changes = limiting.compare(pair)
    if (before.enabled === true || after.enabled === true) return changes
    const reason = `${pair.name} is changed; approval is off`
    return changes.map((one) => ({ ...one, effect: 'neutral', reason }))
  },
}

const limiting = condition({ text: 'always', absent: 'always', permits: false })
