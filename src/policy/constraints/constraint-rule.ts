/**
 * A constraint that can be enforced without a model. Plain data: it is part of the plan, which shows how each sentence
 * was interpreted.
 */
export type ConstraintRule =
  | {
      readonly kind: 'length'
      readonly max: number
      readonly unit: 'characters' | 'words' | 'sentences' | 'lines'
    }
  | { readonly kind: 'contains'; readonly phrase: string; readonly must: boolean }
  | {
      readonly kind: 'format'
      readonly format: 'json' | 'one_line' | 'lower_case' | 'no_markdown' | 'no_links'
    }
  | { readonly kind: 'never_call'; readonly tool: string }
  | { readonly kind: 'call_after'; readonly tool: string; readonly first: string }
  | { readonly kind: 'call_count'; readonly tool: string; readonly max: number }
  | {
      readonly kind: 'call_time'
      readonly tool: string
      /** Minutes after midnight, UTC; the window may span midnight. */
      readonly from: number
      readonly to: number
      readonly weekdays: boolean
    }
  | { readonly kind: 'items'; readonly tool: string | null; readonly argument: string; readonly max: number }
  | {
      readonly kind: 'argument'
      readonly tool: string
      readonly argument: string
      readonly test: 'is' | 'starts' | 'ends' | 'below'
      readonly value: string
    }

/** Returns the rule as text for the plan. */
export function describeRule(rule: ConstraintRule): string {
  switch (rule.kind) {
    case 'length':
      return `answers have at most ${rule.max} ${rule.unit}`
    case 'contains':
      return `answers ${rule.must ? 'contain' : 'do not contain'} ${JSON.stringify(rule.phrase)}`
    case 'format':
      return `answers are ${FORMATS[rule.format]}`
    case 'never_call':
      return `${rule.tool} is never called`
    case 'call_after':
      return `${rule.tool} is called only after ${rule.first} has succeeded in the same run`
    case 'call_count':
      return `${rule.tool} is called at most ${times(rule.max)} in a run`
    case 'call_time':
      return `${rule.tool} is called only from ${clock(rule.from)} to ${clock(rule.to)} UTC${rule.weekdays ? ', Monday to Friday' : ''}`
    case 'items':
      return rule.tool === null
        ? `every call has at most ${rule.max} recipients, counting to, cc and bcc`
        : `${rule.tool} has at most ${rule.max} in ${rule.argument}`
    case 'argument':
      return `${rule.tool} is called only when ${rule.argument} ${TESTS[rule.test]} ${rule.value}`
  }
}

const FORMATS = {
  json: 'one JSON value',
  one_line: 'one line',
  lower_case: 'in lower case',
  no_markdown: 'without Markdown',
  no_links: 'without links',
} as const

const TESTS = { is: 'is', starts: 'begins with', ends: 'ends in', below: 'is at most' } as const

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
