import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JSONPathEnvironment, JSONPathError, type JSONValue, jsonpath, Nothing } from 'json-p3'

/** What `src/condition/languages/jsonpath.ts` relies on, which replaces methods of the library's objects. */
describe('json-p3', () => {
  const environment = () => new JSONPathEnvironment({ maxRecursionDepth: 50 })
  const { NameSelector, IndexSelector, FilterSelector } = jsonpath.selectors

  test('a query is a list of segments, each with its selectors', () => {
    const { segments } = environment().compile('$.a[0, ?@.b]')
    assert.deepEqual(
      segments.map(({ selectors }) => selectors.map((selector) => selector.constructor)),
      [[NameSelector], [IndexSelector, FilterSelector]],
    )
  })

  test('`match` asks only the methods that a segment and a selector have at that time', () => {
    const query = environment().compile('$.a[*]')
    const asked: string[] = []
    for (const segment of query.segments) {
      segment.resolve = (nodes) => Array.from(segment.lazyResolve(nodes[Symbol.iterator]()))
      for (const selector of segment.selectors) {
        const resolve = selector.resolve.bind(selector)
        selector.resolve = (node) => {
          asked.push(`${selector.constructor.name} at ${node.location.length}`)
          return resolve(node)
        }
        selector.lazyResolve = () => assert.fail('a selector was asked behind its `resolve`')
      }
    }
    assert.equal(query.match({ a: [1, 2] })?.value, 1)
    assert.deepEqual(asked, ['NameSelector at 0', 'WildcardSelector at 1'])
  })

  test('a filter is a tree of the exported classes, and its parts have these names', () => {
    const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
      jsonpath.expressions
    const [segment] = environment().compile('$[?!(@.a == 1) && match(@.b, "x")]').segments
    const selector = segment?.selectors[0]
    assert.ok(selector instanceof FilterSelector)
    assert.ok(selector.expression instanceof LogicalExpression)
    const and = selector.expression.expression
    assert.ok(and instanceof InfixExpression && and.logical)
    assert.ok(and.left instanceof PrefixExpression)
    const equals = and.left.right
    assert.ok(equals instanceof InfixExpression && !equals.logical)
    assert.ok(equals.left instanceof FilterQuery)
    assert.equal(equals.left.path.segments.length, 1)
    assert.ok(and.right instanceof FunctionExtension)
    assert.equal(and.right.args.length, 2)
  })

  test('a comparison asks the `evaluate` that an operand has at that time', () => {
    const query = environment().compile('$[?@.a == 1]')
    const [selector] = query.segments[0]?.selectors ?? []
    assert.ok(selector instanceof FilterSelector)
    const { expression } = selector.expression
    assert.ok(expression instanceof jsonpath.expressions.InfixExpression)
    const evaluate = expression.left.evaluate.bind(expression.left)
    const seen: unknown[] = []
    expression.left.evaluate = (context) => {
      const value = evaluate(context)
      assert.ok(value instanceof jsonpath.JSONPathNodeList)
      seen.push(value.nodes[0]?.value)
      return value
    }
    assert.equal(query.query([{ a: 1 }, { a: 2 }]).nodes.length, 1)
    assert.deepEqual(seen, [1, 2])
  })

  test('functions of an environment can be replaced, for that environment alone', () => {
    const { Length, Match, FunctionExpressionType } = jsonpath.functions
    const replaced = environment()
    const { argTypes } = new Match()
    replaced.functionRegister.set('match', {
      argTypes,
      returnType: FunctionExpressionType.LogicalType,
      call: () => true,
    })
    const data: JSONValue = ['a']
    assert.notEqual(replaced.compile('$[?match(@, "b")]').match(data), undefined)
    assert.equal(environment().compile('$[?match(@, "b")]').match(data), undefined)
    assert.equal(new Length().call([1, 2]), 2)
  })

  test('what a query does not find is `Nothing` for a function', () => {
    const seen: unknown[] = []
    const changed = environment()
    const { argTypes, returnType } = new jsonpath.functions.Length()
    changed.functionRegister.set('length', {
      argTypes,
      returnType,
      call: (value: unknown) => {
        seen.push(value)
        return 0
      },
    })
    changed.compile('$[?length(@.absent) == 1]').match([{}])
    assert.deepEqual(seen, [Nothing])
  })

  test('a syntax error has the place of its token, and repeats the text at the end of its message', () => {
    assert.throws(
      () => environment().compile('$.a['),
      (error) =>
        error instanceof JSONPathError && error.token.index === 4 && / \('\$\.a\[':4\)$/.test(error.message),
    )
  })

  test('a descent deeper than the limit throws', () => {
    const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as JSONValue
    assert.throws(() => environment().compile('$..x').match(deep), /recursion/i)
  })
})
