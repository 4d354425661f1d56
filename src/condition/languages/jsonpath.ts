import { createRequire } from 'node:module'
import type * as JsonP3 from 'json-p3'
import { Budget } from '../budget.ts'
import { type Caution, checkEquality, checkOrder } from '../caution.ts'
import { checkExpressionText, tooDeep } from '../expression-text.ts'
import { MAX_PAYLOAD_DEPTH, MAX_TREE_DEPTH } from '../limits.ts'
import { LinearPatterns } from '../linear-regex.ts'
import { withInput } from '../payload-view.ts'
import type { Predicate } from '../predicate.ts'
import { BadExpression, Unevaluable } from '../unevaluable.ts'
import { Weights } from '../weight.ts'

type Query = JsonP3.JSONPathQuery
type Expression = InstanceType<typeof JsonP3.jsonpath.expressions.FilterExpression>
type Node = JsonP3.JSONPathNode
type FilterFunction = JsonP3.FilterFunction

/** The budget of the current evaluation. The library has no parameter for it, so the compiled query reads it here. */
interface Meter {
  budget: Budget
  weights: Weights
  patterns: LinearPatterns
}

const require = createRequire(import.meta.url)

/**
 * Compiles JSONPath (RFC 9535): true if the query selects at least one node of any value (AAIF §5). A regular
 * expression that a linear engine cannot run makes the condition unevaluable; in RFC 9535 `match` and `search` would
 * return false.
 * @throws BadExpression
 */
export function compileJsonpath(expr: string, caution: Caution = 'portable'): Predicate {
  checkExpressionText(expr, '"\'')
  const { JSONPathEnvironment, jsonpath } = require('json-p3') as typeof JsonP3
  const meter: Meter = { budget: new Budget(), weights: new Weights(), patterns: new LinearPatterns() }
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_PAYLOAD_DEPTH + 3 })
  for (const [name, replacement] of filterFunctions(meter, jsonpath.functions, jsonpath.Nothing, caution)) {
    environment.functionRegister.set(name, replacement)
  }
  const query = parse(expr, environment)
  const comparisons = new Set<Comparison>()
  new Metering(meter, jsonpath, caution, comparisons).query(query, 0)
  return (payload, budget) => {
    meter.budget = budget
    meter.weights = new Weights()
    meter.patterns = new LinearPatterns()
    for (const comparison of comparisons) comparison.outcome = 'none'
    if (query.match(withInput(payload) as JsonP3.JSONValue) !== undefined) return true
    // A filter visits values without the member as well; only a member that is missing in all of them was not compared.
    if (caution === 'complete' && [...comparisons].some(({ outcome }) => outcome === 'missing'))
      throw new Unevaluable('it compares a missing member', 'fix the types in the schema of the tool')
    return false
  }
}

function parse(expr: string, environment: JsonP3.JSONPathEnvironment): Query {
  try {
    return environment.compile(expr)
  } catch (error) {
    const { message, token } = error as Partial<JsonP3.JSONPathError>
    const reason = (message ?? String(error)).replace(/ \('.*':-?\d+\)$/s, '')
    throw new BadExpression(
      reason,
      { offset: token?.index },
      expr.startsWith('$') ? undefined : 'a JSONPath query begins with $, which is the payload',
    )
  }
}

/** Whether an order or a filter was evaluated, and for values that can be compared. */
interface Comparison {
  outcome: 'none' | 'missing' | 'compared'
}

/** Makes every part of a query count its steps before it runs. Only a caution changes the results. */
class Metering {
  readonly #meter: Meter
  readonly #lib: typeof JsonP3.jsonpath
  readonly #caution: Caution
  readonly #comparisons: Set<Comparison>

  constructor(meter: Meter, lib: typeof JsonP3.jsonpath, caution: Caution, comparisons: Set<Comparison>) {
    this.#meter = meter
    this.#lib = lib
    this.#caution = caution
    this.#comparisons = comparisons
  }

  query(query: Query, depth: number): void {
    if (query.segments.length > MAX_TREE_DEPTH) throw tooDeep(MAX_TREE_DEPTH)
    for (const segment of query.segments) {
      // The eager form passes all nodes as arguments of one call, which overflows the stack for large arrays.
      segment.resolve = (nodes) => Array.from(segment.lazyResolve(nodes[Symbol.iterator]()))
      for (const selector of segment.selectors) {
        const { FilterSelector, NameSelector, IndexSelector } = this.#lib.selectors
        const single = selector instanceof NameSelector || selector instanceof IndexSelector
        const each =
          selector instanceof FilterSelector
            ? this.#expression(selector.expression.expression, depth + 1)
            : single
              ? 0
              : 4
        const resolve = selector.resolve.bind(selector)
        const visited: Comparison = { outcome: 'none' }
        if (selector instanceof FilterSelector) this.#comparisons.add(visited)
        selector.resolve = (node: Node) => {
          // A filter of a text or a number tests nothing.
          if (typeof node.value === 'object' && node.value !== null) visited.outcome = 'compared'
          else if (visited.outcome === 'none') visited.outcome = 'missing'
          // The location of a node is copied for each of its children.
          this.#meter.budget.spend(4 + node.location.length / 2 + (each === 0 ? 0 : childrenOf(node) * each))
          return resolve(node)
        }
      }
    }
  }

