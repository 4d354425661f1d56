import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { escapeHidden, shownText } from '../../src/document/shown-text.ts'
import { breachOfAnswer, redactAnswer } from '../../src/policy/constraints/check-answer.ts'
import type { ConstraintRule } from '../../src/policy/constraints/constraint-rule.ts'
import { findPii } from '../../src/policy/pii/find-pii.ts'
import { createRedactor } from '../../src/secret/redact.ts'

const label = (text: string) => escapeHidden(JSON.stringify(text))

const LINKS = [
  '![x](//evil.example/leak?d=1)',
  'ftp://a.b/c',
  'https:/x.y',
  'https:evil.example',
  'mailto:ada@x.y',
  '<img src=//evil/x>',
  'h\u200bttps://x.y',
  'ｈｔｔｐｓ://x.y',
  'evil.example/leak',
  'www.evil.example',
  '//evil.example/x',
  '//evil/leak?x',
  'see [x][1]\n\n[1]: //evil.example',
  '[1]: evil.example',
  '<https://x.y>',
  '<ada@x.y>',
  '[a](rel/path)',
  '[![a](u)](v)',
  'tel:+4912',
  'javascript:alert(1)',
  'data:text/html,x',
  'localhost:8080/x',
  '1.2.3.4/x',
  'https&#58;//x.y',
  'h<b></b>ttps://x.y',
  'https:\\/\\/x.y',
  '<a href="x">y</a>',
  '<svg><use xlink:href=x></svg>',
  'hxxp://x.y',
  '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '[x](<//evil>)',
  'url(//evil)',
  'https:\u2044\u2044x.y',
  'evil．example/x',
  'wss:evil.example',
  'evil.example:8080/x',
  '[x]:\n //evil.example/',
  'HTTPS://X.Y',
  'xn--a.xn--b1/x',
  'evil.example?d=1',
  '\\\\evil.example\\share',
  'http\u2236//x.y',
  '[a][b]\n\n   [b]: <//evil>',
  'custom:/x/y',
  '[x] (https://a.b)',
  'ht\\tps://a',
  'https%3A%2F%2Fevil.example%2Fx',
  'bit.ly/123',
  't.co/1',
  'evil.example/12',
  'see:evil.example/x',
  'gopher:evil.example',
  'bitcoin:1abc',
  'spotify:track:x',
  '<svg/onload=fetch("x")>',
  '<img alt=x onerror = "x()">',
  '<meta http-equiv=refresh content="0;url=x">',
  '<iframe srcdoc="x">',
  '@import "x.css"',
]

/** Ordinary texts without a link. */
const PROSE = [
  'ordinary prose. Next one',
  '1.5',
  'e.g. this',
  'e.g./i.e.',
  'file.txt and src/index.ts',
  '10:30',
  'Note: text',
  'a::b std::vector',
  'C:\\Users\\x',
  'C:/Users/x',
  'Node.js/Express',
  'and/or',
  '10.0.0.0/8',
  'see README.md#usage',
  'what is package.json?',
  'key:value',
  '{"a":1}',
  'm[0][1]',
  'array[i] (x)',
  '3:1 ratio',
  '// comment',
  'a//b',
  'TODO:fix',
  'ada@example.com',
  'etc. (see [1])',
  '[1] Smith',
  '[Bob]: Hello.',
  '[^1]: note',
  'x < y and y > z',
  'vector<int> a',
  'U.S./UK',
  '24/7',
  '5/3.2',
  '/etc/apt/sources.list.d/x',
  'http: the protocol',
  'The data: a, b',
  '"README.md?"',
  'tel: 5',
  'src/a.b/c',
  '50%/60%',
  'Ctrl+A',
  'use `ls -la`',
  'app.js?',
  '1/2',
  'v1.2/v1.3',
  '[x] done',
  'he said: "yes"',
  'docs/readme.md',
  'C++/CLI',
  'Q&A',
  'A&B; C',
  '5 % of it',
  '\\o/',
  '\\\\ twice',
  '¯\\_(ツ)_/¯',
  'size.width/2',
  'a.height/100',
  'v2.x/3',
  'about:config',
  'a::evil.ts/x',
  'on: off',
]

describe('answers without links', () => {
  const rule: ConstraintRule = { kind: 'format', format: 'no_links' }
  for (const text of LINKS) {
    test(`${label(text)} is a link, and is removed`, () => {
      assert.notEqual(breachOfAnswer(rule, text), null)
      const redacted = redactAnswer(rule, `See this:\n${text}\nand no more.`)
      assert.ok(redacted !== null && breachOfAnswer(rule, redacted) === null, redacted ?? 'null')
      assert.match(redacted, /\[removed\]/)
    })
  }
  for (const text of PROSE)
    test(`${label(text)} is no link`, () => assert.equal(breachOfAnswer(rule, text), null))
})

describe('answers without Markdown', () => {
  const rule: ConstraintRule = { kind: 'format', format: 'no_markdown' }
  for (const text of [
    '![](https://x)',
    '__bold__',
    '[x][1]',
    'Title\n=====',
    'Title\n---',
    'a | b\n--|--',
    '`x`',
    '<b>x</b>',
    '*x*',
    '_x_',
    '# a',
    '- a',
    '1. a',
    '**b**',
    '~~x~~',
    '***',
    '> q',
    '```\nx',
    '[a]: /x',
    '<https://a.b>',
    '~~~\nx',
    '\uff0a\uff0abold**',
    '\u200b# a',
    '\x1b[0m# T',
    '| a | b |',
  ])
    test(`${label(text)} is Markdown`, () => assert.notEqual(breachOfAnswer(rule, text), null))
  for (const text of [
    ...PROSE.filter((one) => !/`|^\[Bob|^\[\^1/.test(one)),
    ...[
      'snake_case_name and other_name',
      '2 * 3 * 4',
      '5*3',
      'a -- b',
      '#hashtag',
      'path/_private/x',
      'C# is',
    ],
    ...['-5 degrees', '*p = *q', "it's ~5", '5 > 3'],
  ])
    test(`${label(text)} is no Markdown`, () => assert.equal(breachOfAnswer(rule, text), null))
})

describe('answers of one line', () => {
  const rule: ConstraintRule = { kind: 'format', format: 'one_line' }
  for (const separator of [
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    '\u2029',
    '\u0085',
    '\v',
    '\f',
    ' \x1b[0m\n\t',
    '\x1b[E',
    '\x1b[2;1H',
    '\x1bD',
    '\x84',
  ]) {
    test(`${label(separator)} separates two lines, and is replaced by a space`, () => {
      assert.notEqual(breachOfAnswer(rule, `one${separator}two`), null)
      assert.equal(redactAnswer(rule, `one${separator}two`), 'one two')
    })
  }
  test('a line feed at the end and a tab do not', () =>
    assert.equal(breachOfAnswer(rule, 'one\ttwo\n'), null))
})

/** Ways to write "Project" and "Falcon" so that a person reads the words. */
const DISGUISES: readonly ((word: string) => string)[] = [
  (word) => `${word.slice(0, 4)}\x1b[0m${word.slice(4)}`,
  (word) => `${word.slice(0, 4)}\x9b31m${word.slice(4)}`,
  (word) => `${word.slice(0, 2)}\x1b]8;;https://x.example\x1b\\${word.slice(2)}\x1b]8;;\x07`,
  (word) => `${word.slice(0, 2)}\x1bPq\x1b\\${word.slice(2)}`,
  (word) => `${word.slice(0, 3)}\x1b]${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x00${word.slice(3)}`,
  ...[
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u17b4',
    '\u180b',
    '\u200b',
    '\u2060',
    '\u3164',
    '\ufe0f',
    '\uffa0',
  ].map((hidden) => (word: string) => [...word].join(hidden)),
  (word) => [...word].join('\u{e0041}'),
  (word) => [...word].map((letter) => `${letter}\u0332`).join(''),
  (word) => [...word].map((letter) => `${letter}\b${letter}`).join(''),
  (word) => `${word.slice(0, 3)}x\b${word.slice(3)}`,
  (word) => [...word].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join(''),
  (word) =>
    [...word].map((letter) => String.fromCodePoint(letter.toLowerCase().charCodeAt(0) + 0x1d3b9)).join(''),
  (word) => `${word.slice(0, 4)}&#8203;${word.slice(4)}`,
  (word) => `${word.slice(0, 4)}&shy;${word.slice(4)}`,
  (word) => `${word.slice(0, 4)}%E2%80%8B${word.slice(4)}`,
  (word) => `${word.slice(0, 4)}\\u200b${word.slice(4)}`,
  (word) => [...word].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  (word) => `${word.slice(0, 3)}\\${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<b></b>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<!-- > -->${word.slice(3)}`,
  (word) => `**${word.slice(0, 3)}**${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x1b[${'0;'.repeat(300)}m${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x1b[1\x00;1\x07m${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x1b[1\x18${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x1b]0;${'x'.repeat(3000)}\x07${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\x1b]0;a\nb\x07${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}xyz\x1b[3D${word.slice(3)}`,
  (word) => `x${word.slice(1)}\x1b[${word.length}D${word[0]}\x1b[${word.length - 1}C`,
  (word) => `[${word.slice(0, 3)}](x)${word.slice(3)}`,
  (word) => `![${word}](x)`,
  (word) => `[${word}][1]`,
  (word) => `~${word.slice(0, 3)}~${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<!x>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<?x?>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}</>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<!-- x --!>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<script>x</script>${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}<STYLE>x</style >${word.slice(3)}`,
  (word) => `${word.slice(0, 3)}\\e[0m${word.slice(3)}`,
  (word) => [...word].map((letter) => `&#0000000000${letter.charCodeAt(0)};`).join(''),
  (word) => [...word].map((letter) => `&${letter}scr;`).join(''),
  ...[0x249c, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6].map(
    (first) => (word: string) =>
      [...word.toLowerCase()]
        .map((letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
        .join('\u200b'),
  ),
  (word) => [...word.toLowerCase()].map((letter) => SMALL_CAPITALS[letter] ?? letter).join(''),
]

const SMALL_CAPITALS: Readonly<Record<string, string>> = {
  ...{ a: 'ᴀ', c: 'ᴄ', e: 'ᴇ', f: 'ꜰ', j: 'ᴊ', l: 'ʟ', n: 'ɴ', o: 'ᴏ', p: 'ᴘ', r: 'ʀ', t: 'ᴛ' },
}

describe('a forbidden phrase in disguise', () => {
  const rule: ConstraintRule = { kind: 'contains', phrase: 'Project Falcon', must: false }
  const texts = [
    ...DISGUISES.map((disguise) => `It is ${disguise('Project')} ${disguise('Falcon')}, I think.`),
    'Done.\x1b]0;Project Falcon\x07',
    'xxxxxxx Falcon\rProject',
    'Project\x1b[1CFalcon',
    'Project\u2800Falcon',
    'Project\u3164Falcon',
    'Project\u2028Falcon',
    'Project\x1b[8GFalcon',
    'Project\x1b[1;9HFalcon',
    'Project\x1b[EFalcon',
    'Project\x1bEFalcon',
    'Project\x1bDFalcon',
    'Project\x84Falcon',
    'Project<br>Falcon',
    '<td>Project</td><td>Falcon</td>',
    '> Project\n> Falcon',
  ]
  for (const text of texts) {
    test(`${label(text)} is found, and removed or withheld`, () => {
      assert.notEqual(breachOfAnswer(rule, text), null)
      const redacted = redactAnswer(rule, text)
      if (redacted !== null) assert.equal(breachOfAnswer(rule, redacted), null)
    })
  }
  for (const text of [
    'Projects and falcons',
    'the project of Falco',
    'Pro ject Falcon',
    'Project: Falcon',
    'Proj<br>ect Falcon',
    'Proj\x1b[Eect Falcon',
    'Project [1] Falcon',
    'Project a > Falcon',
  ])
    test(`${label(text)} does not hold it`, () => assert.equal(breachOfAnswer(rule, text), null))
  test('only the phrase is replaced', () => {
    assert.equal(redactAnswer(rule, 'Ａ: Proj\x1b[0mect  Falcon – ½ é'), 'Ａ: [removed] – ½ é')
  })
  test('a phrase that must be there must be visible', () => {
    const must: ConstraintRule = { kind: 'contains', phrase: 'not legal advice', must: true }
    assert.notEqual(breachOfAnswer(must, 'x\x1b]0;not legal advice\x07'), null)
    assert.notEqual(breachOfAnswer(must, '<!-- ot legal advice -->'), null)
    assert.equal(breachOfAnswer(must, 'This is NOT legal\u00a0advice'), null)
  })
})

/** Control characters, sequences, invisible characters and escapes, to be put between the characters of a text. */
const NOISE = [
  ...[
    '\x1b[0m',
    '\x1b[1',
    '\x1b]0;t\x07',
    '\x1b]',
    '\x1b',
    '\x9b',
    '\x9d',
    '\x9c',
    '\x07',
    '\b',
    '\x00',
    '\u200b',
  ],
  ...[
    '\u00ad',
    '\u3164',
    '\u034f',
    '\u{e0041}',
    '\ufe0f',
    '\u202e',
    '\u2066',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ],
]

describe('what the terminal shows was judged', () => {
  const random = randomNumbers(11)
  const noise = () => NOISE[Math.floor(random() * NOISE.length)] as string
  const disguised = (text: string) => [...text].map((character) => character + noise()).join('')
  const SECRET = 'zebra-quartz-71'
  const redactor = createRedactor(new Map([['CRM', SECRET]]))

  test('no forbidden phrase is read on the terminal that the gate did not find', () => {
    const rule: ConstraintRule = { kind: 'contains', phrase: 'Falcon', must: false }
    let shown = 0
    for (let n = 0; n < 3000; n++) {
      const text = `It is ${disguised('Falcon')}.`
      if (!shownText(text).includes('Falcon')) continue
      shown++
      assert.notEqual(breachOfAnswer(rule, text), null, label(text))
    }
    assert.ok(shown > 100)
  })

  test('no known secret is read on the terminal that the redactor did not find', () => {
    let shown = 0
    for (let n = 0; n < 3000; n++) {
      const text = `It is ${disguised(SECRET)}.`
      if (shownText(text).includes(SECRET)) shown++
      assert.ok(!shownText(redactor.text(text)).includes(SECRET), label(text))
    }
    assert.ok(shown > 30)
  })

  test('no address is read on the terminal that the finder did not find', () => {
    let shown = 0
    for (let n = 0; n < 3000; n++) {
      const text = `It is ${disguised('ada@example.com')} now`
      if (!shownText(text).includes('ada@example.com')) continue
      shown++
      const [first] = findPii(text)
      assert.ok(first !== undefined, label(text))
      const rest = shownText(text.slice(0, first.start) + text.slice(first.end))
      assert.ok(!rest.includes('ada@example.com'), label(text))
    }
    assert.ok(shown > 30)
  })
})
