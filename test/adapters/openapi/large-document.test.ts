import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type Plan, planRun } from 'waybill'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { ToolFailure } from '../../../src/run/ports.ts'
import { agentWith, apiPort, apiServer, callApi, documentOf, folderWith, toolOf } from './api-fixture.ts'

const THINGS = ['invoice', 'parcel', 'driver', 'depot', 'customer', 'route']

/** 1,200 operations: six things in fifty countries, each listed, read, made and deleted. */
function largeDocument(url: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (let country = 0; country < 50; country++) {
    for (const thing of THINGS) {
      const name = `${thing[0]?.toUpperCase()}${thing.slice(1)}s${country}`
      const schema = { $ref: `#/components/schemas/${thing}` }
      paths[`/${country}/${thing}s`] = {
        get: { operationId: `list${name}`, summary: `All ${thing}s of country ${country}`, tags: [thing] },
        post: {
          operationId: `make${name}`,
          summary: `Make a new ${thing}`,
          tags: [thing],
          requestBody: { required: true, content: { 'application/json': { schema } } },
        },
      }
      paths[`/${country}/${thing}s/{id}`] = {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: `read${name}`, summary: `One ${thing}`, tags: [thing] },
        delete: { operationId: `drop${name}`, summary: `Delete a ${thing}`, tags: [thing] },
      }
    }
  }
  const schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } }
  const schemas = Object.fromEntries(THINGS.map((thing) => [thing, schema]))
  return documentOf(paths, { servers: [{ url }], components: { schemas } })
}

describe('openapi tools: a document with 1,200 operations', () => {
  let document: JsonObject
  before(() => {
    document = largeDocument('http://127.0.0.1:1')
  })

  const refused = (code: string, says: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ToolFailure, String(error))
    assert.deepEqual([error.code, error.outcome], [code, 'unsent'])
    assert.match(error.message, says)
    return true
  }

  async function planIn(folder: string, tool: JsonObject = {}): Promise<Plan> {
    const agent = agentWith({ name: 'shop', endpoint: 'api.json', ...tool })
    return planRun(agent, { folder, allowHosts: ['127.0.0.1'], env: {} })
  }

  test('AAIF-4.4-06: it becomes three tools and a plan of a few kilobytes', async (t) => {
    const plan = await planIn(folderWith(t, { 'api.json': document }))
    assert.deepEqual(
      plan.tools.map(({ name, effect, gate }) => [name, effect, gate]),
      [
        ['shop_find', 'read', 'allow'],
        ['shop_read', 'read', 'allow'],
        ['shop_write', 'write', 'allow'],
      ],
    )
    assert.ok(JSON.stringify(plan).length < 8_000)
  })

  test('a fragment that chooses few of them lists these', async (t) => {
    const plan = await planIn(folderWith(t, { 'api.json': document }), {
      endpoint: 'api.json#listParcels7,readParcels7',
    })
    assert.deepEqual(
      plan.tools.map(({ name }) => name),
      ['listParcels7', 'readParcels7'],
    )
  })

  test('operations are found by keywords, and by their name', async (t) => {
    const find = toolOf(await planIn(folderWith(t, { 'api.json': document })), 'shop_find')
    const names = async (query: string, limit?: number) => {
      const answer = (await callApi(find, { query, ...(limit !== undefined && { limit }) })) as {
        readonly found: readonly { readonly operation: string; readonly call_with: string }[]
        readonly matching: number
      }
      return answer
    }
    const byWords = await names('delete an invoice', 3)
    assert.equal(byWords.found.length, 3)
    assert.ok(byWords.found.every(({ operation }) => operation.startsWith('dropInvoices')))
    assert.equal(byWords.found[0]?.call_with, 'write')
    assert.ok(byWords.matching > 40)
    const exact = await names('readDepots49', 1)
    assert.deepEqual(exact.found[0] as unknown as Json, {
      operation: 'readDepots49',
      call_with: 'read',
      method: 'GET',
      path: '/49/depots/{id}',
      summary: 'One depot',
      parameters_schema: {
        type: 'object',
        properties: { id: { type: 'integer' } },
        required: ['id'],
        additionalProperties: false,
      },
    })
    assert.deepEqual((await names('zebra')).found, [])
  })

  test('an operation is called by its name, with arguments that its own schema has passed', async (t) => {
    const { url, received } = await apiServer(t)
    const plan = await planIn(folderWith(t, { 'api.json': largeDocument(url) }))
    const [read, write] = [toolOf(plan, 'shop_read'), toolOf(plan, 'shop_write')]
    await callApi(read, { operation: 'readParcels3', arguments: { id: 5 } })
    await callApi(write, { operation: 'makeDrivers2', arguments: { body: { total: 1 } } })
    assert.deepEqual(
      received.map(({ method, path, body }) => [method, path, body]),
      [
        ['GET', '/3/parcels/5', ''],
        ['POST', '/2/drivers', '{"total":1}'],
      ],
    )
    const bad = [
      [read, { operation: 'readParcels3', arguments: { id: 'x' } }, /\/id: must be an integer/],
      [read, { operation: 'readParcels3' }, /id/],
      [write, { operation: 'makeDrivers2', arguments: { body: {} } }, /total/],
      [read, { operation: 'readParcel3' }, /did you mean readParcels3/],
    ] as const
    for (const [tool, args, says] of bad) {
      await assert.rejects(callApi(tool, args), refused('TOOL_ARGUMENTS_INVALID', says))
    }
    assert.equal(received.length, 2)
  })

  test('a write cannot be called as a read', async (t) => {
    const { url, received } = await apiServer(t)
    const plan = await planIn(folderWith(t, { 'api.json': largeDocument(url) }))
    const call = (tool: string, operation: string) =>
      callApi(toolOf(plan, tool), { operation, arguments: { id: 1 } })
    await assert.rejects(call('shop_read', 'dropParcels1'), refused('TOOL_ARGUMENTS_INVALID', /_write/))
    await assert.rejects(call('shop_write', 'readParcels1'), refused('TOOL_ARGUMENTS_INVALID', /_read/))
    assert.equal(received.length, 0)
  })

  test('a document that changed after planning is not used', async (t) => {
    const folder = folderWith(t, { 'api.json': document })
    const find = toolOf(await planIn(folder), 'shop_find')
    const changed = { ...document, servers: [{ url: 'http://127.0.0.1:2' }] }
    writeFileSync(join(folder, 'api.json'), JSON.stringify(changed))
    await assert.rejects(callApi(find, { query: 'parcel' }), refused('TOOL_DOCUMENT_CHANGED', /has changed/))
  })

  test('the document is read once for all calls of a run', async (t) => {
    const { url, received } = await apiServer(t, (response) => response.end(JSON.stringify(document)))
    const agent = agentWith({ name: 'shop', endpoint: `${url}/api.json` })
    const plan = await planRun(agent, { allowHosts: ['127.0.0.1'], env: {} })
    const port = apiPort()
    await Promise.all([1, 2, 3].map(() => callApi(toolOf(plan, 'shop_find'), { query: 'parcel' }, port)))
    assert.equal(received.length, 2, 'once to plan, once to call')
  })
})