  /**
   * @returns the number of steps of one evaluation of the expression, without its queries, which count their own steps
   */
  #expression(expression: Expression, depth: number): number {
    if (depth > MAX_TREE_DEPTH) throw tooDeep(MAX_TREE_DEPTH)
    const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
      this.#lib.expressions
    if (expression instanceof FilterQuery) {
      this.query(expression.path, depth + 1)
      return 4
    }
    if (expression instanceof FunctionExtension) {
      return expression.args.reduce((steps, arg) => steps + this.#expression(arg, depth + 1), 4)
    }
    if (expression instanceof InfixExpression) {
      if (!expression.logical) {
        this.#payForValue(expression.left)
        this.#payForValue(expression.right)
        if (this.#caution !== 'portable') this.#checkTypes(expression)
      }
      return 1 + this.#expression(expression.left, depth + 1) + this.#expression(expression.right, depth + 1)
    }
    if (expression instanceof PrefixExpression) return 1 + this.#expression(expression.right, depth + 1)
    if (expression instanceof LogicalExpression) return this.#expression(expression.expression, depth + 1)
    return 1
  }

  #checkTypes(expression: InstanceType<typeof JsonP3.jsonpath.expressions.InfixExpression>): void {
    const comparison: Comparison = { outcome: 'none' }
    this.#comparisons.add(comparison)
    const evaluate = expression.evaluate.bind(expression)
    const isEquality = expression.operator === '==' || expression.operator === '!='
    expression.evaluate = (context) => {
      const [left, right] = [expression.left, expression.right].map((operand) => {
        const value = operand.evaluate(context)
        return value instanceof this.#lib.JSONPathNodeList ? value.nodes[0]?.value : value
      })
      if (isEquality) checkEquality(this.#caution, left, right)
      else {
        const present = [left, right].every(
          (value) => value !== undefined && value !== null && typeof value !== 'symbol',
        )
        if (present) checkOrder(this.#caution, left, right)
        if (comparison.outcome !== 'compared') comparison.outcome = present ? 'compared' : 'missing'
      }
      return evaluate(context)
    }
  }

  /** A comparison visits both values. */
  #payForValue(operand: Expression): void {
    const evaluate = operand.evaluate.bind(operand)
    operand.evaluate = (context) => {
      const value = evaluate(context)
      const only = value instanceof this.#lib.JSONPathNodeList ? value.nodes[0]?.value : value
      this.#meter.budget.spend(this.#meter.weights.of(only))
      return value
    }
  }
}

function childrenOf({ value }: Node): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** Replacements for functions of RFC 9535 §2.4 that run too long in the library, or count UTF-16 units. */
function filterFunctions(
  meter: Meter,
  lib: typeof JsonP3.jsonpath.functions,
  nothing: typeof JsonP3.Nothing,
  caution: Caution,
): Map<string, FilterFunction> {
  const library = new lib.Length()
  const { argTypes } = new lib.Match()
  const pattern = (wrap: (source: string) => string): FilterFunction => ({
    argTypes,
    returnType: lib.FunctionExpressionType.LogicalType,
    call: (text, source) => {
      // A list or a number cannot match, but what is made of it may.
      if (caution !== 'portable' && text !== null && !['string', 'undefined', 'symbol'].includes(typeof text))
        throw new Unevaluable('it searches a pattern in a value that is not a text')
      return (
        typeof text === 'string' &&
        typeof source === 'string' &&
        meter.patterns.find(wrap(source), text, meter.budget)
      )
    },
  })
  const length: FilterFunction = {
    argTypes: library.argTypes,
    returnType: library.returnType,
    call: (value) => {
      if (typeof value !== 'string') return value === nothing ? nothing : library.call(value as never)
      meter.budget.spendText(value.length)
      let scalars = 0
      for (const _ of value) scalars += 1
      return scalars
    },
  }
  return new Map([
    ['length', length],
    ['match', pattern((source) => `^(?:${toRe2(source)})$`)],
    ['search', pattern(toRe2)],
  ])
}

/** Converts I-Regexp (RFC 9485) to RE2 syntax: only the dot differs, which does not match line ends. */
function toRe2(source: string): string {
  return source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\./g, (part) =>
    part === '.' ? '[^\\n\\r]' : part,
  )
}
