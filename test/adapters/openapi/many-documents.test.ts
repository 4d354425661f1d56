import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readApiDocument } from '../../../src/adapters/openapi/api-document.ts'
import { discoverOperations } from '../../../src/adapters/openapi/discover-operations.ts'
import { findOperations } from '../../../src/adapters/openapi/find-operations.ts'
import { operationsOf } from '../../../src/adapters/openapi/operations.ts'
import type { JsonObject } from '../../../src/document/json.ts'
import { wholeOffer } from '../../../src/plan/whole-schema.ts'
import { compileUserSchema } from '../../../src/schema/user-schema.ts'
import { imitation } from './many-documents.ts'

const DOCUMENTS = 100

describe(`${DOCUMENTS} documents with the structure and the mistakes of published ones`, () => {
  test('every operation is planned, no document is refused for one odd part, and each search finds its operation', async (t) => {
    const count = { documents: 0, searched: 0, planned: 0, callable: 0, never: 0, found: 0, asked: 0 }
    for (let number = 0; number < DOCUMENTS; number++) {
      const { name, text, operations, never } = imitation(number)
      const read = readApiDocument(text)
      assert.ok(read.ok, `${name}: ${read.ok ? '' : read.reason}`)
      const all = operationsOf(read.document)
      assert.equal(all.length, operations, name)
      const discovery = await discoverOperations(
        { name: 'api', description: 'An API.', endpoint: 'api' },
        { readFile: () => ({ ok: true, text }), grants: { hosts: [] } },
      )
      assert.ok(discovery.found, `${name}: ${discovery.found ? '' : discovery.reason}`)
      count.documents += 1
      count.planned += operations
      count.never += never
      const { tools } = discovery
      if (tools[0]?.binding.part === 'find') {
        count.searched += 1
        count.callable += operations - never
        for (const operation of all.filter((_each, index) => index % 13 === 0)) {
          const { found } = findOperations(read.document, all, operation.summary) as JsonObject
          count.asked += 1
          if ((found as readonly JsonObject[]).some((one) => one.operation === operation.name))
            count.found += 1
        }
        const said = discovery.notes?.texts.join() ?? ''
        if (never > 0) assert.match(said, /can never be called/, name)
      } else {
        assert.equal(tools.length, operations, name)
        const callable = tools.filter(({ unavailable }) => unavailable === undefined)
        assert.equal(callable.length, operations - never, name)
        count.callable += callable.length
        const names = new Set(tools.map((tool) => tool.name))
        assert.equal(names.size, operations, name)
        for (const tool of callable) {
          const { parameters_schema } = wholeOffer(tool, undefined)
          assert.notEqual(compileUserSchema(parameters_schema)(5), null, `${name}: ${tool.name}`)
          assert.match(tool.url ?? '', /^https:\/\/(?:api|eu)\.example\.com/)
        }
      }
    }
    t.diagnostic(JSON.stringify(count))
    assert.equal(count.documents, DOCUMENTS)
    assert.ok(count.planned > 2000 && count.searched > 10 && count.never > 40, JSON.stringify(count))
    assert.equal(count.callable, count.planned - count.never)
    assert.ok(count.found >= count.asked * 0.9, `${count.found} of ${count.asked} found`)
  })
})
