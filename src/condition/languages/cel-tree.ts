import type * as Cel from '@bufbuild/cel'
import { tooDeep } from '../expression-text.ts'
import { MAX_TREE_DEPTH } from '../limits.ts'
import { BadExpression } from '../unevaluable.ts'

type Parsed = ReturnType<typeof Cel.parse>
export type Expr = NonNullable<Parsed['expr']>
type Comprehension = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value']

/** Our own functions. CEL identifiers never begin with @, so expressions cannot call them. */
export const STEP = '@step'
export const RANGE = '@range'
export const EMPTY = '@empty'
export const APPEND = '@append'

/** Operators that are in the planner of the library, not in its function table. */
const PLANNED = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false'])

export interface CelTree {
  readonly root: Expr
  /** The identifiers in the expression. */
  readonly names: ReadonlySet<string>
  /** The text of identifiers and selections such as `a.b`, by the id used in errors. */
  readonly textOf: ReadonlyMap<number, string>
}

/**
 * Adds metering: each iteration of a loop (`all`, `exists`, `exists_one`, `map`, `filter`) counts the steps of its
 * body, each loop those of its range. Lists grow in place: the library would chain a new list to the old one in each
 * iteration, which takes quadratic time and overflows the stack.
 * @param isFunction returns true if a function of that name exists
 * @throws BadExpression for unknown functions and for trees that are too deep
 */
export function meterTree(parsed: Parsed, isFunction: (name: string) => boolean): CelTree {
  const names = new Set<string>()
  const textOf = new Map<number, string>()
  const { expr, sourceInfo } = parsed
  if (expr === undefined) throw new BadExpression('it is empty')

  /**
   * @returns the number of nodes that one evaluation visits, without those inside loops, which count in each iteration
   */
  function visit(node: Expr | undefined, depth: number): number {
    if (node === undefined) return 0
    if (depth > MAX_TREE_DEPTH) throw tooDeep(MAX_TREE_DEPTH)
    const all = (nodes: readonly (Expr | undefined)[]): number =>
      nodes.reduce((count, child) => count + visit(child, depth + 1), 1)
    const { exprKind } = node
    switch (exprKind.case) {
      case 'identExpr':
        names.add(exprKind.value.name)
        textOf.set(Number(node.id), exprKind.value.name)
        return 1
      case 'selectExpr': {
        const { operand, field } = exprKind.value
        const count = all([operand])
        const owner = operand === undefined ? undefined : textOf.get(Number(operand.id))
        if (owner !== undefined) textOf.set(Number(node.id), `${owner}.${field}`)
        return count
      }
      case 'callExpr': {
        const { target, args, function: name } = exprKind.value
        if (!PLANNED.has(name) && !isFunction(name)) {
          throw new BadExpression(
            `there is no function ${name}()`,
            { offset: sourceInfo?.positions[Number(node.id)] },
            name === 'has' ? 'has() takes a member, such as has(input.name)' : undefined,
          )
        }
        return all([target, ...args])
      }
      case 'listExpr':
        return all(exprKind.value.elements)
      case 'structExpr':
        // Only maps are JSON; messages are new objects at each access, so their weight cannot be cached.
        if (exprKind.value.messageName !== '') {
          throw new BadExpression(`there is no message type ${exprKind.value.messageName}`, {
            offset: sourceInfo?.positions[Number(node.id)],
          })
        }
        return all(
          exprKind.value.entries.flatMap(({ keyKind, value }) => [
            keyKind.case === 'mapKey' ? keyKind.value : undefined,
            value,
          ]),
        )
      case 'comprehensionExpr':
        return loop(exprKind.value, depth)
      default:
        return 1
    }
  }

  function loop(loop: Comprehension, depth: number): number {
    const range = visit(loop.iterRange, depth + 1)
    visit(loop.accuInit, depth + 1)
    const turn = visit(loop.loopStep, depth + 1) + visit(loop.loopCondition, depth + 1)
    const result = visit(loop.result, depth + 1)
    const id = loop.loopCondition?.id ?? 0n
    if (loop.iterRange !== undefined) loop.iterRange = call(id, RANGE, [loop.iterRange])
    // Failing attributes create error objects, the most expensive part of an iteration.
    const pay = call(id, STEP, [integer(id, 4 + turn * 2)])
    loop.loopCondition = loop.loopCondition === undefined ? pay : call(id, '_&&_', [pay, loop.loopCondition])
    if (loop.accuInit?.exprKind.case === 'listExpr') {
      loop.accuInit = call(id, EMPTY, [])
      appendInPlace(loop.loopStep, loop.accuVar)
    }
    return 4 + range + result
  }

  visit(expr, 0)
  return { root: expr, names, textOf }
}

/**
 * In the step of `map` and `filter`: `accu + [x]`, alone or as one branch of a conditional, becomes `@append(accu, x)`.
 */
function appendInPlace(step: Expr | undefined, accumulator: string): void {
  if (step?.exprKind.case !== 'callExpr') return
  const call = step.exprKind.value
  if (call.function === '_?_:_') appendInPlace(call.args[1], accumulator)
  const [list, added] = call.args
  if (call.function !== '_+_' || list?.exprKind.case !== 'identExpr') return
  if (list.exprKind.value.name !== accumulator || added?.exprKind.case !== 'listExpr') return
  call.function = APPEND
  call.args = [list, ...added.exprKind.value.elements]
}

function call(id: bigint, name: string, args: Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  }
}

function integer(id: bigint, value: number): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id,
    exprKind: {
      case: 'constExpr',
      value: {
        $typeName: 'cel.expr.Constant',
        constantKind: { case: 'int64Value', value: BigInt(value) },
      },
    },
  }
}
