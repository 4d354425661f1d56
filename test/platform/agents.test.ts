import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json } from '../../src/document/json.ts'
import { MAX_BYTES, readDocument } from '../../src/document/read-document.ts'
import type { Catalogue as Agents } from '../../src/platform/agents/agent-catalogue.ts'
import { AGENT, definitionOf, json, organisation, organisations } from './organisation.ts'

const JSON_TYPE = 'application/json'
const code = (wanted: string) => (error: unknown) => (error as { code?: string }).code === wanted
const version = (number: string, more: object = {}) => json(definitionOf({ version: number, ...more }))

const idOf = (end: string) => `5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a${end}`

async function statuses(agents: Agents, id = AGENT): Promise<Record<string, string>> {
  const { items } = await agents.versions(id, {})
  return Object.fromEntries(items.map((item) => [item.version, item.status]))
}

describe('a list of agents', () => {
  test('has only the agents with exactly this name, if one is given', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    for (const [id, name] of [
      ['a1', 'Clerk'],
      ['a2', 'Clerk'],
      ['a3', 'Clerk 2'],
    ] as const)
      await agents.upload(
        json({ ...definitionOf({ name, version: '1.0.0' }), agent_id: idOf(id) }),
        JSON_TYPE,
      )
    const named = async (name: string) =>
      (await agents.list({ name })).items.map((one) => one.agent_id).sort()
    assert.deepEqual(await named('Clerk'), [idOf('a1'), idOf('a2')])
    assert.deepEqual(await named('clerk'), [])
    const first = await agents.list({ name: 'Clerk', limit: 1 })
    const second = await agents.list({ name: 'Clerk', limit: 1, cursor: first.next ?? '' })
    assert.equal(second.next, null)
    assert.notEqual(first.items[0]?.agent_id, second.items[0]?.agent_id)
  })
})

