import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as yaml from 'yaml'

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  prettyErrors: false,
  strict: true,
} as const

/** As `src/document/parse-yaml.ts` reads: lexer, parser and composer one by one, with a handler of our own. */
function compose(text: string, onError: (...report: unknown[]) => void): yaml.Document.Parsed[] {
  const parser = new yaml.Parser()
  const tokens: yaml.CST.Token[] = []
  for (const lexeme of new yaml.Lexer().lex(text)) tokens.push(...parser.next(lexeme))
  tokens.push(...parser.end())
  const composer = new yaml.Composer(OPTIONS)
  Object.assign(composer, { onError })
  return [...composer.compose(tokens, true, text.length)]
}

function composed(text: string): yaml.Document.Parsed {
  const [document] = compose(text, (_source, code, _message, warning) => {
    assert.equal(warning, true, String(code))
  })
  return document ?? assert.fail('there is no document')
}

describe('yaml: lexer and composer', () => {
  test('lexemes are the text, with four control characters that stand for none of it', () => {
    const text = '--- \na: [1,\n 2]\n- x # y\n'
    const lexemes = [...new yaml.Lexer().lex(`\ufeff${text}`)]
    const control = ['\ufeff', '\x02', '\x18', '\x1f']
    assert.equal(lexemes.filter((lexeme) => !control.includes(lexeme)).join(''), text)
    assert.equal(lexemes[0], '\ufeff')
    assert.ok(lexemes.includes('\x02') && lexemes.includes('\x1f'))
    for (const sign of ['[', ']', '-', ':']) assert.ok(lexemes.includes(sign), sign)
  })

  test('the composer has a member `onError`, and asks the one that it has at that time', () => {
    assert.equal(typeof (new yaml.Composer() as unknown as { onError: unknown }).onError, 'function')
    const reports: unknown[][] = []
    compose('a: b: c', (...report) => reports.push(report))
    assert.deepEqual(reports, [
      [3, 'BLOCK_AS_IMPLICIT_KEY', 'Nested mappings are not allowed in compact mappings'],
    ])
  })

  test('a warning has true as its fourth argument', () => {
    const reports: unknown[][] = []
    compose('%FOO\n---\na: 1', (...report) => reports.push(report))
    assert.deepEqual(
      reports.map(([source, code, , warning]) => [source, code, warning]),
      [[[0, 4], 'BAD_DIRECTIVE', true]],
    )
  })

  test('what the handler throws ends the composition, reported again on the way', () => {
    const stop = new Error('stop')
    const messages: unknown[] = []
    assert.throws(
      () =>
        compose('a: [1', (_source, _code, message) => {
          messages.push(message)
          throw stop
        }),
      (error) => error === stop,
    )
    assert.equal(
      messages[0],
      'Flow sequence in block collection must be sufficiently indented and end with a ]',
    )
    assert.ok(messages.slice(1).every((message) => message === 'stop'))
  })

  test('the place of an error is an offset, a range, or a token with offset and source', () => {
    const sources: unknown[] = []
    for (const text of ['a: b: c', 'a: "\\q"', 'a: [1', '"a', 'a: &x &y 1', '- a\nb: c', '\ta: 1', 'a: @b']) {
      compose(text, (source) => sources.push(source))
    }
    assert.ok(sources.length >= 8)
    for (const source of sources) {
      const isPlace =
        typeof source === 'number' ||
        (Array.isArray(source) && typeof source[0] === 'number' && typeof source[1] === 'number') ||
        typeof (source as { offset?: unknown }).offset === 'number'
      assert.ok(isPlace, JSON.stringify(source))
    }
  })

  test('names that occur twice, aliases and tags are left to the reader', () => {
    const { contents } = composed('a: &x 1\na: *x\nb: !t 2\n<<: 3')
    assert.ok(yaml.isMap(contents))
    const [first, second, third, merge] = contents.items
    assert.ok(yaml.isScalar(first?.value) && first.value.anchor === 'x')
    assert.ok(yaml.isAlias(second?.value) && second.value.source === 'x')
    assert.ok(yaml.isScalar(third?.value) && third.value.tag === '!t')
    assert.ok(yaml.isScalar(merge?.key) && merge.key.value === '<<' && merge.key.type === 'PLAIN')
  })

  test('a node has its range; a number its value and its source; a double-quoted text its value', () => {
    const { contents } = composed('a: 0x1F\nb: .inf\nc: "\\ud800"\nd: ~\ne: yes')
    assert.ok(yaml.isMap(contents))
    const [a, b, c, d, e] = contents.items.map(({ value }) => value as yaml.Scalar)
    assert.deepEqual([a?.value, a?.source, a?.range?.slice(0, 2)], [31, '0x1F', [3, 7]])
    assert.deepEqual([b?.value, b?.source], [Infinity, '.inf'])
    assert.deepEqual([c?.value, d?.value, e?.value], ['\ud800', null, 'yes'])
  })
})

describe('yaml: writing', () => {
  const options = { version: '1.2', schema: 'core', compat: 'yaml-1.1', lineWidth: 0 } as const

  test('`compat` quotes what YAML 1.1 reads as something else', () => {
    for (const text of ['yes', 'on', '0123', '12:30', '2026-01-01', '~']) {
      assert.equal(yaml.stringify({ a: text }, options), `a: "${text}"\n`)
    }
  })

  test('equal objects are written out, and long lines are not folded', () => {
    const same = { b: 1 }
    const written = yaml.stringify({ a: same, c: same }, { ...options, aliasDuplicateObjects: false })
    assert.equal(written, 'a:\n  b: 1\nc:\n  b: 1\n')
    const line = 'word '.repeat(100).trim()
    assert.equal(yaml.stringify({ a: line }, options), `a: ${line}\n`)
  })

  test('a custom tag with `default` writes what it identifies, without its tag', () => {
    const shout: yaml.ScalarTag = {
      tag: 'tag:yaml.org,2002:str',
      default: true,
      identify: (value) => value === 'hush',
      resolve: (text) => text,
      stringify: () => '"HUSH"',
    }
    assert.equal(
      yaml.stringify(['hush', 'x'], { ...options, customTags: (tags) => [shout, ...tags] }),
      '- "HUSH"\n- x\n',
    )
  })

  test('a document that is changed in one place keeps its comments', () => {
    const document = yaml.parseDocument('# top\na: 1 # one\nb: 2\n', { version: '1.2', schema: 'core' })
    document.setIn(['c', 'd'], 'x')
    assert.equal(document.toString({ lineWidth: 0 }), '# top\na: 1 # one\nb: 2\nc:\n  d: x\n')
  })

  test('setting a member behind an alias throws', () => {
    const document = yaml.parseDocument('a: &x\n  b: 1\nc: *x\n')
    assert.throws(() => document.setIn(['c', 'b'], 2))
  })
})
