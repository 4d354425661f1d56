import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { markupIn } from '../../src/document/markup-tags.ts'
import { shownMarkup } from '../../src/document/shown-markup.ts'

const written = (text: string) => markupIn(text).map(({ start, end }) => text.slice(start, end))

describe('HTML: tags and comments are found as a browser finds them', () => {
  for (const [text, tags] of [
    ['a<b>c</b>', ['<b>', '</b>']],
    ['<img alt=">" src=x>y', ['<img alt=">" src=x>']],
    ["<a title='>\"'>", ["<a title='>\"'>"]],
    ['<a b=c>d>', ['<a b=c>']],
    ['<br/><x-y z>', ['<br/>', '<x-y z>']],
    ['a < b and <3', []],
    ['<!-- > --><!--> x <!---> y', ['<!-- > -->', '<!-->', '<!--->']],
    ['<?xml?></ x><!doctype html>', ['<?xml?>', '</ x>', '<!doctype html>']],
    ['<script>if (a<b) "<i>"</script><i>', ['<script>', '</script>', '<i>']],
    ['<title><b></title><b>', ['<title>', '</title>', '<b>']],
  ] as const)
    test(text, () => assert.deepEqual(written(text), tags))

  test('attributes have names in lower case and values without quotes', () => {
    assert.deepEqual(markupIn('<A HREF = "x" b=c/d e f=\'g h\'>')[0]?.attributes, [
      { name: 'href', value: 'x' },
      { name: 'b', value: 'c/d' },
      { name: 'e', value: '' },
      { name: 'f', value: 'g h' },
    ])
  })
})

describe('markup is shown as viewers show it', () => {
  for (const [text, shown] of [
    ['Pro<template>a<p>b</p></template>ject', 'Project'],
    ['Pro<template>a<template>b</template>c</template>ject', 'Project'],
    ['Pro<i hidden>x</i>ject', 'Project'],
    ['Pro<i style="display : none">x</i>ject', 'Project'],
    ['Pro<noscript>x</noscript>ject', 'Project'],
    ['Pro<p hidden>x</p>ject', 'Project'],
    ['<img alt="Pro">ject', 'Project'],
    ['one<section>two', 'one\ntwo'],
    ['Pro<wbr>je<b></b>ct', 'Project'],
    ['a **b** [c](d) \\e', 'a b c e'],
  ] as const)
    test(`${text} as ${JSON.stringify(shown)}`, () =>
      assert.ok(
        shownMarkup(text).some((reading) => reading.text === shown),
        JSON.stringify(shownMarkup(text).map((one) => one.text)),
      ))

  test('hidden elements are shown in one reading, because not every viewer hides them', () => {
    assert.ok(shownMarkup('a<i hidden>b</i>c').some((reading) => reading.text === 'abc'))
    assert.ok(shownMarkup('a<template>b').some((reading) => reading.text === 'ab'))
  })

  test('directions of elements become characters of UAX #9', () => {
    assert.ok(shownMarkup('<bdo dir=rtl>cba</bdo>').some((reading) => reading.text === '\u202ecba\u202c'))
  })
})