describe('an upload', () => {
  test('AAIF-4.1-06: of a known agent_id updates the stored agent; there is no second one', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const first = await agents.upload(version('1.0.0'), JSON_TYPE)
    const second = await agents.upload(version('1.1.0', { name: 'Better clerk' }), JSON_TYPE)
    assert.deepEqual([first.created, second.created], [true, true])
    const { items } = await agents.list({})
    assert.deepEqual(
      items.map((item) => [item.agent_id, item.version, item.name, item.status]),
      [[AGENT, '1.1.0', 'Better clerk', 'active']],
    )
    assert.deepEqual(await statuses(agents), { '1.1.0': 'active', '1.0.0': 'inactive' })
  })

  test('of the same bytes is known and changes nothing, also if another version is active', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const first = await agents.upload(version('1.0.0'), JSON_TYPE)
    await agents.upload(version('2.0.0'), JSON_TYPE)
    const again = await agents.upload(version('1.0.0'), JSON_TYPE)
    assert.equal(again.created, false)
    assert.equal(again.agent.digest, first.agent.digest)
    assert.deepEqual(await statuses(agents), { '2.0.0': 'active', '1.0.0': 'inactive' })
  })

  test('of other bytes with the same version is refused, and nothing is stored', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    await agents.upload(version('1.0.0'), JSON_TYPE)
    await assert.rejects(
      agents.upload(version('1.0.0', { goal: 'Other.' }), JSON_TYPE),
      code('VERSION_EXISTS'),
    )
    const { body } = await agents.definition(AGENT, undefined, [])
    assert.deepEqual(body, version('1.0.0'))
  })

  describe('of other bytes as a draft', () => {
    const changed = version('1.0.0', { goal: 'Other.' })
    const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

    test('is known by its digest, stays beside the version, and is never the version of an agent', async (t) => {
      const { agentsFor } = await organisation(t)
      const agents = agentsFor()
      await agents.upload(version('1.0.0'), JSON_TYPE, { draft: true })
      assert.deepEqual(await statuses(agents), { '1.0.0': 'active' }, 'a new version is released as ever')
      const first = await agents.upload(changed, JSON_TYPE, { draft: true })
      const digest = digestOf(changed)
      assert.deepEqual([first.created, first.agent.version, first.agent.status], [true, digest, 'draft'])
      const again = await agents.upload(changed, JSON_TYPE, { draft: true })
      assert.deepEqual([again.created, again.agent.version], [false, digest])
      const other = await agents.upload(version('1.0.0', { goal: 'A third.' }), JSON_TYPE, { draft: true })
      assert.notEqual(other.agent.version, digest)
      assert.equal((await agents.read(AGENT)).version, '1.0.0')
      assert.deepEqual(
        (await agents.list({})).items.map((one) => one.version),
        ['1.0.0'],
      )
      assert.deepEqual((await agents.definition(AGENT, digest, [])).body, changed)
      for (const act of [
        () => agents.activate(AGENT, digest),
        () => agents.label(AGENT, 'production', digest),
        () => agents.deprecate(AGENT, digest),
      ])
        await assert.rejects(act, code('VERSION_IS_DRAFT'))
      await agents.deprecate(AGENT)
      assert.equal((await agents.activate(AGENT)).version, '1.0.0', 'the newest one is no draft')
      assert.equal((await agents.read(AGENT)).version, '1.0.0')
    })

    test('can be released under a number of its own, and not under one that exists', async (t) => {
      const { agentsFor } = await organisation(t)
      const agents = agentsFor()
      await agents.upload(version('1.0.0'), JSON_TYPE)
      await agents.upload(changed, JSON_TYPE, { draft: true })
      await assert.rejects(agents.upload(changed, JSON_TYPE), code('VERSION_EXISTS'))
      const released = await agents.upload(version('1.0.1', { goal: 'Other.' }), JSON_TYPE)
      assert.deepEqual([released.created, released.agent.status], [true, 'active'])
    })

    test('is refused where versions wait for a review', async (t) => {
      const { agentsFor } = await organisation(t)
      await agentsFor().upload(version('1.0.0'), JSON_TYPE)
      await assert.rejects(
        agentsFor('ada', { review: true }).upload(changed, JSON_TYPE, { draft: true }),
        code('VERSION_EXISTS'),
      )
    })
  })

  test('counts the versions of definitions that name none', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const uploads = []
    for (const goal of ['One.', 'Two.', 'Two.', 'Three.'])
      uploads.push(await agents.upload(json(definitionOf({ goal })), JSON_TYPE))
    assert.deepEqual(
      uploads.map(({ created, agent }) => [created, agent.version]),
      [
        [true, '1'],
        [true, '2'],
        [false, '2'],
        [true, '3'],
      ],
    )
  })

  test('accepts JSON, YAML, CBOR and MessagePack by media type, with parameters', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const types = [
      ['json', 'application/json; charset="UTF-8"'],
      ['yaml', 'Application/YAML;charset=utf-8'],
      ['yaml', 'text/yaml'],
      ['cbor', 'application/cbor; profile="https://schemacommons.org/SC-006/cbor"'],
      ['msgpack', 'application/vnd.msgpack'],
    ] as const
    for (const [index, [encoding, type]] of types.entries()) {
      const value = definitionOf({ version: `1.0.${index}` }) as Json
      const body = Buffer.from(encodeDocument(value, encoding))
      const { agent } = await agents.upload(body, type)
      assert.equal(agent.media_type, type)
      const stored = await agents.definition(AGENT, `1.0.${index}`, [type])
      assert.deepEqual([Buffer.from(stored.body), stored.mediaType], [body, type])
    }
  })

  test('is refused if its media type contradicts its bytes, or is not that of a definition', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const value = definitionOf() as Json
    const wrong: readonly (readonly [Uint8Array, string])[] = [
      [encodeDocument(value, 'cbor'), JSON_TYPE],
      [encodeDocument(value, 'yaml'), JSON_TYPE],
      [encodeDocument(value, 'json'), 'application/cbor'],
      [encodeDocument(value, 'yaml'), 'application/cbor'],
      [encodeDocument(value, 'cbor'), 'application/yaml'],
      [encodeDocument(value, 'msgpack'), 'application/cbor'],
      [Buffer.from(JSON.stringify(value), 'utf16le'), JSON_TYPE],
      [json(value), 'application/json; charset=utf-16'],
      [json(value), 'application/json; charset=latin1'],
      [json(value), 'application/x-www-form-urlencoded'],
      [json(value), ''],
      [Buffer.alloc(0), JSON_TYPE],
      [json([value]), JSON_TYPE],
      [Buffer.concat([json(value), json(value)]), JSON_TYPE],
    ]
    for (const [body, type] of wrong)
      await assert.rejects(agents.upload(body, type), code('DEFINITION_INVALID'), type)
    assert.deepEqual((await agents.list({})).items, [])
  })

  test('that is too large is refused by its size alone', async (t) => {
    const { agentsFor } = await organisation(t)
    await assert.rejects(
      agentsFor().upload(Buffer.alloc(MAX_BYTES + 1, 0x20), JSON_TYPE),
      code('DOCUMENT_TOO_LARGE'),
    )
  })

  test('that is not valid is refused with all issues and their places', async (t) => {
    const { agentsFor } = await organisation(t)
    const body = Buffer.from('sc_standard: SC-006\nagent:\n  name: 3\n')
    await assert.rejects(agentsFor().upload(body, 'application/yaml'), (error) => {
      const { code: found, details } = error as {
        code: string
        details: { issues: { pointer: string; line: number }[] }
      }
      assert.equal(found, 'DEFINITION_INVALID')
      assert.ok(details.issues.length >= 2)
      assert.ok(details.issues.some(({ pointer, line }) => pointer === '/agent/name' && line === 3))
      return true
    })
  })

  test('AAIF-7-08: with requirements that this platform does not meet is refused at strict, naming each', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const needs = { required_capabilities: ['memory.pinecone', 'foo.bar'] }
    const strict = json(definitionOf({ ...needs, compliance: { safety_level: 'strict' } }))
    await assert.rejects(agents.upload(strict, JSON_TYPE), (error) => {
      const { message, details } = error as { message: string; details: { issues: { pointer: string }[] } }
      assert.match(message, /memory\.pinecone, foo\.bar/)
      assert.equal(details.issues.length, 2)
      return code('CAPABILITY_UNMET')(error)
    })
    const standard = await agents.upload(json(definitionOf(needs)), JSON_TYPE)
    assert.deepEqual(standard.agent.negotiation.verdict, 'accept_degraded')
    assert.deepEqual(standard.agent.negotiation.unmet, ['memory.pinecone', 'foo.bar'])
  })

  test('AAIF-7-10: refused at regulated, it is in the audit log', async (t) => {
    const { agentsFor, home } = await organisation(t)
    const compliance = { safety_level: 'regulated', audit_log: true }
    const body = json(definitionOf({ required_capabilities: ['foo.bar'], compliance }))
    await assert.rejects(agentsFor().upload(body, JSON_TYPE), code('CAPABILITY_UNMET'))
    const [line = '{}'] = await home.audit.lines()
    const { kind, agent_id, by, code: why } = JSON.parse(line).fact
    assert.deepEqual([kind, agent_id, by, why], ['definition.refused', AGENT, 'ada', 'CAPABILITY_UNMET'])
  })

  test('AAIF-6-09: its answer names the failed predicate of each level that is not reached', async (t) => {
    const { agentsFor } = await organisation(t)
    const { agent } = await agentsFor().upload(json(definitionOf()), JSON_TYPE)
    const levels = agent.levels as Record<
      string,
      { met: boolean; missing: { message: string; rule: string }[] }
    >
    assert.equal(levels.Core?.met, true)
    assert.equal(levels.Tooled?.met, false)
    assert.equal(levels.Tooled?.missing[0]?.rule, 'AAIF-6-03')
    for (const [name, { met, missing }] of Object.entries(levels))
      assert.equal(met, missing.length === 0, name)
  })

  test('follows the signature policy of its uploader', async (t) => {
    const { agentsFor } = await organisation(t)
    const signatures = { default: 'prefer', uploaders: { 'build-bot': 'require' } } as const
    await assert.rejects(
      agentsFor('build-bot', { signatures }).upload(version('1.0.0'), JSON_TYPE),
      code('SIGNATURE_REFUSED'),
    )
    await agentsFor('ada', { signatures }).upload(version('1.0.0'), JSON_TYPE)
  })

  test('is pending where the policy asks for a review; the version before stays active', async (t) => {
    const { agentsFor } = await organisation(t)
    await agentsFor().upload(version('1.0.0'), JSON_TYPE)
    const agents = agentsFor('bob', { review: true })
    await agents.upload(version('2.0.0'), JSON_TYPE)
    assert.deepEqual(await statuses(agents), { '2.0.0': 'pending', '1.0.0': 'active' })
    assert.equal((await agents.read(AGENT)).version, '1.0.0')
    assert.equal((await agents.activate(AGENT)).version, '2.0.0')
    assert.deepEqual(await statuses(agents), { '2.0.0': 'active', '1.0.0': 'inactive' })
  })

  test('of a deprecated definition does not become active', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    await agents.upload(version('1.0.0'), JSON_TYPE)
    await agents.upload(json(definitionOf({ version: '2.0.0' }, { status: 'deprecated' })), JSON_TYPE)
    assert.deepEqual(await statuses(agents), { '2.0.0': 'deprecated', '1.0.0': 'active' })
  })

  test('without an agent_id gets the id that its plan has', async (t) => {
    const { agentsFor } = await organisation(t)
    const { agent } = await agentsFor().upload(json(definitionOf({}, { agent_id: undefined })), JSON_TYPE)
    assert.match(agent.agent_id, /^unnamed:[0-9a-f]{16}$/)
  })

  test('with a name that PostgreSQL cannot store as text is stored whole', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    for (const [index, name] of ['a\u0000b', '"quoted"', '🙂'].entries()) {
      const body = json(definitionOf({ name, version: `1.0.${index}` }))
      const { agent } = await agents.upload(body, JSON_TYPE)
      assert.equal(agent.name, (JSON.parse(body.toString()) as { agent: { name: string } }).agent.name)
    }
  })
})

