import { defined } from '../document/defined.ts'
import type { Finding } from '../document/finding.ts'
import { WaybillError } from '../document/issue.ts'
import type { Call } from '../http/route.ts'
import { id } from '../http/schema.ts'
import { compileCheck } from '../http/schema-check.ts'
import type { Schema } from '../spec/schema-builder.ts'

export type QueryReader = (search: string) => Call['query']

/**
 * Returns the reader for the query of a route. A parameter that is unknown or repeated is an error, as is a value that
 * its schema does not permit. Numbers and booleans are converted only if they are written exactly as JSON writes them.
 * @throws (the reader) QUERY_INVALID with issues
 */
export function queryReader(parameters: Readonly<Record<string, Schema>> = {}): QueryReader {
  const check = compileCheck({ type: 'object', properties: parameters, additionalProperties: false })
  return (search) => {
    const values: Record<string, string | number | boolean> = {}
    for (const part of search.split('&')) {
      if (part === '') continue
      const [name = '', text = ''] = splitOnce(part).map(decoded)
      if (Object.hasOwn(values, name)) throw repeated(name)
      // Defined as an own member, also if its name is `__proto__`.
      Object.defineProperty(values, name, {
        value: converted(text, Object.hasOwn(parameters, name) ? parameters[name]?.type : undefined),
        enumerable: true,
      })
    }
    const findings = check(values)
    if (findings.length > 0) throw invalidQuery(findings)
    return values
  }
}

const checkId = compileCheck(id('An id.'))

/**
 * Returns the parameters of a path.
 * @throws QUERY_INVALID if one is not an id; ROUTE_NOT_FOUND if one is empty
 */
export function readParams(params: unknown): Readonly<Record<string, string>> {
  const values = (params ?? {}) as Readonly<Record<string, string>>
  for (const [name, value] of Object.entries(values)) {
    if (value === '')
      throw new WaybillError('ROUTE_NOT_FOUND', {
        fault: 'usage',
        message: `the path has no ${name}`,
        hint: 'a path with an id does not end with a slash',
      })
    if (checkId(value).length === 0) continue
    throw new WaybillError('QUERY_INVALID', {
      fault: 'usage',
      message: `${name} in the path is not a valid id`,
      hint: 'an id has at most 512 characters and no control characters',
    })
  }
  return values
}

function splitOnce(part: string): readonly [string, string] {
  const at = part.indexOf('=')
  return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new WaybillError('QUERY_INVALID', {
      fault: 'usage',
      message: 'the query is not valid percent-encoded UTF-8',
      hint: 'encode each value with encodeURIComponent',
    })
  }
}

function converted(text: string, type: unknown): string | number | boolean {
  if (type === 'integer' && /^(?:0|-?[1-9]\d{0,15})$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function repeated(name: string): WaybillError {
  return new WaybillError('QUERY_INVALID', {
    fault: 'usage',
    message: `the query has ${JSON.stringify(name.slice(0, 60))} more than once`,
    hint: 'give each parameter once',
  })
}

function invalidQuery(findings: readonly Finding[]): WaybillError {
  const issues = findings.map(({ severity, code, pointer, message, hint }) => ({
    severity,
    code,
    pointer,
    message: message.replace('the document has', 'the query has'),
    ...defined({ hint }),
  }))
  const [first] = issues
  return new WaybillError('QUERY_INVALID', {
    fault: 'usage',
    message: first?.message ?? 'the query is not valid',
    issues,
    ...defined({ at: first?.pointer, hint: first?.hint }),
  })
}
