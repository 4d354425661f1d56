import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { MarkdownStream } from '../../../src/cli/terminal/markdown/markdown-stream.ts'
import { PlainStream } from '../../../src/cli/terminal/markdown/plain-stream.ts'

/** Returns what a text shows that arrives in pieces of `size` characters, in a window of `columns`. */
function shown(source: string, { size = source.length, columns = 40 } = {}): string {
  let out = ''
  const stream = new MarkdownStream(
    (text) => {
      out += text
    },
    () => columns,
  )
  for (let at = 0; at < source.length; at += size) stream.push(source.slice(at, at + size))
  stream.end()
  return out
}

const plain = (source: string, options = {}) => stripVTControlCharacters(shown(source, options))

const DOCUMENT = `# Title *x*

Intro with **bold text** and \`code\`, a [link](https://x.io), 2 * 3, snake_case and an [open bracket that has no end.
Second line _em_ here.

- one
- two **b
  over** lines and so many words that they need a second line
  - nested
- [ ] task
1. first

   part of first
2. second

\`\`\`js
const a = 1   // **no**

\`\`\`
| a | b |
|---|--:|
| 1 | **22** |

> quoted text
> more

---
End <b>x</b> 5 ~ 6 \\*esc\\*`

describe('Markdown on a terminal', () => {
  const cases: readonly (readonly [name: string, source: string, shown: string])[] = [
    ['a heading', '## Next *steps* ##', '\x1b[1m\x1b[36mNext \x1b[3msteps\x1b[23m\x1b[39m\x1b[22m\n'],
    ['strong text', 'a **b c** d', 'a \x1b[1mb c\x1b[22m d\n'],
    ['emphasis', 'a *b* _c_', 'a \x1b[3mb\x1b[23m \x1b[3mc\x1b[23m\n'],
    ['deleted text', '~~a~~', '\x1b[9ma\x1b[29m\n'],
    ['code in a line', 'a `**b**`', 'a \x1b[36m**b**\x1b[39m\n'],
    ['a link with its address', '[a](https://b.c)', 'a (\x1b[4mhttps://b.c\x1b[24m)\n'],
    ['a link with emphasis', '[**a**](https://b.c)', '\x1b[1ma\x1b[22m (\x1b[4mhttps://b.c\x1b[24m)\n'],
    ['an entity as text', '&#27;[2J &amp;', '&#27;[2J &amp;\n'],
    ['a link that is its address', 'https://b.c', '\x1b[4mhttps://b.c\x1b[24m\n'],
    ['a mail address', 'ada@b.com', '\x1b[4mada@b.com\x1b[24m\n'],
    ['an image', '![a](https://b.c)', 'a (\x1b[4mhttps://b.c\x1b[24m)\n'],
    ['an escape', '\\*a\\*', '*a*\n'],
    ['a tag as text', '<b>a</b>', '<b>a</b>\n'],
    ['a quote', '> a\n> b', '\x1b[2m│\x1b[22m a\n\x1b[2m│\x1b[22m b\n'],
    [
      'a code block',
      '```js\na\n  b\n```\nc',
      '  \x1b[2mjs\x1b[22m\n  \x1b[36ma\x1b[39m\n  \x1b[36m  b\x1b[39m\nc\n',
    ],
    ['a code block of tildes', '~~~\n```\n~~~\nc', '  \x1b[36m```\x1b[39m\nc\n'],
    ['a code block without end', '```\na', '  \x1b[36ma\x1b[39m\n'],
    ['a rule', '---', `\x1b[2m${'─'.repeat(39)}\x1b[22m\n`],
  ]
  for (const [name, source, expected] of cases) {
    test(name, () => {
      assert.equal(shown(source), expected)
      assert.equal(shown(source, { size: 1 }), expected)
    })
  }

  test('lists keep their numbers, their depth and the tasks', () => {
    assert.equal(plain('- a\n  * b\n+ [x] c\n3. d\n4) e'), '• a\n  • b\n• [x] c\n3. d\n4) e\n')
  })

  test('what looks like a block but is not stays text', () => {
    for (const source of ['#tag', '-dash', '*', '2024', '3.14 is pi', '``a', '~5', '1.', '+1', '|', '_x'])
      assert.equal(plain(source), `${source}\n`, source)
  })

  test('a table has aligned columns; a wide one becomes a list', () => {
    const table = '| item | n |\n|---|--:|\n| tea | 5 |\n| coffee | 12 |'
    assert.equal(plain(table), 'item     n\n──────  ──\ntea      5\ncoffee  12\n')
    assert.equal(plain(table, { columns: 10 }), '• item:\ntea\n  n: 5\n• item:\ncoffee\n  n: 12\n')
    assert.equal(plain('| no table |\ntext'), '| no table |\ntext\n')
  })

  test('lines break between words, and further lines are indented', () => {
    assert.equal(plain('aa bbb cccc', { columns: 7 }), 'aa bbb\ncccc\n')
    assert.equal(plain('- aa bbb cccc', { columns: 9 }), '• aa bbb\n  cccc\n')
    assert.equal(plain('a unbreakable b', { columns: 6 }), 'a\nunbreakable\nb\n')
    // The first word of a block stays beside its bullet.
    assert.equal(plain('- unbreakable b', { columns: 6 }), '• unbreakable\n  b\n')
    assert.equal(plain('unbreakable b', { columns: 6 }), 'unbreakable\nb\n')
    assert.equal(plain('日本 日本', { columns: 6 }), '日本\n日本\n')
  })

  test('the result is the same, however the text is divided', () => {
    const whole = shown(DOCUMENT)
    for (const size of [1, 2, 3, 5, 7, 11, 100])
      assert.equal(shown(DOCUMENT, { size }), whole, `size ${size}`)
  })

  test('no word is lost', () => {
    const words = plain(DOCUMENT, { size: 1 }).split(/\s+/)
    for (const word of [
      'bracket',
      'end.',
      'nested',
      'task',
      'part',
      'a',
      '22',
      'quoted',
      '<b>x</b>',
      '*esc*',
    ])
      assert.ok(words.includes(word), word)
  })

  test('it only appends: no output contains a code that moves the cursor or erases', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only SGR codes may be there.
    const rest = shown(DOCUMENT, { size: 1 }).replaceAll(/\x1b\[\d+m/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
    assert.doesNotMatch(rest, /[\x00-\x09\x0b-\x1f\x7f]/)
  })

  test('words are shown before their paragraph ends, unless a marker is open', () => {
    let out = ''
    const stream = new MarkdownStream(
      (text) => {
        out += text
      },
      () => 80,
    )
    stream.push('one two thr')
    assert.equal(out, 'one two')
    stream.push('ee **bo')
    assert.equal(out, 'one two three')
    stream.push('ld here** x')
    assert.equal(out, 'one two three \x1b[1mbold here\x1b[22m')
    stream.push(` [open ${'word '.repeat(500)}`)
    assert.match(out, /\[open word/)
  })

  test('a text after another does not continue it', () => {
    let out = ''
    const stream = new MarkdownStream(
      (text) => {
        out += text
      },
      () => 80,
    )
    for (const text of ['```\na', '**b**', '| c |']) {
      stream.push(text)
      stream.end()
    }
    assert.equal(out, '  \x1b[36ma\x1b[39m\n\x1b[1mb\x1b[22m\n| c |\n')
  })

  test('without colour the text stays as it is, with breaks between words', () => {
    let out = ''
    const stream = new PlainStream(
      (text) => {
        out += text
      },
      () => 10,
    )
    for (const character of '  **a** bb cccc\n\n- d') stream.push(character)
    stream.end()
    assert.equal(out, '  **a** bb\ncccc\n\n- d\n'.replace('**a** bb\ncccc', '**a**\nbb cccc'))
  })
})
