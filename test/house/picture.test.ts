import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { AGENT, firstMinute, PICTURE } from '../../scripts/picture/first-minute.ts'
import { terminalSvg } from '../../scripts/picture/terminal-svg.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the picture of the README', () => {
  test('is what the program prints today; else run `npm run picture`', async () => {
    assert.equal(readFileSync(PICTURE, 'utf8'), await firstMinute())
  })

  test('shows the agent of the README, which has twelve lines', () => {
    const agent = readFileSync(AGENT, 'utf8')
    assert.ok(README.includes(`\`\`\`yaml\n${agent}\`\`\``))
    assert.equal(agent.trimEnd().split('\n').length, 12)
  })

  test('is shown in the README', () => {
    assert.ok(README.includes('](docs/images/first-minute.svg)'))
  })
})

describe('a terminal as SVG', () => {
  const draw = (text: string, columns = 20) => terminalSvg(text, { columns, title: 'a <title>' })
  const texts = (svg: string) =>
    [...svg.matchAll(/<tspan x="([\d.]+)"([^>]*)>([^<]*)/g)].map(([, x, c, t]) => [x, c, t])

  test('escapes what could be read as markup', () => {
    const svg = draw('<script> & "x"')
    assert.ok(svg.includes('&lt;script&gt; &amp; &quot;x&quot;'))
    assert.ok(svg.includes('a &lt;title&gt;'))
    assert.ok(!svg.includes('<script'))
  })

  test('gives each colour its class, and its place in the line', () => {
    assert.deepEqual(texts(draw('ab\x1b[32mok\x1b[0mcd')), [
      ['20.0', '', 'ab'],
      ['36.9', ' class="good"', 'ok'],
      ['53.7', '', 'cd'],
    ])
  })

  test('breaks a long line at a space, and a long word where the window ends', () => {
    assert.deepEqual(
      texts(draw('one two three four five', 20)).map(([, , text]) => text),
      ['one two three four', '  five'],
    )
    assert.deepEqual(
      texts(draw('x'.repeat(25), 20)).map(([, , text]) => text),
      ['x'.repeat(20), `  ${'x'.repeat(5)}`],
    )
  })
})
