import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { escapeMarkup } from '../../src/document/escape-markup.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { docsPage } from '../../src/server/docs-page/docs-page.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { serveFake } from './served.ts'

const VOID: readonly string[] = ['meta', '!doctype']
const LANDMARKS: readonly string[] = ['header', 'nav', 'main']
/** Nothing that runs, loads, or takes input. */
const TAGS: readonly string[] =
  'html head title style body header nav main section article h1 h2 h3 h4 p ul li a code pre span div'.split(
    ' ',
  )

interface Described extends JsonObject {
  readonly operationId: string
  readonly summary: string
}

async function served(t: TestContext) {
  const { send } = await serveFake(t, { furtherOperations: OPENAI_OPERATIONS })
  const openapi = (await send('GET', '/openapi.json')).json as JsonObject
  const page = await send('GET', '/docs')
  assert.equal(page.status, 200, page.text)
  const operations = Object.entries(openapi.paths as Record<string, Record<string, Described>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )
  return { send, page, operations, openapi }
}

/** Reads a page strictly: each element is closed, in order. */
function elementsOf(markup: string) {
  const open: string[] = []
  const elements: {
    readonly name: string
    readonly attributes: string
    readonly within: readonly string[]
  }[] = []
  const texts: { readonly text: string; readonly within: readonly string[] }[] = []
  let at = 0
  for (const found of markup.matchAll(/<(\/?)(!?[a-z][a-z0-9]*)([^<>]*)>/g)) {
    const [whole, end, name = '', attributes = ''] = found
    const text = markup.slice(at, found.index)
    if (text.trim() !== '') texts.push({ text, within: [...open] })
    at = found.index + whole.length
    if (end === '/') assert.equal(open.pop(), name, markup.slice(found.index - 100, at))
    else {
      elements.push({ name, attributes, within: [...open] })
      if (!VOID.includes(name)) open.push(name)
    }
  }
  assert.deepEqual(open, [])
  for (const { text, within } of texts) if (!within.includes('style')) assert.doesNotMatch(text, /[<>]/)
  return { elements, texts }
}

const attributesOf = (elements: ReturnType<typeof elementsOf>['elements'], name: string) =>
  elements.flatMap(({ attributes }) => {
    const value = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]
    return value === undefined ? [] : [value]
  })

