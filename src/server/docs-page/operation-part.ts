import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { html, type Markup, raw } from '../../document/markup.ts'
import { curlExample } from './curl-example.ts'
import { prose, schemaPart } from './schema-part.ts'

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly described: JsonObject
}

/** Returns what a client must know about an operation: who may call it, with what, and what is answered. */
export function operationPart({ method, path, described }: Operation, schemas: JsonObject): Markup {
  const name = String(described.operationId)
  return html`<article aria-labelledby="op-${name}">
<h3 id="op-${name}"><code>${method.toUpperCase()} ${path}</code></h3>
<p>${prose(String(described.summary))}</p>
<p class="faint">${accessOf(described)}</p>
${parametersPart(described.parameters)}${bodyPart(described.requestBody)}${answersPart(described.responses)}
<h4>Example</h4>
<pre>${curlExample(method, path, described, schemas)}</pre>
</article>
`
}

function accessOf(described: JsonObject): Markup {
  if (described.security !== undefined) return html`Needs no token.`
  return html`Roles: ${textsOf(described['x-roles']).join(', ')}. A token with scopes needs ${prose(
    textsOf(described['x-scopes'])
      .map((scope) => `\`${scope}\``)
      .join(' or '),
  )}.`
}

function parametersPart(parameters: Json | undefined): Markup {
  const items = (Array.isArray(parameters) ? parameters : []).filter(isObject)
  if (items.length === 0) return raw('')
  const shown = items.map(({ name, in: place, required, schema = {}, description }) => {
    const text =
      typeof description === 'string' && description !== '' ? html`. ${prose(description)}` : raw('')
    return html`<li><code>${String(name)}</code> in ${String(place)}${required === true ? ' (required)' : ''}: ${schemaPart(schema)}${text}</li>`
  })
  return html`<h4>Parameters</h4>
<ul>${shown}</ul>
`
}

function bodyPart(body: Json | undefined): Markup {
  if (!isObject(body)) return raw('')
  const { 'x-max-bytes': bytes, required } = body
  const limit = typeof bytes === 'number' ? `, at most ${bytes} bytes` : ''
  return html`<h4>Body${required === true ? '' : ' (optional)'}${limit}</h4>
${contentPart(body.content)}`
}

/** Failures have one form, which is shown once. */
function answersPart(responses: Json | undefined): Markup {
  const all = isObject(responses) ? Object.entries(responses) : []
  const isFailure = ([status]: readonly [string, Json]) => Number(status) >= 400
  const shown = all
    .filter((entry) => !isFailure(entry))
    .map(([status, answer]) => {
      const { description, content } = isObject(answer) ? answer : {}
      return html`<li><code>${status}</code>: ${prose(String(description))}${contentPart(content)}</li>`
    })
  const failures = all.filter(isFailure).map(([status]) => status)
  return html`<h4>Answers</h4>
<ul>${shown}
<li class="faint">Failures: ${failures.join(', ')}</li></ul>
`
}

function contentPart(content: Json | undefined): Markup {
  if (!isObject(content)) return raw('')
  const types = Object.entries(content).map(([type, media]) => {
    const shown =
      isObject(media) && media.schema !== undefined ? html`: ${schemaPart(media.schema)}` : raw('')
    return html`<li><code>${type}</code>${shown}</li>`
  })
  return html`<ul>${types}</ul>
`
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
