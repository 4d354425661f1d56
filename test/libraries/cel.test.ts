import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type CelEnv,
  type CelValue,
  celEnv,
  celList,
  celMap,
  isCelError,
  isCelMap,
  parse,
  plan,
} from '@bufbuild/cel'

type Expr = NonNullable<ReturnType<typeof parse>['expr']>

function exprOf(text: string): Expr {
  return parse(text).expr ?? assert.fail(`${text} has no tree`)
}

function resultOf(text: string, variables: Parameters<ReturnType<typeof plan>>[0] = {}, env = celEnv({})) {
  return plan(env, exprOf(text))(variables)
}

function comprehensionOf(text: string) {
  const { exprKind } = exprOf(text)
  assert.ok(exprKind.case === 'comprehensionExpr')
  return exprKind.value
}

/** What `src/condition/languages/cel*.ts` rely on, which change the tree and the function table. */
describe('@bufbuild/cel', () => {
  test('a failed evaluation is a value, with its message and the id of the node', () => {
    for (const [text, message, node] of [
      ['x', /^unresolved attribute/, true],
      ['{"a": 1}.b', /^field not found/, true],
      ['1 + 1.0', /no matching overload .*\(int, double\)/, true],
      ['1 / 0', /divide by zero/, false],
    ] as const) {
      const value = resultOf(text)
      assert.ok(isCelError(value), text)
      assert.match(value.message, message)
      assert.equal(value.exprId !== undefined, node, text)
    }
  })

  test('a syntax error has its offset, and a message that begins with the place', () => {
    assert.throws(
      () => parse('1 +'),
      (error) => {
        const { message, location } = error as Error & { location?: { start?: { offset?: number } } }
        return location?.start?.offset === 2 && /^<input>:1:3: /.test(message)
      },
    )
  })

  test('nodes have ids, and the source information has their offsets', () => {
    const { expr, sourceInfo } = parse('size(a) == 1')
    assert.ok(expr?.exprKind.case === 'callExpr')
    assert.equal(expr.exprKind.value.function, '_==_')
    assert.equal(sourceInfo?.positions[Number(expr.id)], 8 - 1)
  })

  test('a macro is a comprehension: its list grows by `accu + [x]`, alone or as one arm of a choice', () => {
    const map = comprehensionOf('[1].map(x, x + 1)')
    assert.equal(map.accuInit?.exprKind.case, 'listExpr')
    assert.ok(map.loopStep?.exprKind.case === 'callExpr')
    const { function: name, args } = map.loopStep.exprKind.value
    assert.equal(name, '_+_')
    assert.ok(args[0]?.exprKind.case === 'identExpr')
    assert.equal(args[0].exprKind.value.name, map.accuVar)
    assert.equal(args[1]?.exprKind.case, 'listExpr')

    const filter = comprehensionOf('[1].filter(x, x > 1)')
    assert.ok(filter.loopStep?.exprKind.case === 'callExpr')
    assert.equal(filter.loopStep.exprKind.value.function, '_?_:_')
    const grown = filter.loopStep.exprKind.value.args[1]
    assert.ok(grown?.exprKind.case === 'callExpr')
    assert.equal(grown.exprKind.value.function, '_+_')
  })

  test('the operators that the planner itself knows have no entry in the function table', () => {
    const { funcs } = celEnv({})
    for (const name of ['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false']) {
      assert.equal(funcs.find(name), undefined, name)
    }
    assert.deepEqual(
      [resultOf('true && true ? [1][0] == 1 : false'), resultOf('[1].all(x, x == 1)')],
      [true, true],
    )
  })

  test('the plan calls the functions that the `funcs` of its environment find', () => {
    const env = celEnv({})
    const group = env.funcs.find('size') ?? assert.fail('there is no size()')
    assert.equal(group.name, 'size')
    const called: (readonly unknown[])[] = []
    const found: typeof group = {
      name: group.name,
      call: (id, target, args) => {
        called.push(args)
        return group.call(id, target, args)
      },
      *[Symbol.iterator]() {},
    }
    const funcs = Object.create(env.funcs, {
      find: { value: (name: string) => (name === 'size' ? found : env.funcs.find(name)) },
    }) as CelEnv['funcs']
    const changed = Object.create(env, { funcs: { value: funcs } }) as typeof env
    assert.equal(resultOf('size("ab") == 2', {}, changed), true)
    assert.deepEqual(called, [['ab']])
  })

  test('a function may have a name that no expression can call', () => {
    const env = celEnv({})
    const own = { name: '@own', call: () => 7n as CelValue, *[Symbol.iterator]() {} }
    const funcs = Object.create(env.funcs, {
      find: { value: (name: string) => (name === '@own' ? own : env.funcs.find(name)) },
    }) as CelEnv['funcs']
    const tree = exprOf('size("a")')
    assert.ok(tree.exprKind.case === 'callExpr')
    tree.exprKind.value.function = '@own'
    assert.equal(plan(Object.create(env, { funcs: { value: funcs } }) as typeof env, tree)({}), 7n)
    assert.throws(() => parse('@own()'))
  })

  test('an error that a function throws is the cause of the result', () => {
    const stopped = new Error('stopped')
    const env = celEnv({
      re2: {
        compile: () => ({
          test: () => {
            throw stopped
          },
        }),
      },
    })
    const value = resultOf('"a".matches("b")', {}, env)
    assert.ok(isCelError(value))
    assert.equal(value.cause, stopped)
  })

  test('`matches` asks the engine that the environment was given', () => {
    const asked: string[] = []
    const env = celEnv({
      re2: {
        compile: (pattern) => ({
          test: (text) => {
            asked.push(`${pattern} ${text}`)
            return true
          },
        }),
      },
    })
    assert.equal(resultOf('"a".matches("b")', {}, env), true)
    assert.deepEqual(asked, ['b a'])
  })

  test('a list keeps the array that it was made of, so that it can grow in place', () => {
    const items: CelValue[] = []
    const list = celList(items)
    items.push(1n)
    assert.deepEqual([...list], [1n])
    assert.equal(list.size, 1)
  })

  test('`has` and `get` of a map can be replaced, and expressions use them', () => {
    const map = Object.assign(celMap(new Map([['a', null]])), {
      has: (key: unknown) => key === 'a',
      get: (key: unknown) => (key === 'b' ? 2n : null),
    })
    assert.ok(isCelMap(map))
    assert.deepEqual([resultOf('has(m.a)', { m: map }), resultOf('m.b', { m: map })], [true, 2n])
  })

  test('JSON numbers are doubles', () => {
    assert.equal(resultOf('n == 1.0 && type(n) == double', { n: 1 }), true)
  })
})