describe('WCAG 2.2: the page /docs', () => {
  test('has a language, a title, landmarks around all texts, and headings without gaps', async (t) => {
    const { page } = await served(t)
    const { elements, texts } = elementsOf(page.text)
    assert.match(page.text, /^<!doctype html>\n<html lang="en">/)
    for (const name of ['title', 'h1', ...LANDMARKS])
      assert.equal(elements.filter((element) => element.name === name).length, 1, name)
    assert.match(page.text, /<nav aria-label="\w+">/)
    for (const { text, within } of texts)
      assert.ok(within.includes('head') || within.some((name) => LANDMARKS.includes(name)), text)
    const levels = elements.flatMap(({ name }) => /^h(\d)$/.exec(name)?.[1] ?? []).map(Number)
    assert.equal(levels[0], 1)
    for (const [index, level] of levels.entries()) assert.ok(level <= (levels[index - 1] ?? 0) + 1)
  })

  test('has unique ids, links and labels that lead to them, and no nested control', async (t) => {
    const { page } = await served(t)
    const { elements } = elementsOf(page.text)
    const ids = attributesOf(elements, 'id')
    assert.equal(new Set(ids).size, ids.length)
    const links = attributesOf(elements, 'href')
    assert.ok(links.length > 100)
    for (const link of links) assert.ok(link === '/openapi.json' || ids.includes(link.slice(1)), link)
    for (const label of attributesOf(elements, 'aria-labelledby')) assert.ok(ids.includes(label), label)
    for (const { name, within } of elements) if (name === 'a') assert.ok(!within.includes('a'))
    for (const { name, within } of elements) if (name === 'li') assert.equal(within.at(-1), 'ul')
  })

  test('needs no script and no other file: its policy permits only its own style', async (t) => {
    const { page, send } = await served(t)
    const { elements } = elementsOf(page.text)
    for (const { name, attributes } of elements) {
      assert.ok(TAGS.includes(name) || VOID.includes(name), name)
      assert.doesNotMatch(attributes, / (?:on\w+|style|src)=/)
    }
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page.text) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    assert.equal(
      page.headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    assert.doesNotMatch(style, /url\(|@import/)
    assert.match(String(page.headers['content-type']), /^text\/html; charset=utf-8/)
    const former = await send('GET', '/docs/')
    assert.equal(former.status, 308)
    assert.equal(former.headers.location, '/docs')
  })

  test('shows each operation with its parameters, roles, scopes, answers and an example', async (t) => {
    const { page, operations } = await served(t)
    const articles = new Map(
      page.text.split('<article aria-labelledby="').map((part) => [part.split('"')[0] ?? '', part]),
    )
    assert.ok(operations.length > 100)
    for (const { method, path, described } of operations) {
      const part = articles.get(`op-${described.operationId}`) ?? assert.fail(described.operationId)
      assert.ok(part.includes(`${method.toUpperCase()} ${path}`))
      for (const { name } of described.parameters as { name: string }[])
        assert.ok(part.includes(`<code>${name}</code> in `), `${path} ${name}`)
      for (const status of Object.keys(described.responses as JsonObject)) assert.ok(part.includes(status))
      const scopes = (described['x-scopes'] ?? []) as readonly string[]
      assert.equal(scopes.length === 0, described.security !== undefined)
      for (const name of [...scopes, ...((described['x-roles'] ?? []) as readonly string[])])
        assert.ok(part.includes(name), `${path} ${name}`)
      assert.match(part, /<pre>curl /)
    }
  })

  test('each example is one command of a shell, with a body that has what is required', async (t) => {
    const { page, operations } = await served(t)
    const examples = [...page.text.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, text = '']) => text)
    assert.equal(examples.length, operations.length)
    const unescaped = examples.map((text) =>
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    )
    const script = `curl() { for part; do printf '%s\\037' "$part"; done; printf '\\036'; }\n${unescaped.join('\n')}\n`
    const env = { WAYBILL_URL: 'http://localhost:4400', WAYBILL_TOKEN: 'secret token' }
    const calls = execFileSync('/bin/sh', ['-euc', script], { env, encoding: 'utf8' })
      .split('\x1e')
      .slice(0, -1)
    assert.equal(calls.length, operations.length)
    let bodies = 0
    for (const call of calls) {
      const words = call.split('\x1f')
      const url = words.find((word) => word.startsWith('http://localhost:4400/')) ?? assert.fail(call)
      const upper = words[words.indexOf('-X') + 1] ?? ''
      const method = words.includes('-X') ? upper.toLowerCase() : 'get'
      const { described } =
        operations.find(
          (one) =>
            one.method === method &&
            one.path.replaceAll(/\{(\w+)\}/g, (_, name) => name.toUpperCase()) === new URL(url).pathname,
        ) ?? assert.fail(call)
      assert.equal(words.includes('Authorization: Bearer secret token'), described.security === undefined)
      const sent = words[words.indexOf('-d') + 1] ?? ''
      if (!words.includes('-d')) continue
      bodies++
      const { content } = described.requestBody as {
        content: Record<string, { schema: { required?: string[] } }>
      }
      for (const name of content['application/json']?.schema.required ?? [])
        assert.ok(Object.hasOwn(JSON.parse(sent), name), `${call} ${name}`)
    }
    assert.ok(bodies > 30, String(bodies))
  })

  test('texts of the document are never markup', async (t) => {
    const { openapi } = await served(t)
    const hostile = `"'><script>alert(1)</script>&amp;`
    const changed = JSON.parse(
      JSON.stringify(openapi, (name, value) =>
        ['description', 'summary', 'title', 'version', 'pattern'].includes(name) && typeof value === 'string'
          ? hostile
          : value,
      ),
    )
    const page = docsPage(changed)
    const { elements } = elementsOf(page)
    assert.ok(elements.every(({ name }) => name !== 'script'))
    assert.ok(page.includes(escapeMarkup(hostile)))
  })
})
