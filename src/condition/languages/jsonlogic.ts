import { createRequire } from 'node:module'
import type * as JsonLogic from 'json-logic-engine'
import { appendStep } from '../../document/json-pointer.ts'
import { Budget } from '../budget.ts'
import type { Caution } from '../caution.ts'
import { MAX_EXPRESSION_DEPTH, MAX_RULE_LENGTH } from '../limits.ts'
import { type ViewValue, withInput } from '../payload-view.ts'
import type { Predicate } from '../predicate.ts'
import { BadExpression, Unevaluable } from '../unevaluable.ts'
import { OPERATORS, type Operator, ownOperators } from './jsonlogic-operators.ts'

const require = createRequire(import.meta.url)

/**
 * Compiles JsonLogic: true if the result is truthy by its rules; false, null, 0, "" and [] are false (AAIF §5). The
 * operators are those of jsonlogic.com without `log`, which has a side effect.
 * @throws BadExpression
 */
export function compileJsonlogic(expr: object, caution: Caution = 'portable'): Predicate {
  const text = JSON.stringify(expr)
  if (text.length > MAX_RULE_LENGTH) {
    throw new BadExpression(`it is longer than ${MAX_RULE_LENGTH} characters`, {}, 'split the condition')
  }
  const rule = copyRule(JSON.parse(text), '', MAX_EXPRESSION_DEPTH * 2)
  const lib = require('json-logic-engine') as typeof JsonLogic
  const meter = { budget: new Budget() }
  const engine = meteredEngine(lib, meter, caution)
  return (payload, budget) => {
    meter.budget = budget
    try {
      return isTruthy(engine.run(rule, withInput(payload)))
    } catch (error) {
      throw error instanceof Error ? error : new Unevaluable(thrown(error))
    }
  }
}

/** Truthiness of jsonlogic.com: as in JavaScript, but an empty list is false. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Checks every operator of a rule, and copies the rule so that later changes have no effect. */
function copyRule(rule: ViewValue, pointer: string, depth: number): ViewValue {
  if (rule === null || typeof rule !== 'object') return rule
  if (depth === 0)
    throw new BadExpression(`it nests deeper than ${MAX_EXPRESSION_DEPTH * 2} levels`, { pointer })
  if (Array.isArray(rule)) return rule.map((item, index) => copyRule(item, `${pointer}/${index}`, depth - 1))
  const operators = Object.keys(rule)
  const [operator, second] = operators
  if (operator === undefined) return {}
  if (second !== undefined) {
    throw new BadExpression(
      `an operation has one operator, not ${operators.length}`,
      { pointer },
      'put each into a separate object, and join them with "and" or "or"',
    )
  }
  const place = appendStep(pointer, operator)
  if (!OPERATORS.includes(operator)) {
    throw new BadExpression(
      `there is no operator ${JSON.stringify(operator)}`,
      { pointer: place },
      `operators: ${OPERATORS.join(' ')}`,
    )
  }
  return { [operator]: copyRule(rule[operator] as ViewValue, place, depth - 1) }
}

const ON_LISTS: ReadonlySet<string> = new Set(['map', 'filter', 'reduce', 'some', 'all', 'none'])

interface Engine {
  run(logic: unknown, data?: unknown, options?: object): unknown
  truthy(value: unknown): unknown
}

function meteredEngine(lib: typeof JsonLogic, meter: { budget: Budget }, caution: Caution): Engine {
  const methods: Record<string, unknown> = Object.create(null)
  for (const name of OPERATORS) methods[name] = (lib.defaultMethods as Record<string, unknown>)[name]
  for (const [name, operator] of Object.entries(ownOperators(() => meter.budget, caution))) {
    methods[name] = { method: operator satisfies Operator, lazy: false, deterministic: true }
  }
  const Base = lib.LogicEngine as unknown as new (methods: object, options: object) => Engine
  class Metered extends Base {
    override run(logic: unknown, data?: unknown, options?: object): unknown {
      meter.budget.spend(1)
      if (caution === 'complete') this.#checkList(logic, data, options)
      const result = super.run(logic, data, options)
      // Every operator on a list visits its items, even if it evaluates no expression for them.
      if (Array.isArray(result)) meter.budget.spend(result.length / 8)
      return result
    }

    /** An operator on a list evaluates its rule for no item of a value that is not a list. */
    #checkList(logic: unknown, data: unknown, options: object | undefined): void {
      const [name, operands] = Object.entries(logic ?? {})[0] ?? ['', null]
      if (!ON_LISTS.has(name) || !Array.isArray(operands)) return
      if (!Array.isArray(this.run(operands[0], data, options)))
        throw new Unevaluable(`"${name}" needs a list`, 'fix the types in the schema of the tool')
    }

    override truthy(value: unknown): boolean {
      return isTruthy(value)
    }
  }
  // Compiled rules would not call `run`, and are cached forever.
  return new Metered(methods, { disableInline: true, disableInterpretedOptimization: true })
}

/** The library throws numbers and plain objects. */
function thrown(error: unknown): string {
  if (typeof error === 'number') return 'it computes with a value that is not a number, or divides by zero'
  const { type } = (error ?? {}) as { type?: unknown }
  return `it fails: ${typeof type === 'string' ? type.toLowerCase() : String(error)}`
}
