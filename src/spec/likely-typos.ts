import type { Finding } from '../document/finding.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { appendStep } from '../document/json-pointer.ts'
import { suggest } from '../document/suggest.ts'
import { referredNode } from './referred-node.ts'
import type { Schema } from './schema-builder.ts'

/**
 * Finds probable typing errors in formats whose readers ignore unknown members: unknown members whose name is close to
 * that of a known, absent member. Other unknown members are ignored.
 */
export function findLikelyTypos(schema: Schema, document: Json, rule: string): Finding[] {
  const findings: Finding[] = []
  visit(schema, document, '')
  return findings

  function visit(node: JsonObject, value: Json, pointer: string): void {
    if (Array.isArray(value)) {
      const items = referredNode(schema, node.items)
      if (items !== undefined) value.forEach((item, i) => void visit(items, item, appendStep(pointer, i)))
    } else if (isObject(value)) visitMembers(node, value, pointer)
  }

  function visitMembers(node: JsonObject, value: JsonObject, pointer: string): void {
    const known = membersOf(schema, node)
    if (known.size === 0) return
    const absent = [...known.keys()].filter((name) => !Object.hasOwn(value, name))
    for (const [name, inner] of Object.entries(value)) {
      const at = appendStep(pointer, name)
      const member = known.get(name)
      if (member !== undefined) visit(member, inner, at)
      else {
        const meant = suggest(name, absent)
        if (meant !== undefined) findings.push(typo(name, meant, at, rule))
      }
    }
  }
}

function typo(name: string, meant: string, pointer: string, rule: string): Finding {
  return {
    severity: 'info',
    code: 'MEMBER_LIKELY_MISTYPED',
    pointer,
    mark: 'key',
    message: `unknown member "${name}" is ignored`,
    hint: `did you mean "${meant}"?`,
    rule,
  }
}

/** Returns the members that an object may have, including those of conditional parts. */
function membersOf(schema: Schema, node: JsonObject): ReadonlyMap<string, JsonObject> {
  const members = new Map<string, JsonObject>()
  for (const part of [node, referredNode(schema, node.then)]) {
    if (!isObject(part?.properties)) continue
    for (const [name, inner] of Object.entries(part.properties)) {
      members.set(name, referredNode(schema, inner) ?? {})
    }
  }
  return members
}
