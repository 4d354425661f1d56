import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compile,
  getRegisteredFunctions,
  type JSONValue,
  search,
  TreeInterpreter,
  tokenize,
} from '@jmespath-community/jmespath'

interface Interpreter {
  runtime: {
    callFunction(name: string, args: unknown[]): unknown
    createKeyFunction(expression: unknown, types: number[]): (item: unknown) => unknown
  }
  search(node: unknown, value: unknown): unknown
  visit(node: { readonly type: string }, value: unknown): unknown
  withScope(scope: object): Interpreter
}

const Base = TreeInterpreter.constructor as new () => Interpreter

/** What `src/condition/languages/jmespath.ts` relies on: the class behind the one instance that is exported. */
describe('@jmespath-community/jmespath', () => {
  test('the class of the exported interpreter makes others, which answer as `search` does', () => {
    const data = { a: [{ b: 2 }, { b: 1 }] }
    for (const text of ['a[0].b', 'sort_by(a, &b)[0].b', 'a[].b | max(@)', 'let $x = a in $x[1].b']) {
      assert.deepEqual(new Base().search(compile(text), data), search(data, text), text)
    }
  })

  test('every node is visited by the `visit` of the instance', () => {
    const visited: string[] = []
    class Watched extends Base {
      override visit(node: { readonly type: string }, value: unknown): unknown {
        visited.push(node.type)
        return super.visit(node, value)
      }
    }
    new Watched().search(compile('a[0:1].b[] == `1` && length(@) > `0`'), { a: [{ b: [1] }] })
    for (const type of [
      'AndExpression',
      'Comparator',
      'Projection',
      'Slice',
      'Flatten',
      'Field',
      'Literal',
    ]) {
      assert.ok(visited.includes(type), `${type} is not among ${visited.join(' ')}`)
    }
  })

  test('the parts of nodes that are evaluated apart have these names', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(compile('a == `1`'))), {
      type: 'Comparator',
      name: 'EQ',
      left: { type: 'Field', name: 'a' },
      right: { type: 'Literal', value: 1 },
    })
    const flatten = compile('a[]') as unknown as { left: { type: string; child: { type: string } } }
    assert.deepEqual([flatten.left.type, flatten.left.child.type], ['Flatten', 'Field'])
    const call = compile('f(@)') as unknown as { type: string; name: string }
    assert.deepEqual([call.type, call.name], ['Function', 'f'])
  })

  test('a function is called by the `callFunction` that the runtime of the instance has at that time', () => {
    const interpreter = new Base()
    const call = interpreter.runtime.callFunction.bind(interpreter.runtime)
    const called: unknown[] = []
    interpreter.runtime.callFunction = (name, args) => {
      called.push([name, args])
      return call(name, args)
    }
    assert.equal(interpreter.search(compile('length(a)'), { a: 'xy' }), 2)
    assert.deepEqual(called, [['length', ['xy']]])
  })

  test('a key function takes numbers for types: 0 is a number, 2 a string', () => {
    const interpreter = new Base()
    let expression: unknown
    const call = interpreter.runtime.callFunction.bind(interpreter.runtime)
    interpreter.runtime.callFunction = (name, args) => {
      expression = args[1]
      return call(name, args)
    }
    interpreter.search(compile('sort_by(@, &a)'), [{ a: 1 }])
    const { runtime } = interpreter
    assert.equal(runtime.createKeyFunction(expression, [0])({ a: 1 }), 1)
    assert.equal(runtime.createKeyFunction(expression, [2])({ a: 'x' }), 'x')
    assert.throws(() => runtime.createKeyFunction(expression, [2])({ a: 1 }))
    assert.throws(() => runtime.createKeyFunction(expression, [0])({ a: 'x' }))
  })

  test('a scope makes another interpreter, with the root value and the scope in these members', () => {
    const inner = new Base()
    inner.search(compile('a'), { a: 1 })
    const { _rootValue, _scope } = inner as unknown as {
      _rootValue: unknown
      _scope: { withScope(scope: object): object }
    }
    assert.deepEqual(_rootValue, { a: 1 })
    const scoped = Object.assign(new Base(), { _rootValue, _scope: _scope.withScope({ x: 2 }) })
    assert.equal(scoped.visit(compile('$x') as unknown as { type: string }, null), 2)

    let scopes = 0
    class Watched extends Base {
      override withScope(scope: object): Interpreter {
        scopes += 1
        return super.withScope(scope)
      }
    }
    assert.equal(new Watched().search(compile('let $x = a in $x'), { a: 3 }), 3)
    assert.equal(scopes, 1)
  })

  test('a text that only ended too early fails with "EOF", any other with the token', () => {
    assert.throws(() => compile('a.'), /^ParserError: Syntax error, .*EOF/)
    assert.throws(
      () => compile('a..b'),
      (error) => !/EOF/.test(String(error)),
    )
    assert.deepEqual(
      tokenize('a.b').map(({ start }) => start),
      [0, 1, 2],
    )
  })

  test('functions are known by name, and an unknown one is found only when it is called', () => {
    assert.ok(getRegisteredFunctions().includes('length'))
    assert.doesNotThrow(() => compile('unknown(@)'))
  })

  test('a quirk that the wrapper closes: an unclosed raw string ends with the text', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(compile("'a"))), { type: 'Literal', value: 'a' })
  })

  test('a quirk that the wrapper closes: members of the prototype are found', () => {
    assert.equal(typeof search({} as JSONValue, 'constructor'), 'function')
  })
})
