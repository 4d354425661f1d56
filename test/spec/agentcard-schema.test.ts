import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { validate } from '../../src/spec/agentcard/generated/agent-card.validate.js'
import { mutate } from './aaif/mutations.ts'
import { copyOf } from './aaif/samples.ts'
import { able, full, plain, reached } from './agentcard-samples.ts'

const reference = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/agentcard.schema.json`
// biome-ignore lint/suspicious/noExplicitAny: schemas and documents of any shape are changed here
type Any = any

/**
 * The schema of the community repository contradicts the draft, which takes precedence. Without its contradictions it
 * must give the same results as ours.
 */
function asTheDraftSays(schema: Any): Any {
  const { Capability, Endpoint, AuthConfig, PricingModel, Metadata, Protocol } = schema.$defs
  // Unknown members are ignored at every level.
  for (const node of [schema, Capability, Endpoint, PricingModel, AuthConfig])
    delete node.additionalProperties
  Protocol.enum = ['http', 'https', 'grpc', 'stdio', 'mcp']
  // Descriptions are recommended; lengths and repetitions are not limited.
  Capability.required = ['id']
  delete Capability.properties.id.maxLength
  Capability.properties.description = { type: 'string' }
  Capability.properties.tags = { type: 'array', items: { type: 'string' } }
  AuthConfig.required = []
  for (const name of ['token_url', 'header']) delete AuthConfig.properties[name]
  delete Endpoint.properties.health_url
  // Null is removed before the schema is applied.
  for (const name of ['input_schema', 'output_schema']) Capability.properties[name] = { type: 'object' }
  Endpoint.properties.auth = { $ref: '#/$defs/AuthConfig' }
  schema.properties.pricing = { $ref: '#/$defs/PricingModel' }
  PricingModel.properties = { base_cost_joules: { type: 'number', minimum: 0 } }
  // Members that it computes are ignored.
  Metadata.properties = {}
  return schema
}

/** Members that only the draft has; the schema of the repository does not list them. */
function onlyInDraft(card: Json): string | undefined {
  const { pricing, metadata, goal_subscriptions } = copyOf(card) ?? {}
  const ofType = (value: unknown, ...types: string[]) => value === undefined || types.includes(typeof value)
  if (goal_subscriptions !== undefined && !soundGoals(goal_subscriptions)) return 'goals'
  if (!ofType(pricing?.per_token_joules, 'number') || pricing?.per_token_joules < 0) return 'tokens'
  if (pricing?.base_cost_joules > 0 && pricing.base_cost_joules < 2.854e-21) return 'floor'
  const tier = metadata?.['pacr:trust_tier']
  if (tier !== undefined && !/^(untrusted|basic|established|verified|banned)$/.test(String(tier)))
    return 'tier'
  return ofType(metadata?.['pacr:substrate_scope'], 'string') ? undefined : 'scope'
}

function soundGoals(goals: Any): boolean {
  const sound = ({ goal_id, description, priority }: Any) =>
    typeof goal_id === 'string' &&
    (description === undefined || typeof description === 'string') &&
    (priority === undefined || (typeof priority === 'number' && priority >= 0 && priority <= 1))
  return Array.isArray(goals) && goals.every((goal) => goal?.constructor === Object && sound(goal))
}

const samples: readonly JsonObject[] = [
  full,
  plain,
  able({ id: 'a.b', tags: ['t', 't'], input_schema: {}, output_schema: {} }, { id: '7', description: '' }),
  reached({ protocol: 'mcp', auth: { scheme: 'mtls', realm: 1 } }),
  { ...full, pricing: { base_cost_joules: 0 }, metadata: { a: 1 }, goal_subscriptions: [] },
]
const TELLING: readonly Json[] = [
  ...['1.0.0-01', '1.0.0-rc.1+7', '01.0.0', '1.0.0-a..b', '2.0.0-a+b+c', 'a.b', 'A.b', '', 'x'.repeat(128)],
  ...['x'.repeat(129), '😀'.repeat(128), '😀'.repeat(129), 'https', 'websocket', 'bearer', 'basic', 'gold'],
  ...[0, -1, 1e-22, 2.854e-21, 0.5, 1.5, true, 'basic', plain.agent_id as string, 'I'.repeat(26)],
  ...[[], {}, [{}], [{ id: 'a' }], [{ goal_id: 'g' }], { protocol: 'http', url: '' }],
]

/** One general change, or a boundary value for a member. */
function change(card: Json, random: () => number): Json {
  if (random() < 0.4) return mutate(card, random)
  const copy = copyOf(card)
  const places: [Any, string][] = []
  const collect = (value: Any): void => {
    if (value === null || typeof value !== 'object') return
    for (const key of Object.keys(value)) {
      places.push([value, key])
      collect(value[key])
    }
  }
  collect(copy)
  const place = places[Math.floor(random() * places.length)]
  if (place !== undefined) place[0][place[1]] = copyOf(TELLING[Math.floor(random() * TELLING.length)])
  return copy
}

/** Counts the mutated cards that only one schema accepts, and those that both accept or refuse. */
function compare(theirs: (card: Json) => boolean, rounds: number) {
  const random = randomNumbers(20261121)
  const count = { both: 0, neither: 0, onlyOurs: 0, onlyTheirs: 0, onlyInDraft: 0 }
  const examples: string[] = []
  for (let round = 0; round < rounds; round++) {
    let card: Json = samples[round % samples.length] as Json
    for (let changes = 1 + (round % 3); changes > 0; changes--) card = change(card, random)
    const [ours, other] = [validate(card), theirs(card)]
    if (ours === other) ours ? count.both++ : count.neither++
    else if (!ours && onlyInDraft(card) !== undefined) count.onlyInDraft++
    else {
      ours ? count.onlyOurs++ : count.onlyTheirs++
      examples.push(`${ours ? 'only we accept' : 'only we refuse'} ${JSON.stringify(card)}`)
    }
  }
  return { count, examples }
}

function compiled(alter: (schema: Any) => void = () => {}): (card: Json) => boolean {
  const schema = asTheDraftSays(JSON.parse(readFileSync(reference, 'utf8')))
  alter(schema)
  const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
  return ajv.compile(schema) as (card: Json) => boolean
}

test('the schema gives the same results for mutated cards as the schema of the repository where that follows the draft', (t) => {
  if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
  const { count, examples } = compare(compiled(), 12_000)
  assert.deepEqual(examples.slice(0, 5), [])
  assert.ok(count.both > 2000 && count.neither > 4000 && count.onlyInDraft > 300, JSON.stringify(count))
})

test('the comparison finds a schema that is too lax, and one that is too strict', (t) => {
  if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
  const looser = [
    (schema: Any) => delete schema.properties.name.maxLength,
    (schema: Any) => delete schema.properties.version.pattern,
    (schema: Any) => schema.$defs.Protocol.enum.push('websocket'),
    (schema: Any) => delete schema.$defs.Capability.properties.tags.items,
    (schema: Any) => delete schema.$defs.PricingModel.properties.base_cost_joules.minimum,
  ]
  for (const alter of looser) {
    const { count } = compare(compiled(alter), 3000)
    assert.ok(count.onlyTheirs > 0 && count.onlyOurs === 0, `${alter} ${JSON.stringify(count)}`)
  }
  const stricter = [
    (schema: Any) => schema.$defs.Endpoint.required.push('auth'),
    (schema: Any) => Object.assign(schema.$defs.Capability, { additionalProperties: false }),
    (schema: Any) => Object.assign(schema.properties.name, { maxLength: 127 }),
    (schema: Any) => Object.assign(schema.$defs.Capability.properties.tags, { uniqueItems: true }),
  ]
  for (const alter of stricter) {
    const { count } = compare(compiled(alter), 3000)
    assert.ok(count.onlyOurs > 0 && count.onlyTheirs === 0, `${alter} ${JSON.stringify(count)}`)
  }
})

test('each contradiction of the repository to the draft is real: as published, its schema refuses cards that we accept', (t) => {
  if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
  const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
  const published = ajv.compile(JSON.parse(readFileSync(reference, 'utf8')))
  const differing: Json[] = [
    plain,
    { ...plain, endpoint: { protocol: 'http', url: 'http://a' }, goal_subscriptions: [{ goal_id: 'g' }] },
    able({ id: 'fn.x' }),
    able({ id: 'x'.repeat(129), description: 'd' }),
    { ...plain, pricing: { per_token_joules: 1 } },
  ]
  for (const card of differing) assert.deepEqual([validate(card), published(card)], [true, false])
  const impossible = {
    ...plain,
    endpoint: { protocol: 'http', url: 'http://a' },
    pricing: { base_cost_joules: 1e-22 },
  }
  assert.deepEqual([validate(impossible), published(impossible)], [false, true])
})