describe('the versions of an agent', () => {
  test('activation goes back to an older version, and forward to the newest by default', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    for (const number of ['1.0.0', '2.0.0', '3.0.0']) await agents.upload(version(number), JSON_TYPE)
    await agents.activate(AGENT, '1.0.0')
    assert.deepEqual(await statuses(agents), { '1.0.0': 'active', '2.0.0': 'inactive', '3.0.0': 'inactive' })
    await agents.activate(AGENT)
    assert.deepEqual(await statuses(agents), { '1.0.0': 'inactive', '2.0.0': 'inactive', '3.0.0': 'active' })
  })

  test('a label names a version, moves, and is removed; no label looks like a version', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    for (const number of ['1.0.0', '2.0.0']) await agents.upload(version(number), JSON_TYPE)
    assert.deepEqual((await agents.label(AGENT, 'production', '1.0.0')).labels, ['production'])
    assert.equal((await agents.read(AGENT, 'production')).version, '1.0.0')
    await agents.label(AGENT, 'production', '2.0.0')
    assert.deepEqual((await agents.read(AGENT, '1.0.0')).labels, [])
    await agents.label(AGENT, 'production', null)
    await assert.rejects(agents.read(AGENT, 'production'), code('VERSION_NOT_FOUND'))
    for (const label of ['1.0.0', '', 'a b', 'x'.repeat(64), 'a\u0000', '__proto__'])
      await assert.rejects(async () => agents.label(AGENT, label, '1.0.0'), code('LABEL_INVALID'))
    assert.equal((await agents.label(AGENT, 'constructor', '1.0.0')).labels[0], 'constructor')
  })

  test('a deprecated version is not active any more', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    await agents.upload(version('1.0.0'), JSON_TYPE)
    assert.equal((await agents.deprecate(AGENT)).status, 'deprecated')
    await assert.rejects(agents.deprecate(AGENT), code('AGENT_NOT_ACTIVE'))
    assert.equal((await agents.read(AGENT)).status, 'deprecated')
    assert.equal((await agents.activate(AGENT, '1.0.0')).status, 'active')
  })

  test('are converted to the media type that the caller prefers, with the same data', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const value = definitionOf({ instructions: 'Zeile 1\nZeile 2: "ß" 🙂' }) as Json
    const original = Buffer.from(encodeDocument(value, 'yaml'))
    await agents.upload(original, 'application/yaml')
    for (const [accepted, type] of [
      [['application/json'], 'application/json'],
      [
        ['text/html', 'application/cbor'],
        'application/cbor; profile="https://schemacommons.org/SC-006/cbor"',
      ],
      [['application/x-yaml'], 'application/yaml'],
      [['*/*'], 'application/yaml'],
      [[], 'application/yaml'],
    ] as const) {
      const { body, mediaType } = await agents.definition(AGENT, undefined, accepted)
      assert.equal(mediaType, type)
      if (mediaType === 'application/yaml') assert.deepEqual(Buffer.from(body), original)
      assert.deepEqual(readDocument(body).document?.value, value)
    }
  })

  test('pages name each agent and each version once', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    const ids = Array.from({ length: 7 }, (_, n) => `5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a2${n}`)
    for (const agent_id of ids) await agents.upload(json(definitionOf({}, { agent_id })), JSON_TYPE)
    for (let n = 0; n < 5; n++) await agents.upload(version(`1.0.${n}`), JSON_TYPE)
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await agents.list({ limit: 3, ...(cursor !== undefined && { cursor }) })
      seen.push(...page.items.map((item) => item.agent_id))
      cursor = page.next
    }
    assert.deepEqual([...seen].sort(), [...ids, AGENT].sort())
    const numbers: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await agents.versions(AGENT, { limit: 2, ...(cursor !== undefined && { cursor }) })
      numbers.push(...page.items.map((item) => item.version))
      cursor = page.next
    }
    assert.deepEqual(numbers, ['1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0'])
    await assert.rejects(agents.list({ cursor: 'x' }), code('CURSOR_INVALID'))
  })

  test('an unknown agent or version is not found, whatever its name', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    await agents.upload(version('1.0.0'), JSON_TYPE)
    for (const id of ['', 'x', "'", 'a\u0000b', '\ud800', 'x'.repeat(10_000)]) {
      await assert.rejects(agents.read(id), code('AGENT_NOT_FOUND'))
      await assert.rejects(agents.versions(id, {}), code('AGENT_NOT_FOUND'))
      await assert.rejects(agents.activate(id), code('AGENT_NOT_FOUND'))
      await assert.rejects(agents.definition(id, undefined, []), code('AGENT_NOT_FOUND'))
      await assert.rejects(agents.read(AGENT, id), code('VERSION_NOT_FOUND'))
      await assert.rejects(agents.label(AGENT, 'live', id), code('VERSION_NOT_FOUND'))
    }
  })

  test('belong to one organisation: another one sees nothing of them', async (t) => {
    const { all } = await organisations(t, ['a', 'b'])
    const [a, b] = all.map(({ agentsFor }) => agentsFor())
    await a?.upload(version('1.0.0'), JSON_TYPE)
    assert.deepEqual((await b?.list({}))?.items, [])
    await assert.rejects(async () => b?.read(AGENT), code('AGENT_NOT_FOUND'))
    await assert.rejects(async () => b?.activate(AGENT), code('AGENT_NOT_FOUND'))
    assert.equal((await b?.upload(version('1.0.0', { goal: 'Other.' }), JSON_TYPE))?.created, true)
  })

  test('every change is in the audit log with who made it', async (t) => {
    const { agentsFor, home } = await organisation(t)
    await agentsFor('ada').upload(version('1.0.0'), JSON_TYPE)
    await agentsFor('ada').upload(version('1.0.0'), JSON_TYPE)
    await agentsFor('ada').upload(version('2.0.0'), JSON_TYPE)
    await agentsFor('bob').activate(AGENT, '1.0.0')
    await agentsFor('bob').label(AGENT, 'live', '2.0.0')
    await agentsFor('bob').deprecate(AGENT, '2.0.0')
    const entries = (await home.audit.lines()).map((line) => JSON.parse(line).fact)
    assert.deepEqual(
      entries.map(({ kind, by, version: number }) => [kind, by, number]),
      [
        ['definition.imported', 'ada', '1.0.0'],
        ['definition.imported', 'ada', '2.0.0'],
        ['definition.activated', 'bob', '1.0.0'],
        ['definition.labelled', 'bob', '2.0.0'],
        ['definition.deprecated', 'bob', '2.0.0'],
      ],
    )
  })
})

