import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { type ApiDocument, follow } from './api-document.ts'
import type { ParameterBinding, SignIn, Style } from './binding.ts'
import type { Operation } from './operations.ts'
import { bare, isStyle, textOf } from './parameter-texts.ts'
import { type RequestBody, requestBodyOf } from './request-body.ts'

export interface OperationParameter {
  readonly described: JsonObject
  readonly binding: ParameterBinding
  readonly required: boolean
}

/** What a request of an operation consists of, without the schemas of its arguments. */
export interface OperationParts {
  readonly parameters: readonly OperationParameter[]
  readonly body?: RequestBody & { readonly argument: string }
  /** What the document describes, but requests do not contain. */
  readonly notes: readonly string[]
  /** Why the operation can never be called. */
  readonly unavailable?: string
}

/** OpenAPI ignores the first three as parameters; the others control the request and are not chosen by a model. */
const NO_ARGUMENT =
  /^(accept|content-type|authorization|host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|idempotency-key|proxy-.*)$/i

/** HTTP clients refuse to send these. */
const NEVER_SENT = /^(?:connect|trace|track)$/i

/**
 * Reads what an operation sends. What is described but cannot be sent is not an argument, and the notes say so; if the API
 * requires it, the operation is not available.
 * @param signIn the credentials, which the model does not provide
 */
export function partsOf(
  document: ApiDocument,
  operation: Operation,
  signIn: SignIn | undefined,
): OperationParts {
  const { method, path } = operation
  const notes: string[] = []
  const reasons: string[] = []
  const names = new ArgumentNames()
  const parameters = parametersOf(document, operation, notes, reasons)
    .filter((each) => !isPlaced(each, signIn))
    .map((described): OperationParameter => {
      const binding = bindParameter(described, names.take(textOf(described.name)))
      return { described, binding, required: described.required === true || binding.in === 'path' }
    })
  for (const [placeholder, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const isDefined = parameters.some(({ binding }) => binding.in === 'path' && binding.name === name)
    if (!isDefined) reasons.push(`the document does not define ${placeholder} of its path`)
  }
  if (NEVER_SENT.test(method)) reasons.push(`requests with the method ${method} are not sent`)
  const body = bodyOf(document, operation, notes, reasons)
  const [unavailable] = reasons
  return {
    parameters,
    ...(body !== undefined && { body: { ...body, argument: names.take('body') } }),
    notes,
    ...(unavailable !== undefined && { unavailable }),
  }
}

/** GET and HEAD requests have no body (RFC 9110 §9.3.1), and HTTP clients refuse to send one. */
function bodyOf(
  document: ApiDocument,
  operation: Operation,
  notes: string[],
  reasons: string[],
): RequestBody | undefined {
  const body = requestBodyOf(document, operation)
  const { method } = operation
  if (body === undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD') {
    if (body.note !== undefined) notes.push(body.note)
    return body
  }
  if (body.required) reasons.push(`it requires a body, which a ${method} request cannot have`)
  else notes.push(`its body is not an argument: a ${method} request cannot have one`)
  return undefined
}

/** Parameters of the operation replace those of its path with the same name and location. */
function parametersOf(
  document: ApiDocument,
  { item, definition, path }: Operation,
  notes: string[],
  reasons: string[],
): readonly JsonObject[] {
  const merged = new Map<string, JsonObject>()
  for (const list of [item.parameters, definition.parameters]) {
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) notes.push('its parameters are not a list')
    for (const value of Array.isArray(list) ? (list as readonly Json[]) : []) {
      const parameter = withSiblings(document, value)
      const name = textOf(parameter?.name)
      if (parameter === undefined || name === '') {
        notes.push(`one of its parameters cannot be read${referenceOf(value)}`)
        continue
      }
      const place = parameter.in
      const isSent = isPlace(place) && (place !== 'querystring' || document.version === '3.2')
      if (!isSent) {
        const what = `its parameter ${name} is in ${JSON.stringify(place ?? null)}, which requests of OpenAPI ${document.version} do not have`
        if (parameter.required === true) reasons.push(what)
        else notes.push(what)
      } else if (place === 'path' && !path.includes(`{${name}}`)) {
        notes.push(`its parameter ${name} is not an argument: the path does not contain {${name}}`)
      } else if (!(place === 'header' && NO_ARGUMENT.test(name))) merged.set(`${place} ${name}`, parameter)
    }
  }
  return [...merged.values()]
}

/** From version 3.1 on, a reference may have a description of its own. */
function withSiblings(document: ApiDocument, value: Json): JsonObject | undefined {
  const target = follow(document, value)
  if (target === undefined || document.version === '3.0' || !isObject(value)) return target
  const { $ref, description } = value
  return typeof $ref === 'string' && typeof description === 'string' ? { ...target, description } : target
}

function referenceOf(value: Json): string {
  const ref = isObject(value) ? value.$ref : undefined
  return typeof ref === 'string' ? `: ${ref} is not in this document` : ''
}

function isPlaced(parameter: JsonObject, signIn: SignIn | undefined): boolean {
  return signIn?.as === 'key' && signIn.in === parameter.in && signIn.name === parameter.name
}

const PLACES: readonly ParameterBinding['in'][] = ['path', 'query', 'querystring', 'header', 'cookie']

function isPlace(value: Json | undefined): value is ParameterBinding['in'] {
  return (PLACES as readonly (Json | undefined)[]).includes(value)
}

function bindParameter(parameter: JsonObject, argument: string): ParameterBinding {
  const place = parameter.in as ParameterBinding['in']
  const byDefault: Style = place === 'path' || place === 'header' ? 'simple' : 'form'
  const [media] = isObject(parameter.content) ? Object.keys(parameter.content) : []
  const isJson = media !== undefined && /[/+]json$|\*/i.test(bare(media))
  const style = isJson
    ? 'json'
    : media === undefined && isStyle(parameter.style)
      ? parameter.style
      : byDefault
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form'
  return {
    argument,
    name: textOf(parameter.name),
    in: place,
    style,
    explode,
    ...(parameter.allowReserved === true && { allow_reserved: true as const }),
  }
}

/** Returns the schema of a parameter, which has one or describes its content. */
export function schemaOf(document: ApiDocument, parameter: JsonObject): Json | undefined {
  if (!isObject(parameter.content)) return parameter.schema
  return follow(document, Object.values(parameter.content)[0])?.schema
}

/** Names of arguments: providers accept at most 64 letters, digits, `_`, `.` and `-`. */
class ArgumentNames {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    const plain = wanted.replaceAll(/[^a-zA-Z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'argument'
    let name = plain.slice(0, 64)
    for (let n = 2; this.#taken.has(name); n++) name = `${plain.slice(0, 60)}_${n}`
    this.#taken.add(name)
    return name
  }
}
