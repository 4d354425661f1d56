import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { type ApiDocument, follow } from './api-document.ts'
import type { BodyBinding, MemberBinding } from './binding.ts'
import { type FormMembers, formMembers, isFile, isFileMember, isListOfFiles } from './file-schemas.ts'
import type { Operation } from './operations.ts'
import { bare, isStyle, textOf, withDescription } from './parameter-texts.ts'

/** Copies a schema of the document into the schema of the arguments. */
export type CopySchema = (schema: Json | undefined) => Json

export interface RequestBody {
  readonly description: string
  readonly required: boolean
  readonly binding: Omit<BodyBinding, 'argument'>
  schema(copy: CopySchema): Json
  /** What of the description cannot be used. */
  readonly note?: string
}

/** One media type of a body. */
interface Offer {
  readonly type: string
  readonly media: JsonObject | undefined
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json$/i
const PATCH_LIST = /^application\/json-patch\+json$/i
const MERGE_PATCH = /^application\/merge-patch\+json$/i
const FORM = /^application\/x-www-form-urlencoded$/i
const MULTIPART = /^multipart\/form-data$/i
const ANY = /^(?:\*|application)\/\*$/
const TEXT =
  /^text\/|^application\/(?:[\w.+-]+\+)?(?:xml|yaml|x-ndjson|ndjson|jsonl|x-jsonlines|json-seq|graphql|sql)$/i

/**
 * Returns the request body of an operation in the media type that a model can write best: JSON, then a form, then text,
 * then bytes. If files are among its members, it is a multipart form where the document offers one: JSON and
 * URL-encoded forms cannot contain the bytes.
 */
export function requestBodyOf(
  document: ApiDocument,
  { definition, method }: Operation,
): RequestBody | undefined {
  if (definition.requestBody === undefined || definition.requestBody === null) return undefined
  const described = follow(document, definition.requestBody)
  const texts = { description: textOf(described?.description), required: described?.required === true }
  const offers = offersOf(document, described?.content)
  const [first] = offers
  if (first === undefined) return { ...texts, ...OPEN }
  return { ...texts, ...chosen(document, offers, first, method) }
}

/** A body that the document does not describe in a usable way. */
const OPEN: Pick<RequestBody, 'binding' | 'schema' | 'note'> = {
  binding: { media_type: 'application/json', as: 'json' },
  schema: () => ({}),
  note: 'its body is not described in a usable way: any JSON is accepted and sent',
}

function offersOf(document: ApiDocument, content: Json | undefined): readonly Offer[] {
  if (!isObject(content)) return []
  return Object.entries(content).map(([type, media]) => ({
    type: bare(type),
    media: follow(document, media),
  }))
}

type Chosen = Pick<RequestBody, 'binding' | 'schema'>

function chosen(document: ApiDocument, offers: readonly Offer[], first: Offer, method: string): Chosen {
  const byType = (pattern: RegExp) => offers.find(({ type }) => pattern.test(type))
  const json = offers.filter(({ type }) => JSON_TYPE.test(type))
  const multipart = byType(MULTIPART)
  const sendsFiles = multipart !== undefined && hasFiles(document, multipart)
  const form = byType(FORM)
  if (json.length > 0 && !(sendsFiles && json.some((offer) => hasFiles(document, offer))))
    return jsonBody(document, json, method)
  if (multipart !== undefined && (sendsFiles || form === undefined))
    return formBody(document, multipart, 'multipart')
  if (form !== undefined) return formBody(document, form, 'form')
  const any = byType(ANY)
  if (any !== undefined && !isFile(document, any.media?.schema))
    return {
      binding: { media_type: 'application/json', as: 'json' },
      schema: (copy) => copy(any.media?.schema),
    }
  const text = byType(TEXT)
  if (text !== undefined && !isFile(document, text.media?.schema)) {
    const media_type = concrete(text.type, 'text/plain')
    return {
      binding: { media_type, as: 'text' },
      schema: () => ({ type: 'string', description: `the body as ${media_type}` }),
    }
  }
  return bytesBody((any ?? text ?? first).type)
}

function hasFiles(document: ApiDocument, { media }: Offer): boolean {
  return (
    isFile(document, media?.schema) ||
    [...formMembers(document, media?.schema).properties.values()].some(
      (schema) => isFileMember(document, schema) !== false,
    )
  )
}

/** A type with an asterisk is not the type of a body. */
function concrete(type: string, otherwise: string): string {
  return type.includes('*') ? otherwise : type
}

/** A model can only write text, so it provides bytes in base64. */
function bytesBody(type: string): Chosen {
  const media_type = concrete(type, 'application/octet-stream')
  return {
    binding: { media_type, as: 'base64' },
    schema: () => ({ type: 'string', description: `the bytes of the body (${media_type}), in base64` }),
  }
}

/**
 * The media type fits the value: a JSON Patch is a list of changes, every other patch is an object. Documents often
 * describe both by the same schema, `type: object`.
 */
function jsonBody(document: ApiDocument, offers: readonly Offer[], method: string): Chosen {
  const others = offers.filter(({ type }) => !PATCH_LIST.test(type))
  const list = offers.find(({ type }) => PATCH_LIST.test(type))
  const merge = others.find(({ type }) => MERGE_PATCH.test(type))
  const plain = others.find(({ type }) => /^application\/json$/i.test(type))
  const main = (method === 'PATCH' ? (merge ?? plain) : (plain ?? merge)) ?? others[0]
  const single = main ?? list
  if (offers.length === 1 && single !== undefined && isFile(document, single.media?.schema))
    return bytesBody(single.type)
  const changes = (copy: CopySchema) =>
    follow(document, list?.media?.schema)?.type === 'array' ? copy(list?.media?.schema) : CHANGES
  if (main === undefined) return { binding: { media_type: list?.type ?? '', as: 'json' }, schema: changes }
  return {
    binding: { media_type: main.type, as: 'json', ...defined({ list_media_type: list?.type }) },
    schema: (copy) =>
      list === undefined ? copy(main.media?.schema) : { anyOf: [copy(main.media?.schema), changes(copy)] },
  }
}

/** A JSON Patch (RFC 6902). */
const CHANGES: JsonObject = {
  type: 'array',
  description: 'a JSON Patch: the changes, in order',
  items: {
    type: 'object',
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'a JSON Pointer' },
      from: { type: 'string' },
      value: {},
    },
    required: ['op', 'path'],
  },
}

