import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import type { Budget } from './budget.ts'
import { MAX_PATTERN_SIZE } from './limits.ts'
import { Unevaluable } from './unevaluable.ts'

const require = createRequire(import.meta.url)

/** The regular expressions of one evaluation, each compiled once. */
export class LinearPatterns {
  readonly #known = new Map<string, { readonly compiled: RE2JS; readonly size: number }>()

  /**
   * Searches for a pattern in a text, in time linear in the text (RE2).
   * @throws Unevaluable if the pattern is invalid, not supported by a linear engine, or too expensive
   */
  find(pattern: string, text: string, budget: Budget): boolean {
    let known = this.#known.get(pattern)
    if (known === undefined) {
      const size = sizeOfPattern(pattern)
      budget.spend(100 + size * 8)
      known = { compiled: compile(pattern), size }
      this.#known.set(pattern, known)
    }
    budget.spend(4 + (known.size * text.length) / 16)
    return known.compiled.matcher(text).find()
  }
}

function compile(pattern: string): RE2JS {
  // Loaded with the first pattern: few conditions have one.
  const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS }
  try {
    return engine.compile(pattern)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw new Unevaluable(
      `the regular expression ${JSON.stringify(shorten(pattern))} cannot be used: ${why}`,
      'look-around and back-references are not supported',
    )
  }
}

/**
 * Estimates the number of instructions of a compiled pattern: its characters, times the maximum of their repetitions.
 * @throws Unevaluable if there are too many
 */
function sizeOfPattern(pattern: string): number {
  const open: number[] = []
  let size = 0
  let last = 0
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index)
    if (character === '(') {
      open.push(size)
      size += 2
    } else if (character === ')') {
      last = size - (open.pop() ?? 0)
    } else if (character === '[') {
      const end = endOfClass(pattern, index)
      last = 1 + (end - index) / 4
      size += last
      index = end
    } else if (character === '{') {
      const count = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/.exec(pattern.slice(index, index + 16))
      const times = count === null ? 1 : Math.max(1, Number(count[1]), Number(count[2] ?? 0))
      size += last * (times - 1) + 1
    } else {
      // A property such as \p{L} is a class of hundreds of ranges.
      const property = character === '\\' && /[pP]/.test(pattern.charAt(index + 1))
      if (character === '\\') index += 1
      last = property ? 16 : 1
      size += last
    }
    if (size > MAX_PATTERN_SIZE) {
      throw new Unevaluable(
        'the regular expression is too long, or repeats too much',
        'use fewer or smaller counts such as {1000}',
      )
    }
  }
  return size
}

function endOfClass(pattern: string, start: number): number {
  let index = start + 1
  if (pattern.charAt(index) === '^') index += 1
  if (pattern.charAt(index) === ']') index += 1
  while (index < pattern.length && pattern.charAt(index) !== ']')
    index += pattern.charAt(index) === '\\' ? 2 : 1
  return index
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
