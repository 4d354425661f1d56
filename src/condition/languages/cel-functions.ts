import type * as Cel from '@bufbuild/cel'
import type { Budget } from '../budget.ts'
import { type Caution, checkEquality } from '../caution.ts'
import type { LinearPatterns } from '../linear-regex.ts'
import type { Weights } from '../weight.ts'
import { APPEND, EMPTY, RANGE, STEP } from './cel-tree.ts'

/**
 * The budget of the current evaluation. The library has no parameter for it, so the compiled expression reads it here.
 */
export interface CelMeter {
  budget: Budget
  weights: Weights
  patterns: LinearPatterns
  readonly lib: typeof Cel
  readonly caution: Caution
}

type Resolver = Cel.CelEnv['funcs']
type Group = NonNullable<ReturnType<Resolver['find']>>
type Value = Cel.CelValue
type Result = ReturnType<Group['call']>

/**
 * Returns the functions of an environment, which count their steps before they run, and those that metered trees call.
 */
export function meterFunctions(functions: Resolver, meter: CelMeter): Resolver {
  const own = loopFunctions(meter)
  const find = (name: string): Group | undefined => {
    const added = own.get(name)
    if (added !== undefined) return added
    const group = functions.find(name)
    return group && groupOf(name, (id, target, args) => payAndCall(group, id, target, args, meter))
  }
  return Object.create(functions, { find: { value: find } }) as Resolver
}

function groupOf(name: string, call: Group['call']): Group {
  return { name, call, *[Symbol.iterator]() {} }
}

/** Functions that {@link meterTree} inserts into loops. */
function loopFunctions(meter: CelMeter): Map<string, Group> {
  const { lib } = meter
  /** The lists under construction, and the arrays with their items. */
  const growing = new WeakMap<Cel.CelList, Value[]>()
  return new Map([
    [
      STEP,
      groupOf(STEP, (_id, _target, [steps]) => {
        meter.budget.spend(Number(steps))
        return true
      }),
    ],
    [
      RANGE,
      groupOf(RANGE, (_id, _target, [range]) => {
        if (lib.isCelList(range) || lib.isCelMap(range)) meter.budget.spend(1 + range.size / 2)
        return range
      }),
    ],
    [
      EMPTY,
      groupOf(EMPTY, () => {
        const items: Value[] = []
        const list = lib.celList(items)
        growing.set(list, items)
        return list
      }),
    ],
    [
      APPEND,
      groupOf(APPEND, (_id, _target, [list, item]) => {
        growing.get(list as Cel.CelList)?.push(item as Value)
        return list
      }),
    ],
  ])
}

/** Returns a list of CEL as a list of JavaScript. */
function plain(value: unknown, lib: typeof Cel): unknown {
  return lib.isCelList(value) ? [...value] : value
}

function payAndCall(
  group: Group,
  id: number,
  target: Value | undefined,
  args: Value[],
  { budget, weights, lib, caution }: CelMeter,
): Result {
  const operands = target === undefined ? args : [target, ...args]
  budget.spend(1)
  for (const operand of operands) {
    if (typeof operand === 'string' || operand instanceof Uint8Array) budget.spendText(operand.length)
  }
  const [first, second] = operands
  switch (group.name) {
    case '_==_':
    case '_!=_':
      // Comparison stops at the end of the smaller value.
      budget.spend(Math.min(weights.of(first), weights.of(second)))
      checkEquality(caution, plain(first, lib), plain(second, lib))
      break
    case '@in':
      if (caution !== 'portable' && lib.isCelList(second))
        for (const item of second) checkEquality(caution, plain(first, lib), plain(item, lib))
      if (lib.isCelList(second)) budget.spend(Math.min(weights.of(second), second.size * weights.of(first)))
      break
    case '_+_':
      if (lib.isCelList(first) && lib.isCelList(second)) {
        budget.spend(first.size + second.size)
        // Flattened: the library's chained lists need a stack frame for each link.
        return lib.celList([...first, ...second])
      }
      break
    case 'size':
      if (typeof first === 'string') budget.spend(first.length / 4)
      break
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      if (typeof first === 'string' && typeof second === 'string') budget.spendSearch(first, second)
      break
    case 'int':
    case 'uint':
      // Parsing a number of many digits takes quadratic time.
      if (typeof first === 'string') budget.spendSearch(first, first)
      break
  }
  return group.call(id, target, args)
}
