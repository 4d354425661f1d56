import { STATUS_CODES } from 'node:http'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { DEFINITION_TYPES } from '../http/accepted-types.ts'
import { PROBLEM_JSON } from '../http/problem.ts'
import { problem } from '../http/problem-schema.ts'
import type { AnswerDescription, DescribedRoute } from '../http/route.ts'
import { agentView } from '../platform/agents/agent.ts'
import { approvalView } from '../platform/inbox/approval.ts'
import { ruleView } from '../platform/inbox/decision.ts'
import { runView } from '../platform/records/run-view.ts'
import { batchView, runEvent, runStanding } from '../platform/runs/run.ts'
import { sessionView } from '../platform/sessions/session.ts'
import type { Schema } from '../spec/schema-builder.ts'
import { describeOperation } from './describe-operation.ts'
import { IDEMPOTENCY_KEY } from './idempotent.ts'
import { MAX_VALUES } from './read-body.ts'
import { bodyLimitOf, scopeOf, takesKey } from './register-routes.ts'
import { agentDocument, DOCUMENT_PARTS, stateDocument } from './schemas/document-schemas.ts'
import { pathParameter } from './schemas/path-parameters.ts'
import { auditEntry, memoryItem } from './schemas/record-schemas.ts'

/** Schemas that several routes use: the document contains each once, and refers to it. */
const NAMED: Readonly<Record<string, Schema>> = {
  Agent: agentView,
  AgentDefinition: agentDocument,
  AgentState: stateDocument,
  Approval: approvalView,
  AuditEntry: auditEntry,
  Batch: batchView,
  Event: runEvent,
  MemoryItem: memoryItem,
  Problem: problem,
  Rule: ruleView,
  Run: runView,
  RunState: runStanding,
  Session: sessionView,
}

const NAMES: ReadonlyMap<Json, string> = new Map(
  Object.entries(NAMED).map(([name, schema]) => [schema, name]),
)

/**
 * Returns the OpenAPI 3.1 document of the routes. It is made from the schemas that check the requests, so it cannot
 * differ from them.
 */
export function openapiOf(
  routes: readonly DescribedRoute[],
  version: string,
  url: string | undefined,
  tags: Readonly<Record<string, string>>,
): JsonObject {
  const paths: Record<string, JsonObject> = {}
  const components = new Components()
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: components.referred(operationOf(route)),
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this platform', ...(url !== undefined && { url }) },
    },
    servers: [{ url: url ?? '/', description: 'This platform.' }],
    security: [{ token: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tags[name] ?? name,
    })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of `POST /v1/tokens`.' },
      },
      schemas: components.schemas(),
    },
  }
}

const ABOUT = `Durable runs of portable AI agents.

The server checks requests with the schemas of this document. Three keywords say what JSON Schema cannot: a value with \`x-opaque\` is made by a server or signed, so it cannot be made from its schema; \`x-further-rule\` names a rule that a valid value may break; text with \`x-well-formed\` contains no unpaired surrogate.`

/** Collects the schemas that the document contains once: those that several routes use, and the kinds of a value. */
class Components {
  readonly #schemas = new Map<string, Json>()

  constructor() {
    for (const [name, schema] of Object.entries({ ...NAMED, ...DOCUMENT_PARTS })) this.#add(name, schema)
  }

  schemas(): JsonObject {
    return Object.fromEntries(this.#schemas)
  }

  /** Returns a value in which each named schema is a reference. */
  referred(value: Json): Json {
    const name = NAMES.get(value)
    return name === undefined ? this.#membersReferred(value) : referenceTo(name)
  }

  #membersReferred(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.referred(item))
    if (!isObject(value)) return value
    const members = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.referred(member as Json)]),
    )
    return isObject(value.discriminator) ? this.#withKinds(value, members) : members
  }

  /** A discriminator maps to named schemas only. */
  #withKinds(schema: JsonObject, members: JsonObject): JsonObject {
    const variants = Array.isArray(schema.oneOf) ? schema.oneOf.filter(isObject) : []
    const tag = String((schema.discriminator as JsonObject).propertyName)
    const mapping: Record<string, string> = {}
    for (const variant of variants) {
      const { title, ...of } = variant
      this.#add(String(title), of)
      for (const value of enumOf(variant, tag)) mapping[value] = referenceTo(String(title)).$ref
    }
    return {
      ...members,
      discriminator: { propertyName: tag, mapping },
      oneOf: variants.map(({ title }) => referenceTo(String(title))),
    }
  }

  /** @throws TypeError if two schemas have the same name */
  #add(name: string, of: Json): void {
    const shown = this.#membersReferred(of)
    const known = this.#schemas.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shown))
      throw new TypeError(`two schemas are named ${name}`)
    this.#schemas.set(name, shown)
  }
}

