import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { html, type Markup, raw } from '../../document/markup.ts'

const SCHEMAS = '#/components/schemas/'

/** Shown by their structure. */
const SHOWN: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'const',
  'enum',
  'description',
  'required',
  'properties',
  'items',
])

/** Returns a schema as text and nested lists. A named schema is a link to it. */
export function schemaPart(schema: Json): Markup {
  if (!isObject(schema)) return html`any value`
  const { $ref, description, properties, items, required } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice(SCHEMAS.length)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  const members = isObject(properties) ? Object.entries(properties) : []
  const needed = Array.isArray(required) ? required : []
  const inner = [
    ...members.map(
      ([name, member]) =>
        html`<li><code>${name}</code>${needed.includes(name) ? ' (required)' : ''}: ${schemaPart(member)}</li>`,
    ),
    ...(isObject(items) ? [html`<li>each item: ${schemaPart(items)}</li>`] : []),
    ...Object.entries(schema).flatMap(([keyword, value]) => alternatives(keyword, value)),
  ]
  const text = typeof description === 'string' ? html`. ${prose(description)}` : raw('')
  return html`${typeOf(schema)}${limitsOf(schema)}${text}${inner.length === 0 ? raw('') : html`<ul>${inner}</ul>`}`
}

const WORDS: Readonly<Record<string, string>> = {
  oneOf: 'exactly one of',
  anyOf: 'at least one of',
  allOf: 'also',
  additionalProperties: 'every other member',
}

function alternatives(keyword: string, value: Json): readonly Markup[] {
  const word = Object.hasOwn(WORDS, keyword) ? WORDS[keyword] : undefined
  if (word === undefined) return []
  if (isObject(value)) return [html`<li>${word}: ${schemaPart(value)}</li>`]
  if (!Array.isArray(value)) return []
  return [html`<li>${word}:<ul>${value.map((one) => html`<li>${schemaPart(one)}</li>`)}</ul></li>`]
}

function typeOf({ type, const: constant, enum: values }: JsonObject): Markup {
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`
  if (Array.isArray(values))
    return html`one of ${values.map((value, index) => html`${index === 0 ? '' : ', '}<code>${JSON.stringify(value)}</code>`)}`
  if (typeof type === 'string') return html`${type}`
  return html`${Array.isArray(type) ? type.join(' or ') : 'any value'}`
}

/** Every other keyword as it is written. */
function limitsOf(schema: JsonObject): Markup {
  const limits = Object.entries(schema).filter(
    ([keyword, value]) =>
      !SHOWN.has(keyword) && !(Object.hasOwn(WORDS, keyword) && typeof value === 'object'),
  )
  const shown = limits.map(([keyword, value]) => html`, <code>${keyword}: ${JSON.stringify(value)}</code>`)
  return html`<span class="faint">${shown}</span>`
}

/** Returns a text in which what is between backticks is code. */
export function prose(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
