import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { appendStep } from '../../document/json-pointer.ts'
import { ownMember } from '../../document/own-member.ts'
import { sameJson } from '../../document/same-json.ts'
import { agentSchema } from '../../spec/aaif/agent.schema.ts'
import { objectAt } from '../../spec/loose-members.ts'
import { changeOf, type DefinitionChange, type MemberRule, type Pair, widens } from './definition-change.ts'
import { EFFECTS } from './effects.ts'
import { plain } from './scalar-rules.ts'

/** The differences in the meaning of two definitions. */
export interface DefinitionChanges {
  readonly equal: boolean
  /** Whether the second definition may have a right that the first does not have. */
  readonly widens: boolean
  /** In the order of the schema. */
  readonly changes: readonly DefinitionChange[]
}

/**
 * Compares the meaning of two valid agent definitions. The form of a definition, the order of its members, and defaults
 * that are spelled out have no meaning.
 */
export function compareDefinitions(before: JsonObject, after: JsonObject): DefinitionChanges {
  const root: Pair = {
    before,
    after,
    beforePath: '',
    afterPath: '',
    name: '',
    byDefault: undefined,
    owners: { before, after },
    agents: { before: objectAt(before, 'agent'), after: objectAt(after, 'agent') },
    compareMembers,
  }
  const changes = compareMembers('AgentDefinition', root)
  return {
    equal: changes.length === 0,
    widens: changes.some(({ effect }) => effect === 'widens'),
    changes,
  }
}

const TABLE: Readonly<Record<string, Readonly<Record<string, MemberRule>>>> = EFFECTS

function compareMembers(definition: string, pair: Pair): readonly DefinitionChange[] {
  const owners = { before: objectOf(pair.before), after: objectOf(pair.after) }
  const rules = ownMember(TABLE, definition) ?? {}
  const others = [...new Set([...Object.keys(owners.before), ...Object.keys(owners.after)])].filter(
    (name) => !Object.hasOwn(rules, name),
  )
  return [...Object.keys(rules), ...others.sort()].flatMap((name) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : name.startsWith('x-') ? plain : unknown
    return (rule ?? unknown).compare({
      ...pair,
      before: own(owners.before, name),
      after: own(owners.after, name),
      beforePath: appendStep(pair.beforePath, name),
      afterPath: appendStep(pair.afterPath, name),
      name: nameOf(pair, name),
      byDefault: defaultOf(definition, name),
      owners,
    })
  })
}

/** A member that the schema does not have: its meaning is not known. */
const unknown: MemberRule = {
  grants: true,
  compare: (pair) =>
    sameJson(pair.before, pair.after) ? [] : [changeOf(pair, widens('is unknown, and may grant a right'))],
}

/** The name of a member inside an item begins with the item; the member `agent` is left out. */
function nameOf({ name }: Pair, member: string): string {
  if (name === '' || name === 'agent') return member
  return name.endsWith(':') ? `${name} ${member}` : `${name}.${member}`
}

interface SchemaObject {
  readonly properties?: Readonly<Record<string, { readonly default?: Json }>>
}

const DEFINITIONS: Readonly<Record<string, SchemaObject>> = {
  ...agentSchema.$defs,
  AgentDefinition: agentSchema as SchemaObject,
}

function defaultOf(definition: string, member: string): Json | undefined {
  return ownMember(ownMember(DEFINITIONS, definition)?.properties ?? {}, member)?.default
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
