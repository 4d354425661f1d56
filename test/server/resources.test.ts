import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Home } from '../../src/session/home.ts'
import type { Principal } from '../../src/session/principal.ts'
import { sender, tryAgents, tryConversations, tryEmpty } from './resources.ts'
import { serveFake } from './served.ts'

const PRINCIPAL: Principal = { organisation: 'acme', user: 'acme-admin', roles: ['admin'] }

describe('resources over HTTP', () => {
  test('agents are stored once, with versions, labels and their bytes', async (t) => {
    const served = await serveFake(t)
    await tryAgents(sender(served, served.token))
  })

  test('batches and sessions', async (t) => {
    const served = await serveFake(t)
    const send = sender(served, served.token)
    await tryAgents(send)
    await tryConversations(send)
  })

  test('an organisation without records has empty pages', async (t) => {
    const served = await serveFake(t)
    await tryEmpty(sender(served, served.token))
  })

  test('only the first decision counts, and each of several has its own outcome', async (t) => {
    const { send, token, platform } = await serveFake(t)
    for (const id of ['a1', 'a2', 'a3']) platform.ask('acme', id)
    assert.equal((await send('GET', '/v1/approvals', { token })).json.items.length, 3)
    const first = await send('POST', '/v1/approvals/a1', {
      token,
      json: { verdict: 'approve', note: 'fine' },
    })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.json.tool, 'refund')
    const second = await send('POST', '/v1/approvals/a1', { token, json: { verdict: 'deny' } })
    assert.equal(second.status, 409)
    assert.equal(second.json.code, 'APPROVAL_DECIDED')
    const several = await send('POST', '/v1/approvals', {
      token,
      json: {
        items: [
          { id: 'a1', verdict: 'deny' },
          { id: 'a2', verdict: 'deny' },
          { id: 'none', verdict: 'deny' },
          { id: 'a3', verdict: 'resend' },
        ],
      },
    })
    assert.deepEqual(
      several.json.items.map(({ status, problem }: { status: number; problem?: { code: string } }) => [
        status,
        problem?.code,
      ]),
      [
        [409, 'APPROVAL_DECIDED'],
        [200, undefined],
        [404, 'APPROVAL_NOT_FOUND'],
        [422, 'APPROVAL_VERDICT_INVALID'],
      ],
    )
  })

  test('grants, memory and audit log are paged, and changed only as the query says', async (t) => {
    const { send, token, platform } = await serveFake(t)
    const { home } = platform.tenant(PRINCIPAL)
    await fill(home)
    const rules = await allPages('/v1/rules?limit=2', (path) => send('GET', path, { token }))
    assert.deepEqual(
      rules.map(({ id, in_force }) => [id, in_force]),
      [
        ['g-1', true],
        ['g-2', true],
        ['g-3', false],
      ],
    )
    assert.deepEqual((await send('DELETE', '/v1/rules/g-2', { token })).json, { removed: 1 })
    assert.equal((await home.grants.list()).length, 2)
    const entries = await allPages('/v1/audit?limit=2', (path) => send('GET', path, { token }))
    assert.deepEqual(
      entries.map(({ n }) => n),
      entries.map((_entry, index) => index + 1),
    )
  })
})

async function fill({ grants }: Home): Promise<void> {
  const given = { kind: 'host', what: 'api.parcels.example', by: 'ada' } as const
  for (const n of [1, 2, 3]) {
    const at = `2026-01-0${n}T00:00:00.000Z`
    const until = n === 3 ? { until: '2026-01-04T00:00:00.000Z' } : {}
    await grants.give({ ...given, id: `g-${n}`, at, ...until }, [{ kind: 'grant.given', at }])
  }
}

type Page = { json: { items: Record<string, unknown>[]; next: string | null } }

async function allPages(
  first: string,
  get: (path: string) => Promise<Page>,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for (let path: string | null = first; path !== null; ) {
    const { json }: Page = await get(path)
    items.push(...json.items)
    path = json.next === null ? null : `${first}&cursor=${encodeURIComponent(json.next)}`
  }
  return items
}
