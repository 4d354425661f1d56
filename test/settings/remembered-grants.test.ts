import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MemoryPlace } from '../../src/adapters/records/memory/memory-place.ts'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import { WaybillError } from '../../src/document/issue.ts'
import { grantedUses } from '../../src/plan/granted-uses.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import { callFingerprint, grantsForUse } from '../../src/policy/call-fingerprint.ts'
import type { Grant } from '../../src/run/record/grant.ts'
import { auditDamaged } from '../../src/run/record/record-errors.ts'
import {
  fingerprintsFor,
  giveGrant,
  newGrantId,
  rememberedGrants,
  revokeGrants,
} from '../../src/settings/remembered-grants.ts'
import type { AuditEntry } from '../../src/trust/audit-chain.ts'

const AT = '2026-11-22T10:00:00Z'
const host: Grant = { id: 'g-1', kind: 'host', what: 'api.example', by: 'ada', at: AT }
const secret: Grant = { id: 'g-2', kind: 'secret', what: 'TOKEN@api.example', by: 'ada', at: AT }

const tool = (endpoint: string, more: object = {}) =>
  ({ name: 'find', protocol: 'http', method: 'POST', endpoint, ...more }) as PlannedTool
const signsIn = { auth: { type: 'bearer', secret: 'TOKEN' } }

const listOf = (...grants: readonly Grant[]) => ({ list: () => grants })
const inForce = (...grants: readonly Grant[]) => rememberedGrants(listOf(...grants), 'file:a')

/** The grant as a person gives it for the tools as they are now. */
function givenFor(grant: Grant, ...tools: readonly PlannedTool[]): Grant {
  const needed = fingerprintsFor(grant, grantedUses(tools, undefined))
  return { ...grant, agent_id: 'clerk', definition: 'file:a', tools: needed }
}

describe('grants that are in force', () => {
  test('a grant to every agent counts for each definition, and for none in particular', async () => {
    const expected = {
      hosts: [{ host: 'api.example', private: false, source: 'remembered' }],
      secrets: [{ name: 'TOKEN', host: 'api.example' }],
    }
    const records = listOf(host, secret)
    assert.deepEqual(await rememberedGrants(records, undefined), expected)
    assert.deepEqual(await rememberedGrants(records, 'file:a'), expected)
  })

  test('a stored grant never opens private addresses', async () => {
    const { hosts } = await inForce({ ...host, what: '127.0.0.1:8080' })
    assert.deepEqual(hosts, [{ host: '127.0.0.1', port: 8080, private: false, source: 'remembered' }])
  })

  test('a rule for calls is neither a host nor a secret', async () => {
    const call: Grant = { ...host, kind: 'call', what: 'find' }
    assert.deepEqual(await inForce(call), { hosts: [], secrets: [] })
    const ofAgent = { ...call, agent_id: 'clerk', definition: 'file:a' }
    assert.deepEqual(await inForce(ofAgent), { hosts: [], secrets: [] })
  })

  test('a grant that has expired or is used up does not count', async () => {
    const counts = async (limits: Partial<Grant>) =>
      (await inForce({ ...host, ...limits })).hosts.length === 1
    assert.equal(await counts({ until: '2000-01-01T00:00:00.000Z' }), false)
    assert.equal(await counts({ until: '9999-01-01T00:00:00.000Z' }), true)
    assert.equal(await counts({ uses_left: 0 }), false)
    assert.equal(await counts({ uses_left: 1 }), true)
  })
})

describe('a grant for one definition', () => {
  const find = tool('https://api.example/find', signsIn)
  const uses = [callFingerprint(find)]

  test('counts for that definition, and is bound to its uses', async () => {
    const { hosts, secrets } = await inForce(givenFor(host, find), givenFor(secret, find))
    const bound = { bound: true, uses }
    assert.deepEqual(hosts, [{ host: 'api.example', private: false, source: 'remembered', ...bound }])
    assert.deepEqual(secrets, [{ name: 'TOKEN', host: 'api.example', ...bound }])
  })

  test('does not count for another definition, or for none in particular', async () => {
    for (const identity of [undefined, 'file:b'])
      assert.deepEqual(await rememberedGrants(listOf(givenFor(host, find)), identity), {
        hosts: [],
        secrets: [],
      })
  })

  test('that names an agent but no definition counts for none; one of a definition is enough', async () => {
    const { definition: identity, tools, ...ofAgent } = givenFor(host, find)
    assert.deepEqual((await inForce(ofAgent)).hosts, [])
    assert.deepEqual((await rememberedGrants(listOf(ofAgent), undefined)).hosts, [])
    const { agent_id, ...ofFile } = givenFor(host, find)
    assert.equal((await inForce(ofFile)).hosts.length, 1)
    assert.deepEqual((await rememberedGrants(listOf(ofFile), undefined)).hosts, [])
  })

  test('of a version that recorded no uses covers no call', async () => {
    const { tools, ...older } = givenFor(host, find)
    const { hosts } = await inForce(older)
    assert.deepEqual(grantsForUse(hosts, callFingerprint(find)), [])
  })

  const calls: readonly (readonly [edit: string, now: PlannedTool, host: boolean, secret: boolean])[] = [
    ['the same', find, true, true],
    ['another description', { ...find, description: 'x' }, true, true],
    ['a changed endpoint', tool('https://api.example/delete', signsIn), false, false],
    ['a changed method', { ...find, method: 'DELETE' }, false, false],
    ['without the secret', tool('https://api.example/find'), false, false],
    [
      'with another secret',
      tool('https://api.example/find', { auth: { type: 'bearer', secret: 'OTHER' } }),
      false,
      false,
    ],
    ['of another protocol', { ...find, protocol: 'openapi' }, false, false],
  ]
  for (const [edit, now, ofHost, ofSecret] of calls)
    test(`a call ${edit}: the host ${ofHost}, the secret ${ofSecret}`, async () => {
      const { hosts, secrets } = await inForce(givenFor(host, find), givenFor(secret, find))
      const use = callFingerprint(now)
      assert.deepEqual(
        [grantsForUse(hosts, use).length === 1, grantsForUse(secrets, use).length === 1],
        [ofHost, ofSecret],
      )
    })
})

