import { isObject, type Json, type JsonObject, valueAt } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'
import { compileLinearPattern } from './user-pattern.ts'
import { KEYWORDS } from './user-schema-keywords.ts'
import type { SchemaReading } from './user-schema-reading.ts'

/**
 * Converts a usable schema to plain 2020-12: removes annotations and identifiers, converts older dialects, and makes
 * every reference point to `#` or `#/$defs/…`. So schemas cannot conflict in a compiler, and a compiler never sees an
 * unknown keyword.
 *
 * A pattern that cannot be enforced is removed, and also keywords that would refuse values because of its absence: the
 * schema then accepts more than its author wrote, never less.
 * @param keep annotations to keep unchanged.
 */
export function translateUserSchema(
  schema: JsonObject,
  reading: SchemaReading,
  keep: readonly string[] = [],
): JsonObject | boolean {
  const definitions = new Map<string, string>()
  const queue: string[] = []

  const reference = (at: string): string | undefined => {
    const target = reading.targets.get(at)
    if (target === undefined || target === '') return target === '' ? '#' : undefined
    let name = definitions.get(target)
    if (name === undefined) {
      name = `d${definitions.size}`
      definitions.set(target, name)
      queue.push(target)
    }
    return `#/$defs/${name}`
  }

  const translate = (value: Json, at: string): JsonObject | boolean => {
    if (!isObject(value)) return value as boolean
    const out: [string, Json][] = []
    const list = (values: readonly Json[], place: string) =>
      values.map((v, i) => translate(v, `${place}/${i}`))
    const map = (values: JsonObject, place: string) =>
      Object.fromEntries(
        Object.entries(values).map(([k, v]) => [k, translate(v, `${place}/${escapeStep(k)}`)]),
      )
    const weak = (part: Json | undefined) => reading.hasUnenforcedPattern && mayBeWeakened(part)
    const tuple = Array.isArray(value.items)
    const openNames = isObject(value.patternProperties)
      ? Object.keys(value.patternProperties).some((p) => compileLinearPattern(p) === null)
      : false
    const references: JsonObject[] = []

    for (const [keyword, content] of Object.entries(value)) {
      const place = `${at}/${escapeStep(keyword)}`
      switch (keyword) {
        case '$ref':
        case '$dynamicRef':
        case '$recursiveRef':
          {
            const target = reference(place)
            if (target !== undefined) references.push({ $ref: target })
          }
          break
        case 'type':
          out.push([keyword, typeOf(value)])
          break
        case 'exclusiveMinimum':
        case 'exclusiveMaximum':
          if (typeof content === 'number') out.push([keyword, content])
          break
        case 'minimum':
        case 'maximum': {
          const exclusive = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
          out.push([value[exclusive] === true ? exclusive : keyword, content])
          break
        }
        case 'pattern':
          if (compileLinearPattern(content as string) !== null) out.push([keyword, content])
          break
        case 'patternProperties': {
          const kept = Object.entries(content as JsonObject).filter(([p]) => compileLinearPattern(p) !== null)
          out.push([
            keyword,
            Object.fromEntries(kept.map(([p, v]) => [p, translate(v, `${place}/${escapeStep(p)}`)])),
          ])
          break
        }
        case 'additionalProperties':
        case 'unevaluatedProperties':
          // Names that match the removed pattern must not become unknown members.
          if (!openNames) out.push([keyword, translate(content, place)])
          break
        case 'items':
          if (tuple) out.push(['prefixItems', list(content as Json[], place)])
          else out.push([keyword, translate(content, place)])
          break
        case 'additionalItems':
          if (tuple) out.push(['items', translate(content, place)])
          break
        case 'oneOf':
          out.push([weak(content) ? 'anyOf' : keyword, list(content as Json[], place)])
          break
        case 'not':
          if (!weak(content)) out.push([keyword, translate(content, place)])
          break
        case 'if':
        case 'then':
        case 'else':
          if (!weak(value.if)) out.push([keyword, translate(content, place)])
          break
        case 'maxContains':
          if (!weak(value.contains)) out.push([keyword, content])
          break
        case 'dependencies':
          for (const [name, need] of Object.entries(content as JsonObject)) {
            const step = `${place}/${escapeStep(name)}`
            if (Array.isArray(need)) references.push({ dependentRequired: { [name]: need } })
            else references.push({ dependentSchemas: { [name]: translate(need, step) } })
          }
          break
        case 'required':
          out.push([keyword, [...new Set(content as string[])]])
          break
        case 'enum':
          out.push([keyword, content])
          break
        case '$defs':
        case 'definitions':
        case 'contentSchema':
          break
        default:
          switch (KEYWORDS.get(keyword)) {
            case 'schema':
              out.push([keyword, translate(content, place)])
              break
            case 'schemas':
              out.push([keyword, list(content as Json[], place)])
              break
            case 'schema-map':
              out.push([keyword, map(content as JsonObject, place)])
              break
            case 'number':
            case 'positive':
            case 'count':
            case 'boolean':
            case 'names-map':
              out.push([keyword, content])
              break
            case undefined:
              if (keyword === 'const') out.push([keyword, content])
              break
            default:
              break
          }
      }
      if (keep.includes(keyword)) out.push([keyword, content])
    }
    if (references.length === 1 && references[0] !== undefined && '$ref' in references[0])
      out.push(['$ref', references[0].$ref as string])
    else if (references.length > 0) {
      const all = out.find(([k]) => k === 'allOf')
      if (all === undefined) out.push(['allOf', references])
      else all[1] = [...(all[1] as Json[]), ...references]
    }
    return Object.fromEntries(out)
  }

  const root = translate(schema, '')
  if (typeof root === 'boolean') return root
  const defs: [string, Json][] = []
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    const found = valueAt(schema, target) as Json
    defs.push([definitions.get(target) as string, translate(found, target)])
  }
  return defs.length === 0 ? root : { ...root, $defs: Object.fromEntries(defs) }
}

/** OpenAPI 3.0 uses `nullable` where JSON Schema lists the type `null`. */
function typeOf(schema: JsonObject): Json {
  const type = schema.type as Json
  if (schema.nullable !== true) return type
  const types = Array.isArray(type) ? (type as Json[]) : [type]
  return types.includes('null') ? type : [...types, 'null']
}

/** Returns true if removing an unenforceable pattern may make this schema accept more. References count as true. */
export function mayBeWeakened(schema: Json | undefined): boolean {
  if (schema === null || typeof schema !== 'object') return false
  if (Array.isArray(schema)) return schema.some(mayBeWeakened)
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === '$ref' || keyword === '$dynamicRef' || keyword === '$recursiveRef') return true
    if (keyword === 'pattern' && typeof value === 'string') return compileLinearPattern(value) === null
    if (keyword === 'patternProperties' && isObject(value))
      return Object.entries(value).some(([p, v]) => compileLinearPattern(p) === null || mayBeWeakened(v))
    return mayBeWeakened(value as Json)
  })
}
