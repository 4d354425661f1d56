import { seenText } from '../../document/seen-text.ts'
import { shownText } from '../../document/shown-text.ts'
import type { ConstraintRule } from './constraint-rule.ts'
import { holdsLink, withoutLinks } from './links.ts'
import { holdsMarkdown } from './markdown.ts'
import { containsPhrase, showsPhrase, withoutPhrase } from './phrase.ts'

type Format = Extract<ConstraintRule, { kind: 'format' }>['format']

/** Returns how an answer violates a rule, as text for a model, or null. */
export function breachOfAnswer(rule: ConstraintRule, text: string): string | null {
  switch (rule.kind) {
    case 'length': {
      const length = lengthIn(shownText(text), rule.unit)
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
      return shortened(shownText(text), rule)
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
    case 'one_line':
      return linesOf(text)
        .map((line) => line.trim())
        .join(' ')
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

/** The lines that are not blank, as the terminal shows them. */
function linesOf(text: string): readonly string[] {
  return shownText(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/**
 * Sentences with the white space before them. A punctuation mark within a word, as in `1.50`, does not end a sentence.
 */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])(?=\s)/).filter((part) => /[^.!?\s]/.test(part))
}

function lengthIn(text: string, unit: 'characters' | 'words' | 'sentences' | 'lines'): number {
  switch (unit) {
    case 'characters':
      return [...text].length
    case 'words':
      return text.split(/\s+/).filter((word) => word !== '').length
    case 'sentences':
      return sentencesOf(text).length
    case 'lines':
      return linesOf(text).length
  }
}

function shortened(
  text: string,
  { max, unit }: { readonly max: number; readonly unit: 'characters' | 'words' | 'sentences' | 'lines' },
): string {
  switch (unit) {
    case 'characters':
      return [...text].slice(0, max).join('')
    case 'words': {
      const words = text.match(/\S+\s*/g) ?? []
      return words.slice(0, max).join('').trimEnd()
    }
    case 'sentences':
      return sentencesOf(text).slice(0, max).join('').trim()
    case 'lines':
      return linesOf(text).slice(0, max).join('\n')
  }
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
      return shownText(text).trim().includes('\n') ? 'it has more than one line' : null
    case 'lower_case':
      return isLowerCase(text) ? null : 'it has capital letters'
    case 'no_markdown':
      return holdsMarkdown(text) ? 'it is written in Markdown' : null
    case 'no_links':
      return holdsLink(text) ? 'it contains a link' : null
  }
}
