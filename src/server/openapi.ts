import { STATUS_CODES } from 'node:http'
import type { Json, JsonObject } from '../document/json.ts'
import type { Schema } from '../spec/schema-builder.ts'
import { PROBLEM_JSON } from './problem.ts'
import { DEFINITION_TYPES, MAX_VALUES } from './read-body.ts'
import { bodyLimitOf, scopeOf } from './register-routes.ts'
import type { AnswerDescription, DescribedRoute } from './route.ts'
import { agentView } from './schemas/agent-schemas.ts'
import { approvalView } from './schemas/approval-schemas.ts'
import { id } from './schemas/building.ts'
import { problem } from './schemas/problem-schema.ts'
import { auditEntry, memoryItem } from './schemas/record-schemas.ts'
import { ruleView } from './schemas/rule-schemas.ts'
import { batchView, runEvent, runState, runView } from './schemas/run-schemas.ts'
import { sessionView } from './schemas/session-schemas.ts'

/** Schemas that several routes use: the document contains each once, and refers to it. */
const NAMED: Readonly<Record<string, Schema>> = {
  Agent: agentView,
  Approval: approvalView,
  AuditEntry: auditEntry,
  Batch: batchView,
  Event: runEvent,
  MemoryItem: memoryItem,
  Problem: problem,
  Rule: ruleView,
  Run: runView,
  RunState: runState,
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
): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'Waybill', version, description: 'Durable runs of portable AI agents.' },
    ...(url !== undefined && { servers: [{ url }] }),
    security: [{ token: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [name, membersReferred(schema)]),
      ),
    },
  }
}

function operationOf(route: DescribedRoute): JsonObject {
  return {
    operationId: route.name,
    summary: route.summary,
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

function parametersOf({ path, query = {}, method }: DescribedRoute): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: id(`Names the ${name}.`),
  }))
  const inQuery = Object.entries(query).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A request with the same key and the same body gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [...inPath, ...inQuery, ...(method === 'POST' ? [key] : [])]
}

function bodyOf(route: DescribedRoute): JsonObject {
  const { body } = route
  const limit = { 'x-max-bytes': bodyLimitOf(route) }
  if (body?.kind === 'bytes') return { required: true, content: { '*/*': {} }, ...limit }
  if (body?.kind === 'stream') return { required: true, content: { [body.mediaType]: {} } }
  if (body?.kind !== 'json') {
    const content = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, {}]))
    return { required: true, content, ...limit }
  }
  const types = ['json', ...(body.encodings ?? [])].map((name) => `application/${name}`)
  const content = Object.fromEntries(types.map((type) => [type, { schema: referred(body.schema) }]))
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
              ? { [PROBLEM_JSON]: { schema: referred(problem) } }
              : { 'application/json': { schema: referred(route.errors) } },
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
    schema === undefined || type === 'text/event-stream' ? {} : { schema: referred(schema) },
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
function referred(value: Json): Json {
  const name = NAMES.get(value)
  return name === undefined ? membersReferred(value) : { $ref: `#/components/schemas/${name}` }
}

function membersReferred(value: Json): Json {
  if (Array.isArray(value)) return value.map(referred)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, referred(member as Json)]))
}
