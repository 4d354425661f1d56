import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { argumentsLine, jsonText, plainLine, plainText } from '../../src/cli/terminal/plain-text.ts'
import { mixedWords } from '../../src/document/mixed-scripts.ts'
import { renderedReadingsOf } from '../../src/document/seen-text.ts'
import { showStream } from '../../src/document/shown-text.ts'
import { breachOfAnswer, redactAnswer } from '../../src/policy/constraints/check-answer.ts'
import { type ConstraintRule, describeRule } from '../../src/policy/constraints/constraint-rule.ts'
import { destinationsIn, isDestination } from '../../src/policy/destination/destination.ts'
import { createPiiFinder } from '../../src/policy/pii/find-pii.ts'
import { findSecrets } from '../../src/secret/find-secrets.ts'
import { createRedactor } from '../../src/secret/redact.ts'
import { redactStream } from '../../src/session/redact-stream.ts'

const RULES: readonly ConstraintRule[] = [
  { kind: 'contains', phrase: 'Project Falcon', must: false },
  { kind: 'contains', phrase: 'not legal advice', must: true },
  { kind: 'format', format: 'json' },
  { kind: 'format', format: 'one_line' },
  { kind: 'format', format: 'lower_case' },
  { kind: 'format', format: 'no_markdown' },
  { kind: 'format', format: 'no_links' },
  { kind: 'length', max: 5, unit: 'characters' },
  { kind: 'length', max: 5, unit: 'words' },
  { kind: 'length', max: 5, unit: 'sentences' },
  { kind: 'length', max: 5, unit: 'lines' },
]
const redactor = createRedactor(
  new Map([
    ['CRM', 'zebra-quartz-71'],
    ['VAULT', 'correct horse battery'],
  ]),
)
const findPii = createPiiFinder({ names: true, patterns: [{ name: 'badge', regex: 'B-\\d{4}' }] })

const GATES: Readonly<Record<string, (text: string) => unknown>> = {
  'the readings of a text': renderedReadingsOf,
  ...Object.fromEntries(
    RULES.map((rule) => [
      `the constraint "${describeRule(rule)}"`,
      (text: string) => [breachOfAnswer(rule, text), redactAnswer(rule, text)],
    ]),
  ),
  'the finder of personal data': (text) => findPii(text),
  'the redactor of secrets': (text) => redactor.text(text),
  'the finder of secrets': (text) => findSecrets({ password: text, note: text }),
  'the finder of destinations': (text) => destinationsIn(text),
  'the test for a destination': (text) => isDestination(text),
  'text for the terminal': plainText,
  'a line for the terminal': (text) => plainLine(text),
  'JSON for the terminal': (text) => jsonText(text),
  'arguments for the terminal': (text) => argumentsLine({ text }),
  'words of mixed scripts': mixedWords,
  'streamed text for the terminal': (text) =>
    inPieces(
      text,
      showStream(() => {}),
    ),
  'streamed text without secrets': (text) =>
    inPieces(
      text,
      redactStream(redactor, () => {}),
    ),
}

function inPieces(text: string, stream: { push(delta: string): void; flush(): void }): void {
  for (let at = 0; at < text.length; at += 64) stream.push(text.slice(at, at + 64))
  stream.flush()
}