describe('concurrent changes of an agent', () => {
  test('uploads at once are all stored, and exactly one version is active', async (t) => {
    const { agentsFor } = await organisation(t)
    const numbers = Array.from({ length: 12 }, (_, n) => `1.0.${n}`)
    const done = await Promise.all(numbers.map((number) => agentsFor().upload(version(number), JSON_TYPE)))
    assert.ok(done.every(({ created }) => created))
    const all = await statuses(agentsFor())
    assert.deepEqual(Object.keys(all).sort(), [...numbers].sort())
    assert.deepEqual(Object.values(all).filter((status) => status === 'active').length, 1)
    const active = Object.keys(all).find((number) => all[number] === 'active')
    assert.equal((await agentsFor().read(AGENT)).version, active)
  })

  test('the same bytes at once are one version', async (t) => {
    const { agentsFor } = await organisation(t)
    const done = await Promise.all(
      Array.from({ length: 8 }, () => agentsFor().upload(json(definitionOf()), JSON_TYPE)),
    )
    assert.equal(done.filter(({ created }) => created).length, 1)
    assert.deepEqual(Object.keys(await statuses(agentsFor())), ['1'])
  })

  test('other bytes of one version at once: one is stored, the others are refused', async (t) => {
    const { agentsFor } = await organisation(t)
    const done = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => agentsFor().upload(version('1.0.0', { goal: `${n}.` }), JSON_TYPE)),
    )
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of done) if (one.status === 'rejected') assert.ok(code('VERSION_EXISTS')(one.reason))
  })

  test('uploads, activations, labels and deprecations at once lose no change', async (t) => {
    const { agentsFor } = await organisation(t)
    const agents = agentsFor()
    for (let n = 0; n < 4; n++) await agents.upload(version(`1.0.${n}`), JSON_TYPE)
    await Promise.all(
      [0, 1, 2, 3].flatMap((n) => [
        agentsFor().activate(AGENT, `1.0.${n}`),
        agentsFor().upload(version(`2.0.${n}`), JSON_TYPE),
        agentsFor().label(AGENT, `label-${n}`, `1.0.${n}`),
      ]),
    )
    const { items } = await agents.versions(AGENT, {})
    assert.equal(items.length, 8)
    assert.equal(items.filter(({ status }) => status === 'active').length, 1)
    for (const n of [0, 1, 2, 3])
      assert.deepEqual(items.find((item) => item.version === `1.0.${n}`)?.labels, [`label-${n}`])
  })
})
