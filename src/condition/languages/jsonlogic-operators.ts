import type { Budget } from '../budget.ts'
import { type Caution, checkConversion, checkEquality, checkOrder } from '../caution.ts'
import { Unevaluable } from '../unevaluable.ts'

/** The operators of jsonlogic.com. The library has additional operators, which other platforms do not have. */
export const OPERATORS: readonly string[] = [
  'var missing missing_some if ?: == === != !== ! !! or and > >= < <= max min + - * / %',
  'map reduce filter all none some merge in cat substr',
].flatMap((line) => line.split(' '))

/** Receives evaluated operands: one value, or a list. */
export type Operator = (operands: unknown, context: unknown) => unknown

/**
 * Operators that must ignore inherited members, or that create data and count steps for it.
 * @param budget returns the budget of the current evaluation
 */
export function ownOperators(budget: () => Budget, caution: Caution): Record<string, Operator> {
  return {
    ...(caution !== 'portable' && comparisons(caution)),
    var: (operands, context) => {
      const [path, fallback = null] = listOf(operands)
      if (path === undefined || path === null || path === '') return context
      const found = memberAt(context, path)
      return found === undefined ? fallback : found
    },
    missing: (operands, context) => missing(listOf(operands), context),
    missing_some: (operands, context) => {
      const [needed, paths] = listOf(operands)
      const absent = missing(listOf(paths), context)
      return listOf(paths).length - absent.length >= Number(needed) ? [] : absent
    },
    in: (operands) => {
      const [wanted, subject] = listOf(operands)
      if (Array.isArray(subject)) {
        budget().spend(subject.length / 4)
        for (const item of subject) checkEquality(caution, wanted, item)
        return subject.includes(wanted)
      }
      if (typeof subject !== 'string') {
        if (caution === 'complete') throw new Unevaluable('"in" needs a list or a text')
        return false
      }
      const text = asText(wanted)
      budget().spendSearch(subject, text)
      return subject.includes(text)
    },
    cat: (operands) => {
      const texts = listOf(operands).map((operand) => (operand === null ? '' : asText(operand)))
      budget().spendText(texts.reduce((length, text) => length + text.length, 0))
      return texts.join('')
    },
    substr: (operands) => {
      const [subject, start, length] = listOf(operands)
      return substring(asText(subject), Number(start), length === undefined ? undefined : Number(length))
    },
    merge: (operands) => {
      const lists = listOf(operands).map(listOf)
      budget().spend(lists.reduce((items, list) => items + list.length, 0))
      return lists.flat()
    },
  }
}

type Test = (left: never, right: never) => boolean

const ORDERS: Readonly<Record<string, Test>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}
const EQUALITIES: Readonly<Record<string, Test>> = {
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
}
const CONVERTING: Readonly<Record<string, Test>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: the operator of jsonlogic.com is that of JavaScript.
  '==': (left, right) => left == right,
  // biome-ignore lint/suspicious/noDoubleEquals: as above.
  '!=': (left, right) => left != right,
}

/** Comparisons whose operands are checked first. Of three operands, each is compared with the next, as in `{"<": [1, x, 5]}`. */
function comparisons(caution: Caution): Record<string, Operator> {
  const of = (tests: Readonly<Record<string, Test>>, check: typeof checkOrder) =>
    Object.entries(tests).map(([name, test]) => [
      name,
      (operands: unknown) => {
        const values = listOf(operands)
        for (let index = 1; index < values.length; index++) check(caution, values[index - 1], values[index])
        return values.slice(1).every((value, index) => test(values[index] as never, value as never))
      },
    ])
  return Object.fromEntries([
    ...of(ORDERS, checkOrder),
    ...of(EQUALITIES, checkEquality),
    // Where types are converted, `"100" == 100` is true in every reading.
    ...(caution === 'complete' ? of(CONVERTING, checkConversion) : []),
  ])
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function missing(paths: readonly unknown[], context: unknown): unknown[] {
  // `missing` also accepts one list, such as the result of `merge`.
  const wanted = paths.length === 1 && Array.isArray(paths[0]) ? (paths[0] as unknown[]) : paths
  return wanted.filter((path) => {
    const found = memberAt(context, path)
    return found === undefined || found === null || found === ''
  })
}

/** Resolves `a.b.0` by own members only: `constructor` and `__proto__` are not found. */
function memberAt(context: unknown, path: unknown): unknown {
  let value = context
  for (const name of asText(path).split('.')) {
    if (value === null || value === undefined) return undefined
    const holder = Object(value) as Record<string, unknown>
    if (!Object.hasOwn(holder, name)) return undefined
    value = holder[name]
  }
  return value
}

function asText(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    throw new Unevaluable('it uses a list or an object as a string', 'use an operator on its members')
  }
  return String(value)
}

/** Negative numbers count from the end, for the start and the length. */
function substring(text: string, start: number, length: number | undefined): string {
  const from = start < 0 ? Math.max(0, text.length + start) : start
  if (length === undefined) return text.slice(from)
  return length < 0 ? text.slice(from, Math.max(from, text.length + length)) : text.slice(from, from + length)
}
