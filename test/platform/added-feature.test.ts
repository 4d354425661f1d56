import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { subjectKeyFiles } from '../../src/compose/subject-key-files.ts'
import { isObject, type JsonObject } from '../../src/document/json.ts'
import type { Route } from '../../src/http/route.ts'
import { compileCheck } from '../../src/http/schema-check.ts'
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts'
import { writeBackup } from '../../src/platform/backup/write-backup.ts'
import { prepareDatabase } from '../../src/platform/database/open-database.ts'
import { FEATURES, tablesOf } from '../../src/platform/features.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { invalidValues, validValues } from '../server/schema-values.ts'
import { filled, place, ROLES } from './filled-platform.ts'
import { until } from './leg-place.ts'
import { NOTES } from './notes/feature.ts'
import { emptyDatabase, onServer, rowsOf } from './postgres.ts'

const ALL = [...FEATURES, NOTES]
const TABLES = tablesOf(ALL)

/** The routes of one kind of resource: a list, and below it each resource by its id. */
interface Resource {
  readonly name: string
  readonly list: Route
  readonly create: Route
  /** Of one resource. */
  readonly others: readonly Route[]
  readonly body: JsonObject
}

/** Whose lists are not empty at first, because requests need them: `people.test.ts` and `tokens.test.ts` cover them. */
const NEEDED = ['/v1/organisations', '/v1/tokens']

/** Returns whether a resource needs others that exist before it; the suites of its feature test such a resource. */
function isOfOthers({ required, oneOf }: JsonObject): boolean {
  if (Array.isArray(required) && required.includes('agent_id')) return true
  return Array.isArray(oneOf) && oneOf.filter(isObject).some(isOfOthers)
}

/** The resources of all features that are created by a POST to their list. */
const RESOURCES: readonly Resource[] = ALL.flatMap(({ routes }) => {
  const all: readonly Route<never>[] = routes
  return (all as readonly Route[]).flatMap((create) => {
    const { method, path, body } = create
    const list = (all as readonly Route[]).find((one) => one.method === 'GET' && one.path === path)
    const others = (all as readonly Route[]).filter((one) => one.path.startsWith(`${path}/{`))
    if (method !== 'POST' || body?.kind !== 'json' || list === undefined || others.length === 0) return []
    if (create.answers[201] === undefined || NEEDED.includes(path) || isOfOthers(body.schema)) return []
    return [{ name: create.tag, list, create, others, body: body.schema }]
  })
})

const of = {
  document: {},
  fits: (schema: JsonObject, value: unknown) => compileCheck(schema)(value as never).length === 0,
}

/** Returns a valid body, with the user in the member `user` if it has one. */
function bodyOf({ body }: Pick<Resource, 'body'>, seed: number, user = 'ada'): JsonObject {
  const [value] = fc.sample(validValues(body, of), { numRuns: 1, seed })
  const members = isObject(body.properties) ? body.properties : {}
  return {
    ...(value as JsonObject),
    ...('user' in members && { user }),
    ...('url' in members && { url: 'https://hooks.acme.example/in' }),
  }
}