describe('the tools that a grant is given for', () => {
  const concerns = (what: string, endpoint: string, kind: 'host' | 'secret' = 'host') =>
    fingerprintsFor({ kind, what }, grantedUses([tool(endpoint, signsIn)], undefined)).length === 1

  const cases: readonly (readonly [string, string, boolean])[] = [
    ['api.example', 'https://api.example/x', true],
    ['api.example', 'https://api.example:8443/x', true],
    ['API.example', 'https://Api.Example/x', true],
    ['api.example', 'https://other.example/x', false],
    ['api.example', 'https://v1.api.example/x', false],
    ['api.example:8443', 'https://api.example:8443/x', true],
    ['api.example:8443', 'https://api.example:9443/x', false],
    ['api.example:443', 'https://api.example/x', true],
    ['*.api.example', 'https://v1.api.example/x', true],
    ['*.api.example', 'https://v1.api.example:8443/x', true],
    ['*.api.example', 'https://api.example/x', false],
    ['*.api.example', 'https://a.v1.api.example/x', false],
    ['*.api.example:81', 'https://v1.api.example:82/x', false],
    ['[::1]:8080', 'http://[::1]:8080/x', true],
    ['[::1]:8080', 'http://[::1]:8081/x', false],
  ]
  for (const [what, endpoint, expected] of cases)
    test(`${what} ${expected ? 'concerns' : 'does not concern'} ${endpoint}`, () => {
      assert.equal(concerns(what, endpoint), expected)
      if (!what.startsWith('*.')) assert.equal(concerns(`TOKEN@${what}`, endpoint, 'secret'), expected)
    })

  test('a secret concerns no tool that signs in with another', () => {
    assert.equal(concerns('OTHER@api.example', 'https://api.example/x', 'secret'), false)
  })

  test('the same use twice is one fingerprint, and different tools have different ones', () => {
    const same = { ...tool('https://api.example/x'), name: 'again' }
    const uses = grantedUses([tool('https://api.example/x'), same, tool('https://api.example/y')], undefined)
    assert.equal(fingerprintsFor({ kind: 'host', what: 'api.example' }, uses).length, 2)
  })

  for (const endpoint of [
    'https://api.example./more',
    'https:api.example/more',
    'https:/api.example/more',
    ' https://api.example/more',
    'https:\\\\api.example/more',
    'grpc://API.example:443/more',
    'grpc://api%2eexample:443/more',
  ])
    test(`the spelling "${endpoint}" is a use of the host, and another use than the granted one`, async () => {
      const find = tool('https://api.example/find', signsIn)
      const other = tool(endpoint, signsIn)
      assert.equal(concerns('api.example', endpoint), true)
      const { hosts, secrets } = await inForce(givenFor(host, find), givenFor(secret, find))
      const use = callFingerprint(other)
      assert.deepEqual([...grantsForUse(hosts, use), ...grantsForUse(secrets, use)], [])
    })
})

