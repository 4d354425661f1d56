import type { Json, JsonObject } from '../../document/json.ts'
import { appendStep } from '../../document/json-pointer.ts'
import { itemsAt, textAt } from '../../spec/loose-members.ts'
import { type ConstraintRule, describeRule } from '../constraints/constraint-rule.ts'
import { impliesRule } from '../constraints/implies-rule.ts'
import { readConstraint } from '../constraints/read-constraint.ts'
import {
  changeOf,
  type DefinitionChange,
  type MemberRule,
  narrows,
  neutral,
  type Pair,
  quoted,
  type Verdict,
  widens,
} from './definition-change.ts'

/** A sentence of `constraints`, and how it is read. */
interface Sentence {
  readonly text: string
  readonly index: number
  /** The text without differences of white space. */
  readonly plain: string
  /** Null: only a person or a model can judge it. */
  readonly rule: ConstraintRule | null
}

/**
 * The constraints. A sentence that is removed or changed counts as weaker, unless the second definition has one that is
 * read as the same rule, or as a stricter rule. The order has no meaning.
 */
export const constraints: MemberRule = {
  grants: true,
  compare: (pair) => {
    const before = sentencesOf(pair.before, pair.agents.before)
    const after = sentencesOf(pair.after, pair.agents.after)
    const lost = before.filter(({ plain }) => !after.some((other) => other.plain === plain))
    const fresh = new Set(after.filter(({ plain }) => !before.some((other) => other.plain === plain)))
    const changes = lost.map((was): DefinitionChange => {
      const { is, verdict } = judged(was, after, fresh)
      if (is !== undefined) fresh.delete(is)
      return sentenceChange(pair, was, is, verdict)
    })
    const added = [...fresh].map((is) => sentenceChange(pair, undefined, is, addedVerdict(is, before)))
    return [...respelled(pair, before, after), ...changes, ...added]
  },
}

function sentencesOf(list: Json | undefined, agent: JsonObject): readonly Sentence[] {
  const tools = new Set(itemsAt(agent, 'tools').flatMap((tool) => textAt(tool, 'name') ?? []))
  const sentences = new Map<string, Sentence>()
  for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
    const text = String(item)
    const plain = text.replaceAll(/\s+/g, ' ').trim()
    if (!sentences.has(plain)) sentences.set(plain, { text, index, plain, rule: readConstraint(text, tools) })
  }
  return [...sentences.values()]
}

interface Judged {
  /** The sentence that replaces it. */
  readonly is?: Sentence
  readonly verdict: Verdict
}

function judged(was: Sentence, after: readonly Sentence[], fresh: ReadonlySet<Sentence>): Judged {
  const { rule } = was
  const gone: Judged = { verdict: widens('is removed: one constraint less') }
  if (rule === null) return gone
  const implying = [...fresh, ...after].find((is) => is.rule !== null && impliesRule(is.rule, rule))
  if (implying?.rule != null) {
    if (!fresh.has(implying))
      return { verdict: neutral(`is removed; "${quoted(implying.text)}" requires at least as much`) }
    const same = impliesRule(rule, implying.rule)
    return {
      is: implying,
      verdict: same
        ? neutral('is worded differently; the rule is the same')
        : narrows(readings(rule, implying.rule)),
    }
  }
  const weaker = [...fresh].find(
    (is) => is.rule !== null && (impliesRule(rule, is.rule) || subjectOf(is.rule) === subjectOf(rule)),
  )
  if (weaker?.rule == null) return gone
  return { is: weaker, verdict: widens(`is weaker: ${readings(rule, weaker.rule)}`) }
}

function addedVerdict({ rule }: Sentence, before: readonly Sentence[]): Verdict {
  const implied = before.find((was) => was.rule !== null && rule !== null && impliesRule(was.rule, rule))
  return implied === undefined
    ? narrows('is added: one more constraint')
    : neutral(`is added; "${quoted(implied.text)}" required at least as much`)
}

function readings(was: ConstraintRule, is: ConstraintRule): string {
  return `was "${describeRule(was)}", is "${describeRule(is)}"`
}

/** Returns what a rule is about, without its limit. */
function subjectOf(rule: ConstraintRule): string {
  const { kind } = rule
  const parts = {
    ...('tool' in rule && { tool: rule.tool }),
    ...('argument' in rule && { argument: rule.argument }),
    ...('unit' in rule && { unit: rule.unit }),
    ...('phrase' in rule && { phrase: rule.phrase, must: rule.must }),
    ...('format' in rule && { format: rule.format }),
  }
  return JSON.stringify({ kind, ...parts })
}

function sentenceChange(
  pair: Pair,
  was: Sentence | undefined,
  is: Sentence | undefined,
  verdict: Verdict,
): DefinitionChange {
  return changeOf(
    {
      ...pair,
      before: was?.text,
      after: is?.text,
      beforePath: appendStep(pair.beforePath, was?.index ?? 0),
      afterPath: appendStep(pair.afterPath, is?.index ?? 0),
      name: `constraint "${quoted((was ?? is)?.text)}"`,
    },
    verdict,
  )
}

function respelled(
  pair: Pair,
  before: readonly Sentence[],
  after: readonly Sentence[],
): readonly DefinitionChange[] {
  return before.flatMap((was) => {
    const is = after.find(({ plain }) => plain === was.plain)
    if (is === undefined || is.text === was.text) return []
    return [sentenceChange(pair, was, is, neutral('differs only in white space'))]
  })
}
