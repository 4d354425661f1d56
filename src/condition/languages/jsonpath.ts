import { createRequire } from 'node:module'
import type * as JsonP3 from 'json-p3'
import { Budget } from '../budget.ts'
import { checkExpressionText, tooDeep } from '../expression-text.ts'
import { MAX_PAYLOAD_DEPTH, MAX_TREE_DEPTH } from '../limits.ts'
import { LinearPatterns } from '../linear-regex.ts'
import { withInput } from '../payload-view.ts'
import type { Predicate } from '../predicate.ts'
import { BadExpression } from '../unevaluable.ts'
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
export function compileJsonpath(expr: string): Predicate {
  checkExpressionText(expr, '"\'')
  const { JSONPathEnvironment, jsonpath } = require('json-p3') as typeof JsonP3
  const meter: Meter = { budget: new Budget(), weights: new Weights(), patterns: new LinearPatterns() }
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_PAYLOAD_DEPTH + 3 })
  for (const [name, replacement] of filterFunctions(meter, jsonpath.functions, jsonpath.Nothing)) {
    environment.functionRegister.set(name, replacement)
  }
  const query = parse(expr, environment)
  new Metering(meter, jsonpath).query(query, 0)
  return (payload, budget) => {
    meter.budget = budget
    meter.weights = new Weights()
    meter.patterns = new LinearPatterns()
    return query.match(withInput(payload) as JsonP3.JSONValue) !== undefined
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

/** Makes every part of a query count its steps before it runs. The results do not change. */
class Metering {
  readonly #meter: Meter
  readonly #lib: typeof JsonP3.jsonpath

  constructor(meter: Meter, lib: typeof JsonP3.jsonpath) {
    this.#meter = meter
    this.#lib = lib
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
        selector.resolve = (node: Node) => {
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
      }
      return 1 + this.#expression(expression.left, depth + 1) + this.#expression(expression.right, depth + 1)
    }
    if (expression instanceof PrefixExpression) return 1 + this.#expression(expression.right, depth + 1)
    if (expression instanceof LogicalExpression) return this.#expression(expression.expression, depth + 1)
    return 1
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
): Map<string, FilterFunction> {
  const library = new lib.Length()
  const { argTypes } = new lib.Match()
  const pattern = (wrap: (source: string) => string): FilterFunction => ({
    argTypes,
    returnType: lib.FunctionExpressionType.LogicalType,
    call: (text, source) =>
      typeof text === 'string' &&
      typeof source === 'string' &&
      meter.patterns.find(wrap(source), text, meter.budget),
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