describe('giving and revoking', () => {
  const facts = (place: MemoryPlace) => place.lines.map((line) => (JSON.parse(line) as AuditEntry).fact)

  test('an id is g- and eight hexadecimal digits, another one each time', () => {
    assert.match(newGrantId(), /^g-[0-9a-f]{8}$/)
    assert.notEqual(newGrantId(), newGrantId())
  })

  test('a grant and its audit entry are stored, with what limits it', async () => {
    const place = new MemoryPlace()
    const { grants } = memoryRecords({ place })
    const whole: Grant = {
      ...host,
      agent_id: 'clerk',
      definition: 'file:a',
      definition_hash: 'sha256:1',
      until: '2026-11-23T10:00:00Z',
      uses_left: 3,
      why: 'a quiet evening',
    }
    await giveGrant(grants, whole)
    await giveGrant(grants, secret)
    assert.deepEqual(await grants.list(), [whole, secret])
    const [first, second] = facts(place)
    assert.partialDeepStrictEqual(first, {
      at: AT,
      kind: 'grant.given',
      grant: 'g-1',
      sort: 'host',
      what: 'api.example',
      agent_id: 'clerk',
      definition: 'file:a',
      definition_hash: 'sha256:1',
      until: '2026-11-23T10:00:00Z',
      uses_left: 3,
      by: 'ada',
      why: 'a quiet evening',
    })
    assert.partialDeepStrictEqual(second, { kind: 'grant.given', grant: 'g-2', sort: 'secret', by: 'ada' })
  })

  test('an earlier grant of the same is revoked first, by the person who gives the new one', async () => {
    const place = new MemoryPlace()
    const { grants } = memoryRecords({ place })
    await giveGrant(grants, host)
    const shorter = { ...host, id: 'g-9', by: 'bob', at: '2026-11-22T11:00:00Z', uses_left: 1 }
    await giveGrant(grants, shorter)
    assert.deepEqual(await grants.list(), [shorter])
    assert.deepEqual(
      facts(place).map(({ kind, grant, by, at }) => [kind, grant, by, at]),
      [
        ['grant.given', 'g-1', 'ada', AT],
        ['grant.revoked', 'g-1', 'bob', '2026-11-22T11:00:00Z'],
        ['grant.given', 'g-9', 'bob', '2026-11-22T11:00:00Z'],
      ],
    )
  })

  const base: Grant = { ...host, agent_id: 'clerk', definition: 'file:a', definition_hash: 'sha256:1' }
  const others: readonly Partial<Grant>[] = [
    { kind: 'call' },
    { what: 'other.example' },
    { agent_id: 'buyer' },
    { definition: 'file:b' },
    { definition_hash: 'sha256:2' },
  ]
  for (const other of others)
    test(`a grant with another ${Object.keys(other)[0]} stays`, async () => {
      const place = new MemoryPlace()
      const { grants } = memoryRecords({ place })
      await giveGrant(grants, base)
      await giveGrant(grants, { ...base, id: 'g-9', ...other })
      assert.deepEqual(
        (await grants.list()).map(({ id }) => id),
        ['g-1', 'g-9'],
      )
      assert.deepEqual(
        facts(place).map(({ kind }) => kind),
        ['grant.given', 'grant.given'],
      )
    })

  test('no grant is revoked when there is no earlier one', async () => {
    const { grants } = memoryRecords({ place: new MemoryPlace() })
    const revoke = () => assert.fail('revoked')
    await giveGrant({ list: () => grants.list(), give: (...all) => grants.give(...all), revoke }, host)
    assert.equal((await grants.list()).length, 1)
  })

  test('an audit entry has no member for what a grant does not say', async () => {
    const records = {
      list: () => [],
      revoke: () => [],
      give: (_: Grant, audit: readonly object[]) =>
        assert.deepEqual(audit, [
          { at: AT, kind: 'grant.given', grant: 'g-1', sort: 'host', what: 'api.example', by: 'ada' },
        ]),
    }
    await giveGrant(records, host)
  })

  test('revoking records who revoked it and when, and returns those that were there', async () => {
    const place = new MemoryPlace()
    const { grants } = memoryRecords({ place })
    await giveGrant(grants, host)
    await giveGrant(grants, secret)
    const by = { by: 'bob', at: '2026-11-22T12:00:00Z' }
    assert.deepEqual(await revokeGrants(grants, new Set(['g-2', 'g-7']), by), [secret])
    assert.deepEqual(await grants.list(), [host])
    assert.partialDeepStrictEqual(facts(place).at(-1), { kind: 'grant.revoked', grant: 'g-2', ...by })
  })

  const revokingFails = async (error: Error) => {
    const place = new MemoryPlace()
    const { grants } = memoryRecords({ place })
    await giveGrant(grants, host)
    const failing = {
      revoke: (...[ids, audit]: Parameters<typeof grants.revoke>) => {
        if (audit([host]).length > 0) throw error
        return grants.revoke(ids, audit)
      },
    }
    await assert.rejects(revokeGrants(failing, new Set(['g-1']), { by: 'bob', at: AT }), error)
    return (await grants.list()).length
  }

  test('a damaged audit log does not keep a grant in force, and is reported', async () => {
    assert.equal(await revokingFails(auditDamaged('it ends too early')), 0)
  })

  test('any other error leaves the grant as it is', async () => {
    assert.equal(await revokingFails(new WaybillError('HOME_UNWRITABLE', { message: 'full' })), 1)
    assert.equal(await revokingFails(new Error('AUDIT_DAMAGED')), 1)
    assert.equal(await revokingFails(Object.assign(new Error('no'), { code: 'AUDIT_DAMAGED' })), 1)
  })
})
