import { seenText } from '../../document/seen-text.ts'
import { shownText } from '../../document/shown-text.ts'
import type { ConstraintRule } from './constraint-rule.ts'
import { holdsLink, withoutLinks } from './links.ts'
import { holdsMarkdown } from './markdown.ts'
import { containsPhrase, showsPhrase, withoutPhrase } from './phrase.ts'
import { hasLines, lengthIn, linesOf, shortened } from './text-length.ts'

type Format = Extract<ConstraintRule, { kind: 'format' }>['format']

/** Returns how an answer violates a rule, as text for a model, or null. */
export function breachOfAnswer(rule: ConstraintRule, text: string): string | null {
  switch (rule.kind) {
    case 'length': {
      const length = lengthIn(text, rule.unit)
      return length > rule.max ? `it has ${length} ${rule.unit}, but at most ${rule.max} are allowed` : null
    }
    case 'contains': {
      const found = rule.must ? containsPhrase(text, rule.phrase) : showsPhrase(text, rule.phrase)
      if (found === rule.must) return null
      return rule.must
        ? `it must contain ${JSON.stringify(rule.phrase)}`
        : `it contains ${JSON.stringify(rule.phrase)}`
    }
    case 'format':
      return breachOfFormat(rule.format, text)
    default:
      return null
  }
}

/** Returns the answer without the violating parts, or null if they cannot be removed. */
export function redactAnswer(rule: ConstraintRule, text: string): string | null {
  switch (rule.kind) {
    case 'contains':
      return rule.must ? null : withoutPhrase(text, rule.phrase)
    case 'length':
      return shortened(shownText(text), rule.max, rule.unit)
    case 'format':
      return reformatted(text, rule.format)
    default:
      return null
  }
}

function reformatted(text: string, format: Format): string | null {
  switch (format) {
    case 'no_links':
      return withoutLinks(text)
    case 'one_line': {
      const line = linesOf(text)
        .map((one) => one.trim())
        .join(' ')
      // Elements and escapes that break a line are not removed.
      return hasLines(line) ? null : line
    }
    case 'lower_case':
      return isLowerCase(text.toLowerCase()) ? text.toLowerCase() : seenText(text).text.toLowerCase()
    case 'json':
    case 'no_markdown':
      return null
  }
}

function isLowerCase(text: string): boolean {
  const { text: seen } = seenText(text)
  return seen === seen.toLowerCase()
}

function breachOfFormat(format: Format, text: string): string | null {
  switch (format) {
    case 'json':
      try {
        JSON.parse(text)
        return null
      } catch {
        return 'it is not one JSON value'
      }
    case 'one_line':
      return hasLines(text) ? 'it has more than one line' : null
    case 'lower_case':
      return isLowerCase(text) ? null : 'it has capital letters'
    case 'no_markdown':
      return holdsMarkdown(text) ? 'it is written in Markdown' : null
    case 'no_links':
      return holdsLink(text) ? 'it contains a link' : null
  }
}
