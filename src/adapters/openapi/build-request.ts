import { exactText } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type { BodyBinding, MemberBinding, OperationBinding, ParameterBinding } from './binding.ts'
import {
  isRecord,
  type Pair,
  pairsOf,
  percentEncode,
  percentEncodeReserved,
  plain,
  textOfValue,
} from './serialize.ts'

export interface BuiltRequest {
  readonly url: URL
  readonly headers: Headers
  readonly cookies: readonly string[]
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Arguments that cannot be written into a request; the message is for the model. */
export class UnusableArguments extends Error {
  override readonly name = 'UnusableArguments'
}

/**
 * Builds the request of an operation and makes the checks that a schema cannot express, above all that an argument
 * cannot change the path: an empty path argument, or one of dots, would address another resource.
 * @throws UnusableArguments
 */
export async function buildRequest(binding: OperationBinding, args: JsonObject): Promise<BuiltRequest> {
  const headers = new Headers()
  const query: Pair[] = []
  const whole: string[] = []
  const cookies: string[] = []
  let path = binding.path
  for (const parameter of binding.parameters) {
    const value = Object.hasOwn(args, parameter.argument) ? args[parameter.argument] : undefined
    if (parameter.in === 'path') {
      path = path.replaceAll(`{${parameter.name}}`, () => pathText(parameter, value))
      continue
    }
    if (value === undefined || value === null) continue
    switch (parameter.in) {
      case 'query':
        query.push(...queryPairs(parameter, value))
        break
      case 'querystring':
        whole.push(wholeQuery(parameter, value))
        break
      case 'header':
        setHeader(headers, parameter, textOfValue(parameter, value, (text) => text) ?? '')
        break
      case 'cookie':
        cookies.push(`${parameter.name}=${cookieText(parameter, value)}`)
        break
    }
  }
  const open = /\{[^{}]+\}/.exec(path)
  if (open !== null) throw new UnusableArguments(`the document does not define ${open[0]} of the path`)
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new UnusableArguments('an argument would lead to another path')
  }
  const url = new URL(binding.server + path)
  // Documents tell operations of one path apart by a fragment, such as `/#Action=List`; headers or the body differ too.
  url.hash = ''
  // A path may contain a query of its own.
  const pieces = [url.search.slice(1), ...query.map(([name, value]) => `${name}=${value}`), ...whole]
  url.search = pieces.filter((piece) => piece !== '').join('&')
  const given = binding.body === undefined ? undefined : args[binding.body.argument]
  if (binding.body === undefined || given === undefined) return { url, headers, cookies }
  const { body, type } = await bodyBytes(binding.body, given)
  headers.set('content-type', type)
  return { url, headers, cookies, body }
}

function pathText(parameter: ParameterBinding, value: Json | undefined): string {
  const text = value === undefined ? undefined : textOfValue(parameter, value, percentEncode)
  if (text === undefined || text === '' || value === '') {
    throw new UnusableArguments(`${parameter.argument} is part of the path, so it cannot be empty`)
  }
  if (/^\.{1,2}$/.test(text)) throw new UnusableArguments(`${parameter.argument} would lead to another path`)
  return text
}

function queryPairs(
  { name, style, explode, allow_reserved }: ParameterBinding,
  value: Json,
): readonly Pair[] {
  if (style === 'json') return [[percentEncode(name), percentEncode(exactText(value))]]
  const encode = allow_reserved === true ? percentEncodeReserved : percentEncode
  return pairsOf(name, value, style, explode, encode)
}

/** The whole query (OpenAPI 3.2 `querystring`): a form, JSON or text. */
function wholeQuery({ style, argument }: ParameterBinding, value: Json): string {
  if (style !== 'json' && isRecord(value))
    return pairsOf(argument, value, 'form', true, formEncode)
      .map(([name, text]) => `${name}=${text}`)
      .join('&')
  return percentEncode(style === 'json' ? exactText(value) : plain(value))
}

function setHeader(headers: Headers, { name, argument }: ParameterBinding, text: string): void {
  try {
    headers.set(name, text)
  } catch {
    throw new UnusableArguments(`${argument} contains characters that a header cannot contain`)
  }
}

function cookieText({ style }: ParameterBinding, value: Json): string {
  if (style === 'json') return percentEncode(exactText(value))
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => percentEncode(plain(item))).join(',')
  if (isRecord(value)) {
    return Object.entries(value)
      .flat()
      .map((piece) => percentEncode(plain(piece as Json)))
      .join(',')
  }
  return percentEncode(plain(value))
}

async function bodyBytes(
  { as, media_type, list_media_type, argument, members = {} }: BodyBinding,
  value: Json,
): Promise<{ readonly body: string | Uint8Array<ArrayBuffer>; readonly type: string }> {
  switch (as) {
    case 'json':
      return {
        body: exactText(value),
        type: Array.isArray(value) ? (list_media_type ?? media_type) : media_type,
      }
    case 'text':
      return { body: plain(value), type: `${media_type}; charset=utf-8` }
    case 'base64':
      return { body: bytesOf(value, argument), type: media_type }
    case 'form': {
      const pairs = entriesOf(value, argument).flatMap(([name, member]) =>
        formPairs(name, member, ownMember(members, name)),
      )
      return { body: pairs.map(([name, text]) => `${name}=${text}`).join('&'), type: media_type }
    }
    case 'multipart': {
      const form = new FormData()
      for (const [name, member] of entriesOf(value, argument))
        appendPart(form, name, member, ownMember(members, name))
      // A Response encodes the form; the guarded transport has its own FormData class.
      const written = new Response(form)
      const type = written.headers.get('content-type') ?? 'multipart/form-data'
      return { body: new Uint8Array(await written.arrayBuffer()), type }
    }
  }
}

function entriesOf(value: Json, argument: string): readonly (readonly [string, Json])[] {
  if (!isRecord(value)) throw new UnusableArguments(`${argument} is a form, so it must be an object`)
  return Object.entries(value).filter(([, member]) => member !== null)
}

/** Lists repeat their name and objects are JSON, unless the encoding in the document differs (OpenAPI §4.8.15). */
function formPairs(name: string, value: Json, { style, explode }: MemberBinding = {}): readonly Pair[] {
  if (style === undefined && isRecord(value)) return [[formEncode(name), formEncode(exactText(value))]]
  return pairsOf(name, value, style ?? 'form', explode ?? (style ?? 'form') === 'form', formEncode)
}

/** Encoding of HTML forms: a space becomes a plus. */
function formEncode(text: string): string {
  return percentEncode(text).replaceAll('%20', '+')
}

function appendPart(
  form: FormData,
  name: string,
  value: Json,
  { media_type, base64 }: MemberBinding = {},
): void {
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    if (base64 === true) {
      form.append(
        name,
        new Blob([bytesOf(item, name)], { type: media_type ?? 'application/octet-stream' }),
        name,
      )
    } else if (isRecord(item)) {
      form.append(name, new Blob([exactText(item)], { type: media_type ?? 'application/json' }), name)
    } else form.append(name, plain(item))
  }
}

function bytesOf(value: Json, argument: string): Uint8Array<ArrayBuffer> {
  const text = typeof value === 'string' ? value.replaceAll(/\s/g, '') : undefined
  if (text === undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw new UnusableArguments(`${argument} must be bytes in base64`)
  }
  return new Uint8Array(Buffer.from(text, 'base64'))
}
