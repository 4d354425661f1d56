import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { OperationBinding } from '../../../src/adapters/openapi/binding.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { readDocument } from '../../../src/document/read-document.ts'
import { exampleOf } from '../../../src/testing/example-value.ts'
import { apiServer, callApi, planApi } from './api-fixture.ts'

const folder = join(process.env.WAYBILL_TEST_DATA ?? '../shared', 'corpus/openapi')

/** Number of operations of each published document, counted by hand. */
const OPERATIONS: Readonly<Record<string, number>> = {
  'astronomy-openapi.yml': 1,
  'messages-openapi.yml': 2,
  'driveitem-openapi.yml': 1,
  'apod.yaml': 1,
  'instacart-service.yaml': 1,
  'akv-openapi.yaml': 2,
  'duplicate-operationid-openapi.yaml': 2,
  'no-operationid-openapi.yaml': 1,
}

describe('openapi tools: published documents', () => {
  const absent = existsSync(folder) ? false : `needs the published documents at ${folder}`
  for (const file of absent === false ? readdirSync(folder) : ['(none)']) {
    test(`AAIF-4.4-06: every operation of ${file.split('__').at(-1)} makes the request it describes`, async (t) => {
      if (absent !== false) return t.skip(absent)
      const { url, received } = await apiServer(t)
      const { document } = readDocument(readFileSync(join(folder, file)), { file })
      const here = atServer(document?.value as JsonObject, url)
      const paths = here.paths as Record<string, Record<string, JsonObject>>
      const described = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => /^(get|head|post|put|patch|delete|options)$/.test(method))
          .map((method) => `${method.toUpperCase()} ${path}`),
      )
      const known = OPERATIONS[file.split('__').at(-1) ?? '']
      if (known !== undefined) assert.equal(described.length, known)
      const plan = await planApi(t, here)
      const bindings = plan.tools.map(({ binding }) => binding as unknown as OperationBinding)
      assert.deepEqual(
        bindings.map(({ method, path }) => `${method} ${path}`),
        described,
      )
      assert.equal(new Set(plan.tools.map(({ name }) => name)).size, described.length)
      for (const tool of plan.tools) {
        const binding = tool.binding as unknown as OperationBinding
        const args = exampleOf(tool.parameters_schema as JsonObject) as JsonObject
        await callApi(tool, args)
        const last = received.at(-1)
        assert.equal(last?.method, binding.method)
        const at = new URL(last?.path ?? '', url)
        assert.equal(new URL(at.pathname, url).pathname, expectedPath(binding, args))
        for (const { argument, name, in: place, style } of binding.parameters) {
          const value = args[argument]
          if (value === undefined || value === null) continue
          if (place === 'query' && typeof value !== 'object')
            assert.equal(at.searchParams.get(name), String(value))
          if (place === 'query' && Array.isArray(value) && style === 'form' && value.length > 0)
            assert.ok(at.searchParams.has(name), `${name} of ${tool.name}`)
          if (place === 'header') assert.equal(last?.headers[name.toLowerCase()], String(value))
        }
        if (binding.body !== undefined && args[binding.body.argument] !== undefined) {
          assert.ok(last?.headers['content-type']?.startsWith(binding.body.media_type))
          bodyHolds(binding, last?.body ?? '', args[binding.body.argument] as Json)
        }
      }
      assert.equal(received.length, described.length)
    })
  }
})

/** The document as it was published, with every list of servers leading here. */
function atServer(document: JsonObject, url: string): JsonObject {
  const items = Object.entries(document.paths as Record<string, JsonObject>).map(
    ([path, { servers, ...item }]) => [path, item],
  )
  return { ...document, servers: [{ url: `${url}/base` }], paths: Object.fromEntries(items) }
}

/** Written here once more, for the only style that the published documents use. */
function expectedPath({ path, parameters }: OperationBinding, args: JsonObject): string {
  let expected = path
  for (const { name, argument, in: place } of parameters) {
    if (place === 'path') expected = expected.replace(`{${name}}`, encodeURIComponent(String(args[argument])))
  }
  return new URL(`http://h/base${expected}`).pathname
}

function bodyHolds({ body }: OperationBinding, received: string, given: Json): void {
  if (body?.as === 'json') assert.deepEqual(JSON.parse(Buffer.from(received, 'latin1').toString()), given)
  if (body?.as === 'form') {
    const form = new URLSearchParams(received)
    for (const [name, value] of Object.entries(given as JsonObject)) {
      if (typeof value !== 'object') assert.equal(form.get(name), String(value))
    }
  }
}
