import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ruled } from '../../http/schema.ts'
import { agentSchema } from '../../spec/aaif/agent.schema.ts'
import { stateSchema } from '../../spec/aaif/state.schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** A document of which the OpenAPI document has the schema. */
interface Documented {
  readonly schema: JsonObject & { readonly $defs: JsonObject }
  /** Of the names of its parts. */
  readonly prefix: string
}

const DEFINITION: Documented = { schema: agentSchema, prefix: 'Definition' }
const STATE: Documented = { schema: stateSchema, prefix: 'State' }

/**
 * An agent definition. The schema is the source of the validator that reads it, which also checks the rules of the
 * specification that no schema expresses.
 */
export const agentDocument: Schema = {
  ...ruled(rootOf(DEFINITION), 'The rules of AAIF hold that no schema expresses; see `waybill validate`.'),
  examples: [
    {
      sc_standard: 'SC-006',
      sc_version: '3.4.0',
      agent_id: '0198c0de-0000-7000-8000-0000000000e1',
      agent: {
        name: 'Clerk',
        version: '1.0.0',
        goal: 'Answers questions about parcels.',
        model: { preferred: 'gpt-5', provider: 'openai' },
      },
    },
  ],
}

/** An Agent State. Members that this platform does not know are reported, so they are not an error of the schema. */
export const stateDocument = ruled(
  openly(rootOf(STATE)) as JsonObject,
  'The rules of AAIF hold that no schema expresses, and the state can be continued here.',
)

/** The parts of these documents, by the names under which the documents refer to them. */
export const DOCUMENT_PARTS: Readonly<Record<string, Schema>> = Object.fromEntries([
  ...partsOf(DEFINITION),
  ...partsOf(STATE).map(([name, part]) => [name, openly(part) as JsonObject] as const),
])

function rootOf(document: Documented): JsonObject {
  const { $schema: _dialect, $id: _id, $defs: _parts, ...root } = document.schema
  return referring(root, document) as JsonObject
}

function partsOf(document: Documented): readonly (readonly [string, JsonObject])[] {
  return Object.entries(document.schema.$defs).map(
    ([name, part]) => [partName(document, name), referring(part, document) as JsonObject] as const,
  )
}

function partName({ prefix }: Documented, name: string): string {
  return name.startsWith(prefix) ? name : `${prefix}${name}`
}

/** Replaces references to parts of the document by references to components. */
function referring(value: Json, document: Documented): Json {
  return mapped(value, (name, member) =>
    name === '$ref' && typeof member === 'string'
      ? `#/components/schemas/${partName(document, member.replace('#/$defs/', ''))}`
      : member,
  )
}

/** Removes that other members are an error. */
function openly(value: Json): Json {
  return mapped(value, (name, member) =>
    name === 'additionalProperties' && member === false ? undefined : member,
  )
}

function mapped(value: Json, change: (name: string, member: Json) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const changed = change(name, member as Json)
      return changed === undefined ? [] : [[name, mapped(changed, change)]]
    }),
  )
}