function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function enumOf({ properties }: JsonObject, tag: string): readonly string[] {
  const member = isObject(properties) ? properties[tag] : undefined
  return isObject(member) && Array.isArray(member.enum) ? member.enum.map(String) : []
}

function operationOf(route: DescribedRoute): JsonObject {
  return {
    operationId: route.name,
    summary: route.summary,
    description: describeOperation(route),
    tags: [route.tag],
    ...(route.access === 'public'
      ? { security: [] }
      : {
          'x-roles': [...new Set([...route.access, 'admin'])],
          'x-scopes': [scopeOf(route), ...(route.alsoScope === undefined ? [] : [route.alsoScope])],
        }),
    parameters: parametersOf(route),
    ...(route.body !== undefined && { requestBody: bodyOf(route) }),
    responses: responsesOf(route),
  }
}

function parametersOf(route: DescribedRoute): Json {
  const { path, query = {}, headers = {} } = route
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathParameter(name),
  }))
  const inQuery = Object.entries(query).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }))
  const inHeaders = Object.entries(headers).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'header',
    description,
    schema,
  }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A request with the same key and the same body gets the first answer.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
  }
  return [...inPath, ...inQuery, ...inHeaders, ...(takesKey(route) ? [key] : [])]
}

function bodyOf(route: DescribedRoute): JsonObject {
  const { body } = route
  const limit = { 'x-max-bytes': bodyLimitOf(route) }
  if (body?.kind === 'bytes') return { required: true, content: { '*/*': {} }, ...limit }
  if (body?.kind === 'stream') return { required: true, content: { [body.mediaType]: {} } }
  if (body?.kind !== 'json') {
    const content = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, { schema: agentDocument }]))
    return { required: true, content, ...limit }
  }
  const types = ['json', ...(body.encodings ?? [])].map((name) => `application/${name}`)
  const content = Object.fromEntries(types.map((type) => [type, { schema: body.described ?? body.schema }]))
  const values = { 'x-max-values': body.maxValues ?? MAX_VALUES }
  return { required: body.optional !== true, content, ...limit, ...values }
}

function responsesOf(route: DescribedRoute): JsonObject {
  const good = Object.entries(route.answers).map(([status, answer]) => [status, responseOf(answer)] as const)
  const bad = problemStatuses(route).map(
    (status) =>
      [
        String(status),
        {
          description: STATUS_CODES[status] ?? 'An error',
          content:
            route.errors === undefined
              ? { [PROBLEM_JSON]: { schema: problem } }
              : { 'application/json': { schema: route.errors } },
        },
      ] as const,
  )
  return Object.fromEntries([...good, ...bad])
}

function responseOf({
  description,
  schema,
  mediaTypes = ['application/json'],
  empty,
}: AnswerDescription): JsonObject {
  if (empty === true) return { description }
  const content = mediaTypes.map((type) => [
    type,
    schema === undefined || type === 'text/event-stream' ? {} : { schema },
  ])
  return { description, content: Object.fromEntries(content) }
}

/** The statuses of requests that fail. */
function problemStatuses(route: DescribedRoute): readonly number[] {
  const { path, body, access, method, answers, errors, failures = [] } = route
  // The routes of another protocol convert the statuses.
  if (errors !== undefined) return failures
  const statuses = new Set([400, 408, 413, 421, 422, 431, 500, 503, 507, ...failures])
  if (access !== 'public') for (const status of [401, 403, 429]) statuses.add(status)
  if (path.includes('{')) statuses.add(404)
  if (method !== 'GET') for (const status of [409, 415]) statuses.add(status)
  // An agent or a run that the body names.
  if (body !== undefined) statuses.add(404)
  if (Object.values(answers).some(({ mediaTypes }) => mediaTypes === DEFINITION_TYPES)) statuses.add(406)
  return [...statuses].sort((a, b) => a - b)
}

/** Returns a schema in which each named schema is a reference. */
