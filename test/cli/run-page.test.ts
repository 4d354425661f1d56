import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { html, jsonBlock, raw } from '../../src/document/markup.ts'
import { DEFINITION, GO, MailModel, Place, ROOT, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

/** Text that a model, a tool or a person may write, and that must not become markup. */
const HOSTILE = `</style></pre><script>alert(1)</script><img src=x onerror=alert(2)> "x" 'y' & \u202e\x1b[31m`
/** Everything that the page itself uses. */
const TAGS = new Set(
  'html head meta title style body h1 h2 p span dl dt dd ol ul li time div details summary pre code table tbody tr th td section'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(['lang', 'charset', 'http-equiv', 'content', 'name', 'class', 'style'])

function assertHarmless(page: string): void {
  for (const [, tag = '', attributes = ''] of page.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/gi)) {
    assert.ok(TAGS.has(tag.toLowerCase()), `the page has the tag ${tag}`)
    for (const [, name = ''] of attributes.matchAll(/([a-z-]+)="[^"]*"/g))
      assert.ok(ATTRIBUTES.has(name), `the page has the attribute ${name}`)
  }
  const style = page.slice(page.indexOf('<style>'), page.indexOf('</style>'))
  const rest = page.replace(style, '').replaceAll(/<[^<>]*>/g, '')
  assert.ok(!/[<>]/.test(rest.replace('doctype html', '')), 'no other markup')
  assert.ok(!/url\(|@import|https?:/.test(style), 'the style loads nothing')
  assert.ok(!page.includes('\u202e') && !page.includes('\x1b'), 'no hidden characters')
}

describe('runs export --html', () => {
  test('is one page without scripts and references, whatever the texts of the run say', async (t) => {
    const { agent } = DEFINITION
    const place = new Place(t, {
      ...DEFINITION,
      agent: { ...agent, name: HOSTILE, goal: HOSTILE, constraints: [HOSTILE], compliance: {} },
    })
    model.script({ answer: HOSTILE, args: JSON.stringify({ to: HOSTILE }) })
    const go = [...GO.slice(0, -1), HOSTILE]
    const ran = await waybill(place, [...go, ...model.flags, '--user', HOSTILE, '--json'])
    assert.equal(ran.code, 0, ran.err)
    const said = await waybill(place, [
      'runs',
      'export',
      'last',
      '--html',
      '-o',
      join(place.folder, 'run.html'),
    ])
    assert.equal(said.code, 0, said.err)
    const page = readFileSync(join(place.folder, 'run.html'), 'utf8')
    assertHarmless(page)
    assert.match(page, /default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;/)
    assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), 'the text itself is shown')
    for (const part of ['completed', JSON.parse(ran.out).run_id, 'Timeline', 'send_mail', 'custom/x'])
      assert.ok(page.includes(part), part)
    assert.equal(statSync(join(place.folder, 'run.html')).mode & 0o777, 0o600)
  })

  test('shows an open question, and the error of a failed run', async (t) => {
    const place = new Place(t)
    model.script()
    await waybill(place, [...GO, ...model.flags])
    const page = (await waybill(place, ['runs', 'export', 'last', '--html'])).out
    assert.match(page, /Waits for a person/)
    assert.match(page, /<pre>\{\n {2}&quot;to&quot;: &quot;ada&quot;\n\}<\/pre>/)
    const failed = await waybill(place, [
      ...GO.slice(0, -2),
      '--input',
      'Go',
      '--model',
      'custom/x',
      '--base-url',
      'http://127.0.0.1:9/v1',
    ])
    assert.equal(failed.code, 3)
    const after = (await waybill(place, ['runs', 'export', 'last', '--html'])).out
    assert.match(after, /<h2 class="bad">MODEL_UNAVAILABLE|<h2 class="bad">NO_ROUTE/)
  })

  test('has a part for each sub-agent, at every depth', async (t) => {
    const place = new Place(t)
    const desk = join(ROOT, 'examples/newsroom/desk.yaml')
    await waybill(place, ['run', desk, '--rehearse', '--input', 'The bridge opens in May.'])
    const page = (await waybill(place, ['runs', 'export', 'last', '--html'])).out
    const names = [...page.matchAll(/Sub-agent ([^<]*)<\/p>/g)].map(([, name]) => name)
    assert.equal(names.length, (await place.runIds()).length - 1)
    assert.ok(
      ['report', 'check', 'first reader', 'write', 'editor'].every((name) => names.includes(name)),
      names.join(),
    )
  })

  test('says of a rehearsal that it is one', async (t) => {
    const place = new Place(t)
    await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go'])
    const page = (await waybill(place, ['runs', 'export', 'last', '--html'])).out
    assert.match(page, /class="banner">Rehearsal: /)
    const { agent } = DEFINITION
    const real = new Place(t, { ...DEFINITION, agent: { ...agent, compliance: {} } })
    model.script()
    await waybill(real, [...GO, ...model.flags])
    assert.doesNotMatch((await waybill(real, ['runs', 'export', 'last', '--html'])).out, /class="banner"/)
  })
})

describe('markup', () => {
  test('escapes values, and keeps markup', () => {
    const part = html`<b title="${`"'<>&`}">${1}${[html`<i>`, html`</i>`]}</b>`
    assert.equal(part.markup, '<b title="&quot;&#39;&lt;&gt;&amp;">1<i></i></b>')
    assert.equal(html`${raw('<hr>')}`.markup, '<hr>')
    assert.equal(jsonBlock(undefined).markup, '<pre>null</pre>')
    assert.equal(jsonBlock({ a: '<' }).markup, '<pre>{\n  &quot;a&quot;: &quot;&lt;&quot;\n}</pre>')
  })
})