async function site(t: TestContext, more: object = {}) {
  return place(t, {}, { databaseUrl: await emptyDatabase(t), features: ALL, ...more })
}

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('each feature of the list, one of which only the test has', () => {
  it('has resources that the suite finds by itself', () => {
    assert.deepEqual(
      RESOURCES.map(({ name }) => name),
      [...new Set(RESOURCES.map(({ name }) => name))],
    )
    for (const name of ['webhooks', 'notes'])
      assert.ok(
        RESOURCES.some((one) => one.name === name),
        name,
      )
  })

  it('is in the OpenAPI document, with what its tag is for', async (t) => {
    const { send } = await site(t)
    const document = (await send('GET', '/openapi.json')).json
    for (const { routes, tags } of ALL) {
      for (const { path, method, name } of routes)
        assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, name)
      for (const [name, description] of Object.entries(tags))
        assert.deepEqual(
          document.tags.find((tag: { readonly name: string }) => tag.name === name),
          { name, description },
        )
    }
  })

  for (const resource of RESOURCES) {
    const { name, list, create, others } = resource
    describe(name, () => {
      it('is separated by organisations and roles, repeated by its key, paged, and checked', async (t) => {
        const { send, admin, other, own } = await site(t)
        const post = (token: string, json: unknown, headers = {}) =>
          send('POST', create.path, { token, json, headers })
        const made = await post(admin, bodyOf(resource, 1), { 'idempotency-key': 'one' })
        assert.equal(made.status, 201, made.text)
        const { id } = made.json
        const again = await post(admin, bodyOf(resource, 1), { 'idempotency-key': 'one' })
        assert.deepEqual(
          [again.status, again.json.id],
          [201, id],
          'the same request again is the same resource',
        )
        const secrets = Object.keys(made.json).filter((member) => !(member in again.json))
        for (const member of secrets)
          assert.ok(!again.text.includes(made.json[member]), `${member} is shown once`)

        for (const seed of [2, 3]) assert.equal((await post(admin, bodyOf(resource, seed))).status, 201)
        const seen: string[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await send('GET', `${list.path}?limit=2${cursor && `&cursor=${cursor}`}`, {
            token: admin,
          })
          assert.equal(page.status, 200, page.text)
          assert.ok(page.json.items.length <= 2)
          for (const item of page.json.items) seen.push(item.id)
          cursor = page.json.next
        }
        assert.equal(new Set(seen).size, 3)
        assert.equal(seen.length, 3)

        const names = new Proxy(
          {},
          { get: () => id, getOwnPropertyDescriptor: () => ({ configurable: true }) },
        )
        for (const route of others) {
          const path = filled(route.path, names)
          const json = route.body?.kind === 'json' ? { json: bodyOf({ body: route.body.schema }, 4) } : {}
          const far = await send(route.method, path, { token: other, ...json })
          assert.equal(far.status, 404, `${route.name} of another organisation: ${far.text}`)
          assert.equal((await send(route.method, path, json)).status, 401, route.name)
          for (const role of ROLES) {
            if (route.access !== 'public' && route.access.includes(role)) continue
            const near = await send(route.method, path, { token: own.get(role) ?? '', ...json })
            assert.deepEqual([near.status, near.json.code], [403, 'ROLE_MISSING'], `${route.name} by ${role}`)
          }
        }
        assert.deepEqual((await send('GET', list.path, { token: other })).json.items, [])
        const unchanged = await send('GET', list.path, { token: admin })
        assert.equal(unchanged.json.items.length, 3, 'nothing was removed')

        const unknown = await post(admin, { ...bodyOf(resource, 5), not_a_member: 1 })
        assert.deepEqual([unknown.status, unknown.json.code], [422, 'REQUEST_INVALID'])
        for (const value of fc.sample(invalidValues(resource.body, of), { numRuns: 20, seed: 6 })) {
          const refused = await post(admin, value)
          assert.ok(
            refused.status >= 400 && refused.status < 500,
            `${JSON.stringify(value)}: ${refused.text}`,
          )
          assert.equal(typeof refused.json.code, 'string')
        }
        for (const seed of seeds(10)) {
          const taken = await post(admin, bodyOf(resource, 100 + seed))
          assert.equal(taken.status, 201, taken.text)
        }
      })

      it('is in a backup, which another database restores', async (t) => {
        const { send, admin, ownerUrl } = await site(t)
        const { json: made } = await send('POST', create.path, { token: admin, json: bodyOf(resource, 1) })
        const folder = mkdtempSync(join(tmpdir(), 'waybill-features-'))
        t.after(() => rmSync(folder, { recursive: true, force: true }))
        const subjects = subjectKeyFiles(join(folder, 'keys'))
        const to = join(folder, 'backup')
        await writeBackup({
          ownerUrl,
          folder: to,
          tables: TABLES.tables,
          subjects,
          keys: [],
          version: '9.9.9',
        })
        const restored = await emptyDatabase(t)
        await prepareDatabase(restored, TABLES.steps)
        const { privateKey } = generateKeyPairSync('ed25519')
        const nextEntry = entryMaker(() => privateKey)
        await restoreBackup({ ownerUrl: restored, folder: to, steps: TABLES.steps, subjects, nextEntry })
        const rows = await rowsOf<{ readonly found: boolean }>(
          restored,
          `SELECT EXISTS (SELECT FROM waybill.${resource.name} AS t WHERE t.id = '${made.id}') AS found`,
        )
        assert.deepEqual(rows, [{ found: true }])
      })
    })
  }

  it('removes what it has of a user with the user', async (t) => {
    const { send, admin, ownerUrl } = await site(t, { worker: { leaseMs: 10_000, pollMs: 50 } })
    const canary = 'canary-of-a-user'
    const about = RESOURCES.filter(({ body }) => isObject(body.properties) && 'user' in body.properties)
    assert.ok(about.length > 0)
    for (const resource of about)
      for (const user of [canary, 'bob'])
        assert.equal(
          (await send('POST', resource.create.path, { token: admin, json: bodyOf(resource, 1, user) }))
            .status,
          201,
        )
    const { json } = await send('POST', '/v1/erasures', { token: admin, json: { user: canary } })
    await until(
      async () => (await send('GET', `/v1/erasures/${json.id}`, { token: admin })).json.state === 'removed',
    )
    for (const { list } of about) {
      const left = await send('GET', list.path, { token: admin })
      assert.ok(!left.text.includes(canary))
      assert.ok(left.text.includes('bob'), 'what others have stays')
    }
    assert.deepEqual(await rowsOf(ownerUrl, `SELECT FROM waybill.notes WHERE user_id = '${canary}'`), [])
    await onServer(ownerUrl, 'SELECT 1')
  })
})
