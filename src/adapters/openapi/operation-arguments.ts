import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type ApiDocument, follow } from './api-document.ts'
import type { BodyBinding, MemberBinding, ParameterBinding, SignIn, Style } from './binding.ts'
import type { Operation } from './operations.ts'
import { selfContained } from './tool-schema.ts'

export interface OperationArguments {
  readonly parameters_schema: JsonObject
  readonly parameters: readonly ParameterBinding[]
  readonly body?: BodyBinding
}

/** OpenAPI ignores the first three as parameters; the others control the request and are not chosen by a model. */
const NO_ARGUMENT =
  /^(accept|content-type|authorization|host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|idempotency-key|proxy-.*)$/i

/**
 * Returns the arguments of an operation as one object: a member for each parameter, and `body` for the request body.
 * @param signIn the credentials, which the model does not provide
 */
export function argumentsOf(
  document: ApiDocument,
  operation: Operation,
  signIn: SignIn | undefined,
): OperationArguments {
  const described = parametersOf(document, operation).filter((each) => !isPlaced(each, signIn))
  const names = new ArgumentNames()
  const bound = described.map((each) => bindParameter(each, names.take(textOf(each.name))))
  const body = bodyOf(document, operation)
  const bodyName = body === undefined ? '' : names.take('body')
  const parameters_schema = selfContained(document, (copy) => {
    const properties: Record<string, Json> = {}
    const required: string[] = []
    for (const [index, each] of described.entries()) {
      const { argument } = bound[index] as ParameterBinding
      properties[argument] = withDescription(copy(schemaOf(document, each)), textOf(each.description))
      if (each.required === true || each.in === 'path') required.push(argument)
    }
    if (body !== undefined) {
      properties[bodyName] = withDescription(bodySchema(document, body, copy), body.description)
      if (body.required) required.push(bodyName)
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
  })
  return {
    parameters_schema,
    parameters: bound,
    ...(body !== undefined && { body: { argument: bodyName, ...body.binding } }),
  }
}

/** Parameters of the operation replace those of its path with the same name and location. */
function parametersOf(document: ApiDocument, { item, definition }: Operation): readonly JsonObject[] {
  const merged = new Map<string, JsonObject>()
  for (const list of [item.parameters, definition.parameters]) {
    if (!Array.isArray(list)) continue
    for (const value of list as readonly Json[]) {
      const parameter = follow(document, value)
      if (parameter === undefined || !isPlace(parameter.in) || textOf(parameter.name) === '') continue
      if (parameter.in === 'header' && NO_ARGUMENT.test(textOf(parameter.name))) continue
      merged.set(`${parameter.in} ${textOf(parameter.name)}`, parameter)
    }
  }
  return [...merged.values()]
}

function isPlaced(parameter: JsonObject, signIn: SignIn | undefined): boolean {
  return signIn?.as === 'key' && signIn.in === parameter.in && signIn.name === parameter.name
}

function isPlace(value: Json | undefined): value is ParameterBinding['in'] {
  return value === 'path' || value === 'query' || value === 'header' || value === 'cookie'
}

function bindParameter(parameter: JsonObject, argument: string): ParameterBinding {
  const place = parameter.in as ParameterBinding['in']
  const byDefault: Style = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const style = isObject(parameter.content) ? 'json' : isStyle(parameter.style) ? parameter.style : byDefault
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

const STYLES: ReadonlySet<string> = new Set<Style>([
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
])

function isStyle(value: Json | undefined): value is Style {
  return typeof value === 'string' && STYLES.has(value)
}

function schemaOf(document: ApiDocument, parameter: JsonObject): Json | undefined {
  if (!isObject(parameter.content)) return parameter.schema
  return follow(document, Object.values(parameter.content)[0])?.schema
}

interface Body {
  readonly schema: Json | undefined
  readonly description: string
  readonly required: boolean
  readonly binding: Omit<BodyBinding, 'argument'>
}

/** Media types of bodies, in order of preference. */
const KINDS: readonly (readonly [as: BodyBinding['as'], pattern: RegExp])[] = [
  ['json', /^(application|text)\/([\w.+-]+\+)?json$/i],
  ['form', /^application\/x-www-form-urlencoded$/i],
  ['multipart', /^multipart\/form-data$/i],
  ['json', /^(\*|application)\/\*$/],
  ['text', /^text\/|^application\/([\w.+-]+\+)?(xml|yaml|x-ndjson)$/i],
  ['base64', /./],
]

function bodyOf(document: ApiDocument, { definition }: Operation): Body | undefined {
  const described = follow(document, definition.requestBody)
  if (described === undefined || !isObject(described.content)) return undefined
  const types = Object.entries(described.content)
  for (const [as, pattern] of KINDS) {
    const found = types.find(([type]) => pattern.test(bare(type)))
    if (found === undefined) continue
    const media = follow(document, found[1])
    const type = bare(found[0])
    const members = as === 'form' || as === 'multipart' ? membersOf(document, media) : {}
    return {
      schema: media?.schema,
      description: textOf(described.description),
      required: described.required === true,
      binding: {
        media_type: type.includes('*') ? 'application/json' : type,
        as,
        ...(Object.keys(members).length > 0 && { members }),
      },
    }
  }
  return undefined
}

/** Encoding of form members that differ from the default. */
function membersOf(document: ApiDocument, media: JsonObject | undefined): Record<string, MemberBinding> {
  const members: Record<string, MemberBinding> = {}
  const properties = follow(document, media?.schema)?.properties
  const encodings = isObject(media?.encoding) ? media.encoding : {}
  for (const name of isObject(properties) ? Object.keys(properties) : Object.keys(encodings)) {
    const encoding = follow(document, encodings[name]) ?? {}
    const schema = follow(document, isObject(properties) ? properties[name] : undefined)
    const found: MemberBinding = {
      ...(isStyle(encoding.style) && { style: encoding.style }),
      ...(typeof encoding.explode === 'boolean' && { explode: encoding.explode }),
      ...(textOf(encoding.contentType) !== '' && { media_type: firstOf(textOf(encoding.contentType)) }),
      ...(isBinary(schema) && { base64: true as const }),
    }
    if (Object.keys(found).length > 0) members[name] = found
  }
  return members
}

/** OpenAPI 3.0 uses `format: binary`, 3.1 a contentMediaType. */
function isBinary(schema: JsonObject | undefined): boolean {
  return schema?.format === 'binary' || typeof schema?.contentMediaType === 'string'
}

/** A model can only write text, so it provides bytes in base64. */
function bodySchema(
  document: ApiDocument,
  { schema, binding }: Body,
  copy: (schema: Json | undefined) => JsonObject,
): JsonObject {
  switch (binding.as) {
    case 'json':
      return copy(schema)
    case 'text':
      return { type: 'string', description: `the body as ${binding.media_type}` }
    case 'base64':
      return { type: 'string', description: `the bytes of the body (${binding.media_type}), in base64` }
    case 'form':
    case 'multipart':
      return formSchema(copy(follow(document, schema)), binding.members ?? {})
  }
}

function formSchema(schema: JsonObject, members: Readonly<Record<string, MemberBinding>>): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const described = Object.entries(properties).map(([name, value]) =>
    ownMember(members, name)?.base64 === true
      ? [name, withDescription({ type: 'string' }, 'the bytes of the file, in base64')]
      : [name, value],
  )
  return { ...schema, type: 'object', properties: Object.fromEntries(described) }
}

function withDescription(schema: JsonObject, description: string): JsonObject {
  if (description === '' || schema.description !== undefined) return schema
  return { ...schema, description: description.length > 600 ? `${description.slice(0, 600)}…` : description }
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

function bare(mediaType: string): string {
  return firstOf(mediaType.split(';')[0] ?? '')
}

function firstOf(list: string): string {
  return (list.split(',')[0] ?? '').trim()
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}
