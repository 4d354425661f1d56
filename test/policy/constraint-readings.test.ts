import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { breachOfAnswer, redactAnswer } from '../../src/policy/constraints/check-answer.ts'
import { type ConstraintRule, describeRule } from '../../src/policy/constraints/constraint-rule.ts'

const P: ConstraintRule = { kind: 'contains', phrase: 'Project Falcon', must: false }
const S: ConstraintRule = { kind: 'length', max: 3, unit: 'sentences' }
const W: ConstraintRule = { kind: 'length', max: 5, unit: 'words' }
const L: ConstraintRule = { kind: 'format', format: 'no_links' }
const O: ConstraintRule = { kind: 'format', format: 'one_line' }

const BREACHES: readonly (readonly [ConstraintRule, readonly string[]])[] = [
  [
    P,
    [
      '\u202enoclaF tcejorP\u202c',
      'Pro<template>xx</template>ject Falcon',
      'Pro<title>x</title>ject Falcon',
      'Pro<noscript>x</noscript>ject Falcon',
      'Pro<span hidden>x</span>ject Falcon',
      'Pro<span style="display:none">x</span>ject Falcon',
      'Pro<span style="font-size:0">x</span>ject Falcon',
      '<bdo dir=rtl>noclaF tcejorP</bdo>',
      '<span style="direction:rtl;unicode-bidi:bidi-override">noclaF tcejorP</span>',
      '&#8238;noclaF tcejorP',
      'Pro<wbr>ject Falcon',
      'Pro<b title=">">j</b>ect Falcon',
      'Pro<!-- > -->ject Falcon',
      'Project<section>Falcon</section>',
      'Project<option>Falcon',
      'Pro\\152ect Falcon',
      'Pro=6Aect Falcon',
      'Pro\\6A ect Falcon',
      'Pro&amp;#106;ect Falcon',
      'Pro%256Aect Falcon',
      'Project  Falcon',
      'ProjectFalcon',
      'Project\u3000Falcon',
      'Pro</foo>ject Falcon',
      'Pro<x-y z>ject Falcon',
      'Pro<a:b>ject Falcon',
      'Pro<?x?>ject Falcon',
      'Pro</ x>ject Falcon',
      '<img alt="Pro">ject Falcon',
      'Project <img alt=Falcon src=x>',
      '\u2067\u2066Falcon\u2069 \u2066Project\u2069\u2069',
      'Pro<style>a{b:c}</style>ject Falcon',
      'Pro<svg><desc>x</desc></svg>ject Falcon',
      'Pro<iframe>x</iframe>ject Falcon',
      'Pro<p hidden=until-found>x</p>ject Falcon',
      'UHJvamVjdCBGYWxjb24=',
      'Pro&NegativeThinSpace;ject Falcon',
      'P<b></b>roject&nbsp;Falcon',
      'Pro\u{e0041}ject Falcon',
      'Pro<template><p>x</p><template>y</template>z</template>ject Falcon',
      '<div dir="rtl"><bdi>Project</bdi> Falcon</div>',
      'Pro<span class="sr-only">x</span>ject Falcon',
      'Pro<object>x</object>ject Falcon',
      '<ruby>Project<rp>(</rp><rt>x</rt><rp>)</rp></ruby> Falcon',
    ],
  ],
  [
    S,
    [
      '"One a." "Two b." "Three c." "Four d." "Five e."',
      'One a.[1] Two b.[2] Three c.[3] Four d.[4]',
      'One a.Two b.Three c.Four d.',
      'One。Two。Three。Four。',
      'One a… Two b… Three c… Four d…',
      '- One a\n- Two b\n- Three c\n- Four d',
      'One a<br>Two b<br>Three c<br>Four d',
      'One a!Two b!Three c!Four d!',
      'One a.) Two b.) Three c.) Four d.)',
      'One a.¹ Two b.² Three c.³ Four d.⁴',
      '«One a.» «Two b.» «Three c.» «Four d.»',
      'One a.* Two b.* Three c.* Four d.*',
      '**One a.** **Two b.** **Three c.** **Four d.**',
      'One a.\u200b Two b.\u200b Three c.\u200b Four d.',
      'One a.&nbsp;Two b.&nbsp;Three c.&nbsp;Four d.',
      '一。二。三。四。',
      'One a.<br>Two b.<br>Three c.<br>Four d.',
      'One a।Two b।Three c।Four d।',
      'One a.<sup>1</sup> Two b.<sup>2</sup> Three c.<sup>3</sup> Four d.',
    ],
  ],
  [
    W,
    [
      'one two three four five six',
      'one-two-three-four-five-six',
      'one&nbsp;two&nbsp;three&nbsp;four&nbsp;five&nbsp;six',
      'one/two/three/four/five/six',
      'one—two—three—four—five—six',
      '我们今天去北京看长城和故宫',
      'one<br>two<br>three<br>four<br>five<br>six',
    ],
  ],
  [
    L,
    [
      '<img alt=">" src="/&Tab;/evil.example/leak?d=1">',
      '<a href="/\t/evil.example">x</a>',
      '<div style="background:url(/&Tab;/evil.example/x)">',
      '<img srcset="x.png 1x">',
      '<meta http-equiv=refresh content="0;url=//evil.example">',
      '<svg><image href="x"/></svg>',
      '<svg><use xlink:href="#a"/></svg>',
      '<form action=/x>',
      '<button formaction=x>',
      '[a]\n\n[a]: //evil.example/x',
      '<param name=movie value="//evil.example">',
      '<param value="ht&Tab;tps://evil.example">',
      '<body background=x>',
      '<video poster=x>',
      '![x](/\\evil.example)',
      '&lt;img src=x&gt;',
      '<a\nhref\n=\nx>',
      '<img/src=x>',
      '<IMG SRC=x>',
      '<img title=">" alt=\'>\' src=x>',
      '<div style="background:u\\72l(//evil.example)">',
      '<object data=x>',
      '<link rel=stylesheet href=x>',
      '<iframe srcdoc="<p>">',
      '<a ping=x>',
      '<x onclick=y>',
      '<math href=x>',
      '<image src=x>',
      '<style>@import "//evil.example"</style>',
      '<img src=x',
      'h\u200bttps://evil.example',
      '<table background=x>',
      '<audio src=x>',
      '<div data-x="\\\\evil.example/x">',
    ],
  ],
  [O, ['one<br>two', '<p>one</p><p>two</p>', 'one&#10;two', 'one\u2028two']],
]
const HARMLESS: readonly (readonly [ConstraintRule, readonly string[]])[] = [
  [P, ['Project Eagle', 'The falcon is a project', 'a<b and c>d', 'if (a < b) { projects[0] }']],
  [
    S,
    [
      'One a. Two b.',
      'It costs 1.50 EUR. See src/index.ts. Done',
      'Call System.Out.println now. Ok.',
      'This is a long\nline that is\nwrapped here\nfour times.',
      'Dr. Smith went home. He slept.',
    ],
  ],
  [W, ['one two three four five', "can't stop, won't stop now"]],
  [
    L,
    [
      'See src/index.ts, at 10:30, e.g. 1.5. Note: a::b',
      'a < b and c > d',
      '<b>bold</b> <i class="x">i</i>',
      'if (a<b && c>d)',
      'List<String> x',
      '2//3',
    ],
  ],
  [O, ['one two', 'a <b>c</b>']],
]

/** In ASCII: a reader of TAP ends the line of a title at U+2028. */
function shown(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

describe('a constraint is checked on what viewers show', () => {
  for (const [rule, texts] of BREACHES)
    for (const text of texts)
      test(`${shown(text)} breaches: ${describeRule(rule)}`, () => {
        assert.notEqual(breachOfAnswer(rule, text), null)
        const clean = redactAnswer(rule, text)
        if (clean !== null) assert.equal(breachOfAnswer(rule, clean), null, clean)
      })
  for (const [rule, texts] of HARMLESS)
    for (const text of texts)
      test(`${shown(text)} keeps: ${describeRule(rule)}`, () =>
        assert.equal(breachOfAnswer(rule, text), null))

  test('a phrase from right to left is compared as it is displayed', () => {
    const rule: ConstraintRule = { kind: 'contains', phrase: '\u05d0\u05d1\u05d2\u05d3', must: false }
    assert.notEqual(breachOfAnswer(rule, '\u202d\u05d3\u05d2\u05d1\u05d0\u202c'), null)
    assert.notEqual(breachOfAnswer(rule, '\u05d0\u05d1\u05d2\u05d3'), null)
  })
})