/** Characters and sequences that begin, continue or end what a gate searches for. */
const AWKWARD: readonly string[] = [
  ...[
    '<!',
    '<?',
    '<!--',
    '<script ',
    '<p ',
    '<p "',
    '](',
    '][',
    '~a',
    '> ',
    '&#0',
    '&#x0',
    '\\1',
    '\\e[',
    'a~',
  ],
  ...[
    '\x1b[1D',
    '\x1b[1G',
    '\x1b[C',
    '\x1b[H',
    '\x9d\n',
    '\x1b[0\0',
    '\x18',
    'a.b/1 ',
    'a.bc/',
    '@import ',
    '\u{1f170}',
  ],
  ...[
    '[',
    ']',
    '(',
    '<',
    '{',
    '\\',
    '/',
    '|',
    '*',
    '_',
    '`',
    '~',
    '#',
    '=',
    '-',
    '+',
    '.',
    ',',
    ':',
    '@',
    '!',
    '"',
  ],
  ...[
    "'",
    '%',
    '&',
    '&#',
    '0',
    '9 ',
    '1-',
    '1.',
    'a',
    'A',
    'a.',
    'a@',
    'a@a.',
    'a-',
    'a:',
    'a_',
    'a/',
    'Aa ',
  ],
  ...[' ', '\t', '\n', '\r', '\r\n', '\v', '\b', '\x1b', '\x1b]', '\x1b[', '\x9b', '\x9d', '\x07', '\u2028'],
  ...[
    '\u200b',
    '\u200d',
    '\u00ad',
    '\ufe0f',
    '\u3164',
    '\u0301',
    '\u0301\u0316',
    '\ud800',
    '\u{e0041}',
    'é',
    '日',
  ],
  ...[
    '[a](',
    '![',
    '[a]:',
    '<a ',
    '<!--',
    '</',
    'http:',
    'www.',
    '//',
    '__a',
    '_a',
    '**a',
    '`a',
    '%41',
    '&#65;',
  ],
  ...[
    '\\u0041',
    '\\n',
    'Bearer ',
    'sk-',
    'eyJ',
    '://',
    '?key=',
    '-----BEGIN ',
    'a at ',
    '(at) ',
    '1:',
    'DE00',
    'a\n-',
  ],
  ...[
    'Mr. ',
    'Aa-',
    'x\b',
    'ｚ',
    '1e',
    '\x1b]8;;',
    'a ',
    '. ',
    '"a',
    '[1',
    'a b',
    '::',
    'ffff:',
    '[[',
    '+1 ',
    'a1',
  ],
  // Turned text, elements, and codes.
  ...[
    '\u202e',
    '\u2067a',
    '\u2068',
    '\u2069',
    '\u05d0 1',
    '<a b="',
    "<a b='>",
    '<template>',
    '<bdo dir=rtl>',
    '</b>',
  ],
  ...[
    '7a:',
    '0x7a, ',
    '122, ',
    '\\141',
    '\\7a ',
    '=41',
    '=\n',
    'QUJD',
    'QUJDREVGR0hJSktM\n',
    '01111010 ',
    '%2541',
    '!a',
  ],
]

/** The parts to repeat: all, or a random sample of this number. */
const SAMPLE = Number(process.env.GATE_SAMPLE ?? AWKWARD.length)
const PARTS = AWKWARD.map((part) => ({ part, order: SAMPLE < AWKWARD.length ? Math.random() : 0 }))
  .sort((a, b) => a.order - b.order)
  .slice(0, SAMPLE)
  .map(({ part }) => part)

/** Returns the CPU time in milliseconds. */
function cost(gate: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage()
  gate(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function least(gate: (text: string) => unknown, text: string): number {
  return Math.min(...[1, 2, 3].map(() => cost(gate, text)))
}

/** Garbage collection and compilation cost this much at any size, in milliseconds. */
const NOISE = 40

/** Characters of a text. `npm run test:gates` takes 1 MB, and a sample of the parts with `GATE_SAMPLE=20`. */
const LARGE = Number(process.env.GATE_TEXT_SIZE ?? 16 * 1024)
/** Of a text that is measured first: a quadratic gate would take hours for 1 MB. */
const SMALL = Math.min(16 * 1024, LARGE / 4)

/** Four times the text may take six times the time, but not sixteen times. */
function assertRatio(gate: (text: string) => unknown, quarter: string, whole: string, fails: string): void {
  if (cost(gate, whole) <= NOISE) return
  // Other processes change what the caches hold between two measurements.
  const holds = () => least(gate, whole) <= least(gate, quarter) * 6 + NOISE
  assert.ok(holds() || holds() || holds(), fails)
}

describe('every gate takes time in proportion to the text', () => {
  for (const [name, gate] of Object.entries(GATES)) {
    test(name, () => {
      for (const part of PARTS) {
        const of = (size: number) => part.repeat(Math.ceil(size / part.length))
        const fails = `${JSON.stringify(part)} repeated`
        const whole = of(LARGE)
        if (LARGE > SMALL * 4) assertRatio(gate, of(SMALL), of(SMALL * 4), fails)
        assertRatio(gate, of(LARGE / 4), whole, fails)
      }
    })
  }
})
