import { createRequire } from 'node:module'
import type * as Jmespath from '@jmespath-community/jmespath'
import { messageOf } from '../../document/message-of.ts'
import { Budget } from '../budget.ts'
import { type Caution, checkEquality, checkOrder } from '../caution.ts'
import { checkExpressionText, tooDeep } from '../expression-text.ts'
import { MAX_TREE_DEPTH } from '../limits.ts'
import { withInput } from '../payload-view.ts'
import type { Predicate } from '../predicate.ts'
import { BadExpression } from '../unevaluable.ts'
import { Weights } from '../weight.ts'
import { type Call, type Costs, jmespathFunctions } from './jmespath-functions.ts'

const require = createRequire(import.meta.url)

/** A parsed expression. The library's own type is not exported; every node has a `type`. */
interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/** The members of the interpreter that are used here; the library exports only one instance of its class. */
interface Interpreter {
  runtime: {
    callFunction(name: string, args: unknown[]): unknown
    createKeyFunction(expression: unknown, types: number[]): (item: unknown) => unknown
  }
  search(node: Node, value: unknown): unknown
  visit(node: Node, value: unknown): unknown
  withScope(scope: object): Interpreter
}

interface Meter {
  budget: Budget
  weights: Weights
}

/**
 * Compiles JMESPath: true if the result is truthy by its rules; null, false, "", [] and {} are false and 0 is true
 * (AAIF §5). The grammar and functions are those of JMESPath Community, a superset of jmespath.org.
 * @throws BadExpression
 */
export function compileJmespath(expr: string, caution: Caution = 'portable'): Predicate {
  const unclosed = checkExpressionText(expr, '"\'')
  // The library accepts a string that is not closed.
  if (unclosed !== undefined) throw new BadExpression('a string is not closed', { offset: unclosed })
  const lib = require('@jmespath-community/jmespath') as typeof Jmespath
  const tree = parse(expr, lib)
  checkTree(tree, lib, 0)
  const meter: Meter = { budget: new Budget(), weights: new Weights() }
  const Metered = meteredInterpreter(lib, meter, caution)
  return (payload, budget) => {
    meter.budget = budget
    meter.weights = new Weights()
    return isTruthy(new Metered().search(tree, withInput(payload)))
  }
}

/** Truthiness of JMESPath: empty values are false, zero is true. */
function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  if (typeof value !== 'object') return true
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}

function parse(expr: string, lib: typeof Jmespath): Node {
  try {
    return lib.compile(expr) as unknown as Node
  } catch (error) {
    const message = messageOf(error)
    const reason = message.replace(/^syntax(?: error)?: /i, '').replace(/: undefined$/, '')
    throw new BadExpression(reason, { offset: offsetOfError(expr, lib) })
  }
}

/**
 * Returns the offset of a syntax error, which the library does not report. The text before the offending token fails
 * only because it is incomplete, so the shortest prefix that fails for another reason ends with that token.
 */
function offsetOfError(expr: string, lib: typeof Jmespath): number | undefined {
  let starts: number[]
  try {
    starts = lib.tokenize(expr).map(({ start }) => start)
  } catch {
    return undefined
  }
  const failsWithin = (count: number): boolean => {
    try {
      lib.compile(expr.slice(0, starts[count] ?? expr.length))
      return false
    } catch (error) {
      return !/EOF/.test(String(error))
    }
  }
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (failsWithin(middle + 1)) high = middle
    else low = middle + 1
  }
  return starts[low] ?? expr.length
}

/** Refuses unknown functions, and trees that may overflow the stack. */
function checkTree(value: unknown, lib: typeof Jmespath, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_TREE_DEPTH) throw tooDeep(MAX_TREE_DEPTH)
  if ((value as Node).type === 'Function') {
    const { name } = value as Node
    const known = lib.getRegisteredFunctions()
    if (!known.includes(String(name))) {
      throw new BadExpression(`there is no function ${name}()`, {}, `functions: ${known.sort().join(', ')}`)
    }
  }
  for (const member of Object.values(value)) checkTree(member, lib, depth + 1)
}

/** An interpreter that counts each visited node and ignores inherited members. */
function meteredInterpreter(lib: typeof Jmespath, meter: Meter, caution: Caution): new () => Interpreter {
  const Base = lib.TreeInterpreter.constructor as new () => Interpreter
  const costs: Costs = {
    spend: (steps) => meter.budget.spend(steps),
    text: (length) => meter.budget.spendText(length),
    find: (text, wanted) => meter.budget.spendSearch(text, wanted),
    weight: (value) => meter.weights.of(value),
  }

  return class Metered extends Base {
    constructor() {
      super()
      const call = this.runtime.callFunction.bind(this.runtime)
      const functions = jmespathFunctions(call as Call, costs, (expression, types) =>
        this.runtime.createKeyFunction(
          expression,
          types.map((type) => TYPE_NUMBERS[type]),
        ),
      )
      this.runtime.callFunction = (name, args) => {
        const result = functions(name, args)
        if (typeof result === 'string') meter.budget.spendText(result.length)
        return result
      }
    }

    /** The base class would continue with an interpreter that does not count steps. */
    override withScope(scope: object): Interpreter {
      meter.budget.spend(50)
      const inner = new Metered()
      const { _rootValue, _scope } = this as unknown as Scoped
      return Object.assign(inner, { _rootValue, _scope: _scope.withScope(scope) })
    }

    override visit(node: Node, value: unknown): unknown {
      meter.budget.spend(1)
      switch (node.type) {
        case 'Field':
          return ownMember(value, node.name as string)
        case 'Slice':
          meter.budget.spend(lengthOf(value))
          return super.visit(node, value)
        case 'Flatten': {
          const list = this.visit(node.child as Node, value)
          if (!Array.isArray(list)) return null
          meter.budget.spend(list.reduce((steps: number, item) => steps + 1 + lengthOf(item), 0))
          return list.flat()
        }
        case 'Comparator': {
          const left = this.visit(node.left as Node, value)
          const right = this.visit(node.right as Node, value)
          // Comparison stops at the end of the smaller value.
          meter.budget.spend(Math.min(meter.weights.of(left), meter.weights.of(right)))
          if (node.name === 'EQ' || node.name === 'NE') checkEquality(caution, left, right)
          else checkOrder(caution, left, right)
          return super.visit({ ...node, left: literal(left), right: literal(right) }, value)
        }
        case 'FilterProjection': {
          if (caution === 'portable') return super.visit(node, value)
          const list = this.visit(node.left as Node, value)
          // The test is evaluated for no item of a value that is not a list.
          if (!Array.isArray(list)) checkOrder(caution, list, null)
          return super.visit({ ...node, left: literal(list) }, value)
        }
        default:
          return super.visit(node, value)
      }
    }
  }
}

/** Type names in the signatures of the library. */
const TYPE_NUMBERS = { number: 0, string: 2 } as const

interface Scoped {
  readonly _rootValue: unknown
  readonly _scope: { withScope(scope: object): unknown }
}

function literal(value: unknown): Node {
  return { type: 'Literal', value }
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return null
  return (value as Record<string, unknown>)[name] ?? null
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1
}
