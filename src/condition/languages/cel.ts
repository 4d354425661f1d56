import { createRequire } from 'node:module'
import type * as Cel from '@bufbuild/cel'
import { Budget } from '../budget.ts'
import type { Caution } from '../caution.ts'
import { checkExpressionText } from '../expression-text.ts'
import { LinearPatterns } from '../linear-regex.ts'
import type { ViewValue } from '../payload-view.ts'
import type { Predicate } from '../predicate.ts'
import { BadExpression, Unevaluable } from '../unevaluable.ts'
import { Weights } from '../weight.ts'
import { type CelMeter, meterFunctions } from './cel-functions.ts'
import { timeFunctions } from './cel-time.ts'
import { type CelTree, meterTree } from './cel-tree.ts'

const require = createRequire(import.meta.url)

/**
 * Compiles CEL: true if the result is the boolean true; a result of another type is unevaluable (AAIF §5). JSON numbers
 * are doubles, as in the protobuf JSON mapping. Loading the library takes 70 ms or more, so it is loaded here.
 * @throws BadExpression
 */
export function compileCel(expr: string, caution: Caution = 'portable'): Predicate {
  checkExpressionText(expr, '"\'')
  const lib = require('@bufbuild/cel') as typeof Cel
  const meter: CelMeter = {
    budget: new Budget(),
    weights: new CelWeights(lib),
    patterns: new LinearPatterns(),
    lib,
    caution,
  }
  const env = lib.celEnv({
    funcs: timeFunctions(lib),
    re2: { compile: (pattern) => ({ test: (text) => meter.patterns.find(pattern, text, meter.budget) }) },
  })
  const tree = meterTree(parse(expr, lib), (name) => env.funcs.find(name) !== undefined)
  const metered = Object.create(env, { funcs: { value: meterFunctions(env.funcs, meter) } }) as typeof env
  const decide = lib.plan(metered, tree.root)
  return (payload, budget) => {
    meter.budget = budget
    meter.weights = new CelWeights(lib)
    meter.patterns = new LinearPatterns()
    const variables = variablesOf(payload, tree, lib) as Parameters<typeof decide>[0]
    const value = withoutStacks(() => decide(variables))
    if (budget.exhausted) budget.spend(0)
    if (typeof value === 'boolean') return value
    throw lib.isCelError(value) ? failure(value, tree) : notBoolean(value, lib)
  }
}

function parse(expr: string, lib: typeof Cel): ReturnType<typeof Cel.parse> {
  try {
    return lib.parse(expr)
  } catch (error) {
    // The bracket count finds most cases; comments and multi-line strings can hide some.
    if (error instanceof RangeError) throw new BadExpression('it nests too deep', {}, 'split the condition')
    const { message, location } = error as Error & { location?: { start?: { offset?: number } } }
    const last = / but expecting /.test(message) ? lastOperator(expr) : undefined
    if (last !== undefined)
      throw new BadExpression(`the operand after "${last}" is missing`, { offset: expr.length })
    // Alternatives are removed: the parser lists all CEL tokens.
    const reason = message.replace(/^<input>:\d+:\d+: /, '').replace(/ but expecting .{60,}$/s, '')
    throw new BadExpression(reason, { offset: location?.start?.offset })
  }
}

/**
 * Returns the operator at the end of an expression; the parser reports a token before it. Not in an unclosed string or a
 * comment.
 */
function lastOperator(expr: string): string | undefined {
  const quotes = expr.match(/["']/g)?.length ?? 0
  if (quotes % 2 === 1 || expr.includes('//')) return undefined
  return /(?:&&|\|\||[=!<>]=|[-+*/%<>?:!]|\bin)$/.exec(expr.trimEnd())?.[0]
}

/**
 * Converts only members that the expression names. The whole payload is `input` unless it has a member of that name.
 */
function variablesOf(payload: ViewValue, { names }: CelTree, lib: typeof Cel): Record<string, unknown> {
  const variables: Record<string, unknown> = Object.create(null)
  const isObject = payload !== null && typeof payload === 'object' && !Array.isArray(payload)
  for (const name of names) {
    if (isObject && Object.hasOwn(payload, name)) variables[name] = toCel(payload[name] as ViewValue, lib)
    else if (name === 'input') variables.input = toCel(payload, lib)
  }
  return variables
}

function toCel(value: ViewValue, lib: typeof Cel): Cel.CelInput {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return lib.celList(value.map((item) => toCel(item, lib)))
  const members = new Map(Object.entries(value).map(([name, member]) => [name, toCel(member, lib)]))
  return Object.assign(lib.celMap(members), {
    // The library treats a null member as absent; in JSON it is present.
    has: (key: unknown) => typeof key === 'string' && members.has(key),
    // The library also searches all names for numbers, one by one; in JSON a name is a string.
    get: (key: unknown) => (typeof key === 'string' ? members.get(key) : undefined),
  })
}

/** In CEL errors are values, created as Error objects; their stack is not used and is most of their cost. */
function withoutStacks<Value>(work: () => Value): Value {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

class CelWeights extends Weights {
  readonly #lib: typeof Cel

  constructor(lib: typeof Cel) {
    super()
    this.#lib = lib
  }

  protected override membersOf(value: object): Iterable<unknown> {
    if (this.#lib.isCelList(value)) return value
    if (this.#lib.isCelMap(value)) return Array.from(value).flat()
    return []
  }
}

function failure({ message, exprId, cause }: Cel.CelError, { textOf }: CelTree): Unevaluable {
  if (cause instanceof Unevaluable) return cause
  const place = exprId === undefined ? undefined : textOf.get(Number(exprId))
  if (place !== undefined && /^(?:unresolved attribute|field not found)/.test(message)) {
    const owner = place.includes('.') ? place : `input.${place}`
    return new Unevaluable(`the payload has no ${place}`, `test it first: has(${owner}) && …`)
  }
  const reason = message.replace(/'(?:@|_)?([^']*?)_?' applied to/, "'$1' applied to")
  if (/no matching overload .*\bdouble\b/.test(message) && /\bu?int\b/.test(message)) {
    return new Unevaluable(reason, 'numbers in a payload are doubles: write 1.0 for 1, or int(x) for x')
  }
  return new Unevaluable(reason)
}

function notBoolean(value: Cel.CelValue, lib: typeof Cel): Unevaluable {
  return new Unevaluable(
    `the result is ${lib.celType(value).name}, not true or false`,
    'compare it with a value',
  )
}