function formBody(document: ApiDocument, { type, media }: Offer, as: 'form' | 'multipart'): Chosen {
  const form = formMembers(document, media?.schema)
  const encodings = isObject(media?.encoding) ? media.encoding : {}
  const members: Record<string, MemberBinding> = {}
  for (const name of new Set([...form.properties.keys(), ...Object.keys(encodings)])) {
    const encoding = follow(document, encodings[name]) ?? {}
    const found = memberOf(document, form.properties.get(name), encoding, as)
    if (Object.keys(found).length > 0) members[name] = found
  }
  return {
    binding: { media_type: type, as, ...(Object.keys(members).length > 0 && { members }) },
    schema: (copy) => formSchema(document, media?.schema, form, members, copy),
  }
}

/** Encoding of a form member that differs from the default. */
function memberOf(
  document: ApiDocument,
  schema: Json | undefined,
  encoding: JsonObject,
  as: 'form' | 'multipart',
): MemberBinding {
  const contentType = textOf(encoding.contentType)
  const bytes = as === 'multipart' && (isFileMember(document, schema) !== false || isFileType(contentType))
  const media_type = contentType
    .split(',')
    .map(bare)
    .find((one) => one !== '' && !one.includes('*'))
  return {
    ...(isStyle(encoding.style) && { style: encoding.style }),
    ...(typeof encoding.explode === 'boolean' && { explode: encoding.explode }),
    ...defined({ media_type: media_type ?? (bytes ? mediaTypeOf(document, schema) : undefined) }),
    ...(bytes && { base64: true as const }),
  }
}

function isFileType(contentType: string): boolean {
  return /^(?:image|audio|video|font)\/|\/(?:octet-stream|pdf|zip|gzip|x-tar)\b/i.test(contentType)
}

/** Version 3.1 names the type of a file in its schema. */
function mediaTypeOf(document: ApiDocument, schema: Json | undefined): string | undefined {
  const { contentMediaType } = follow(document, schema) ?? {}
  return typeof contentMediaType === 'string' && !contentMediaType.includes('*')
    ? bare(contentMediaType)
    : undefined
}

function formSchema(
  document: ApiDocument,
  schema: Json | undefined,
  { properties, required }: FormMembers,
  members: Readonly<Record<string, MemberBinding>>,
  copy: CopySchema,
): Json {
  const whole = follow(document, schema) ?? {}
  const { allOf: _parts, ...rest } = whole
  const base = copy({
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: [...required] }),
  }) as JsonObject
  const copied = isObject(base.properties) ? base.properties : {}
  const described = Object.entries(copied).map(([name, value]): [string, Json] => {
    if (members[name]?.base64 !== true || !Object.hasOwn(members, name)) return [name, value]
    const description = isObject(value) ? textOf(value.description) : ''
    const file = withDescription({ type: 'string' }, 'the bytes of the file, in base64')
    const given = properties.get(name)
    const files = isListOfFiles(document, given) ? { type: 'array', items: file } : file
    return [name, description === '' || files === file ? files : withDescription(files, description)]
  })
  return { ...base, properties: Object.fromEntries(described) }
}
