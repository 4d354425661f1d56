import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { html, raw } from '../../document/markup.ts'
import type { Route } from '../../http/route.ts'
import type { Tenant } from '../../platform/platform.ts'
import { publicDocument } from '../public-document.ts'
import { DOCS_STYLE } from './docs-style.ts'
import { type Operation, operationPart } from './operation-part.ts'
import { prose, schemaPart } from './schema-part.ts'

/** The page has no script, and loads nothing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the route of the page that shows the OpenAPI document. The page is made at the first request. */
export function docsRoute(openapi: () => JsonObject): Route<Tenant> {
  let page: string | undefined
  return publicDocument({
    path: '/docs',
    name: 'docs',
    summary: 'Shows this document as a page.',
    answer: { description: 'The page.', mediaTypes: ['text/html'] },
    mediaType: 'text/html; charset=utf-8',
    maxAgeSeconds: 300,
    headers: { 'content-security-policy': CONTENT_SECURITY_POLICY },
    content: () => {
      page ??= docsPage(openapi())
      return page
    },
  })
}

/** Returns the reference of an OpenAPI document as one HTML page, which is read without a script. */
export function docsPage(openapi: JsonObject): string {
  const { title = '', version = '', description = '' } = objectOf(openapi.info)
  const schemas = objectOf(objectOf(openapi.components).schemas)
  const groups = Map.groupBy(operationsOf(openapi), ({ described }) => textOfFirst(described.tags))
  const contents = [...groups].map(
    ([tag, operations]) => html`<li><a href="#tag-${tag}">${tag}</a><ul>${operations.map(
      ({ method, path, described }) =>
        html`<li><a href="#op-${String(described.operationId)}">${method.toUpperCase()} ${path}</a></li>`,
    )}</ul></li>
`,
  )
  const parts = [...groups].map(
    ([tag, operations]) => html`<section aria-labelledby="tag-${tag}">
<h2 id="tag-${tag}">${tag}</h2>
${operations.map((operation) => operationPart(operation, schemas))}</section>
`,
  )
  const named = Object.entries(schemas).map(
    ([name, schema]) => html`<article aria-labelledby="schema-${name}">
<h3 id="schema-${name}">${name}</h3>
<p class="faint">A value that several operations use.</p>
<div>${schemaPart(schema)}</div>
</article>
`,
  )
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${String(title)} ${String(version)}: HTTP API</title>
<style>${raw(DOCS_STYLE)}</style>
</head>
<body>
<header>
<a class="skip" href="#operations">Skip to the operations</a>
<h1>${String(title)} ${String(version)}: HTTP API</h1>
<p>${prose(String(description))} For programs: <a href="/openapi.json">the OpenAPI document</a>.</p>
<p>The examples read the address of the server from <code>WAYBILL_URL</code>, and a token from <code>WAYBILL_TOKEN</code>. A failure is answered as <a href="#schema-Problem">Problem</a>, if its operation names no other form.</p>
</header>
<nav aria-label="Operations">
<ul>${contents}<li><a href="#schemas">schemas</a></li></ul>
</nav>
<main id="operations">
${parts}<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${named}</section>
</main>
</body>
</html>
`
  return markup
}

function operationsOf(openapi: JsonObject): readonly Operation[] {
  return Object.entries(objectOf(openapi.paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, described]) => ({
      method,
      path,
      described: objectOf(described),
    })),
  )
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function textOfFirst(value: Json | undefined): string {
  return Array.isArray(value) ? String(value[0]) : ''
}
