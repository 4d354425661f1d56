import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseAgentCard } from 'waybill/spec'
import { able, errorsOf, full, having, issuesOf, isValid, plain, without } from './agentcard-samples.ts'

const cap = { id: 'data.timetable', description: 'Tells when ferries leave a pier.' }

test('valid cards give no findings', () => {
  assert.deepEqual(issuesOf(plain), [])
  assert.deepEqual(issuesOf(full), [])
})

test('the complete example of the draft is valid', (t) => {
  const draft = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/specs/agentcard-draft-00.txt`
  if (!existsSync(draft)) return t.skip(`needs the draft at ${draft}`)
  const example = /\n\{\n[\s\S]*?\n\}\n/.exec(readFileSync(draft, 'utf8'))?.[0] ?? ''
  assert.equal(parseAgentCard(example).name, 'ResearchAnalyst')
  assert.deepEqual(issuesOf(JSON.parse(example)), [
    'info COST_AT_FLOOR /pricing/base_cost_joules CARD-2.6-03',
  ])
})

describe('AgentCard §1.1, §2 and §5: the card as a whole', () => {
  test('CARD-1.1-01: cards of several frameworks read alike', () => {
    const frameworks = [
      { metadata: { framework: 'langchain', 'lc:runnable': { steps: [1] } }, lc_kwargs: {} },
      { metadata: { framework: 'crewai', crew: ['a'] }, role: 'clerk' },
      { metadata: { framework: 'autogen' }, component_type: 'agent', provider: 'x.y.Z' },
      { metadata: {} },
    ]
    for (const members of frameworks) {
      const { agent_id, name, version, capabilities, endpoint } = parseAgentCard(having(members))
      assert.deepEqual({ agent_id, name, version, capabilities, endpoint }, plain)
    }
  })
  test('CARD-1.1-03: unknown members are ignored at every level, and kept', () => {
    const strange = { 'x-a': { deep: [null, 1] }, toString: 1, constructor: null }
    const card = {
      ...strange,
      ...full,
      capabilities: [{ ...cap, ...strange }],
      endpoint: { ...(full.endpoint as object), auth: { scheme: 'bearer', ...strange }, ...strange },
      pricing: { base_cost_joules: 1, ...strange },
      goal_subscriptions: [{ goal_id: 'g', ...strange }],
      metadata: { ...strange, 'pacr:unknown': 1, 'mcp:any': 2 },
    }
    assert.deepEqual(errorsOf(card), [])
    assert.deepEqual(parseAgentCard(card), card)
  })
  test('an unknown member that looks like a typing error gives only a note', () => {
    const card = able({ id: 'data.x', descriptoin: 'typed badly', description: 'd', tag: ['a'] })
    assert.deepEqual(issuesOf(card), ['info MEMBER_LIKELY_MISTYPED /capabilities/0/tag CARD-1.1-03'])
  })
  test('CARD-2-01: each missing required member is a separate error', () => {
    for (const member of ['agent_id', 'name', 'version', 'capabilities', 'endpoint']) {
      assert.deepEqual(issuesOf(without(member)), [`error REQUIRED_MISSING /${member} CARD-2-01`])
    }
    assert.equal(errorsOf({}).length, 5)
  })
  test('CARD-2-02: pricing, metadata and goal_subscriptions may be absent', () => {
    assert.ok(isValid(plain))
    for (const member of ['pricing', 'metadata', 'goal_subscriptions']) {
      const { [member]: _left, ...rest } = full
      assert.deepEqual(issuesOf(rest), [])
      assert.ok(!isValid({ ...full, [member]: 7 }), 'when present it is judged')
    }
  })
  test('CARD-2-03: a value that is not a JSON object is rejected', () => {
    for (const value of [[], [plain], 'x', '', 7, true, null, '"x"', '{', '[]']) {
      const [first] = errorsOf(value)
      assert.equal(first?.rule, 'CARD-2-03', JSON.stringify(value))
    }
    for (const text of ['{"agent_id": ', '[]', '"x"', "{'name': 1}", 'name: x', '']) {
      assert.throws(() => parseAgentCard(text), { name: 'WaybillError' }, text)
    }
  })
  test('CARD-2-04: known members have their types, and null for an optional one is absent with a warning', () => {
    const wrong: [string, unknown][] = [
      ['agent_id', 1],
      ['name', ['x']],
      ['version', 1],
      ['capabilities', {}],
      ['endpoint', 'https://ferry.example'],
      ['pricing', []],
      ['metadata', 'x'],
      ['goal_subscriptions', {}],
      ['agent_id', null],
    ]
    for (const [member, value] of wrong) {
      assert.deepEqual(issuesOf({ ...full, [member]: value as string }), [
        `error WRONG_TYPE /${member} CARD-2-04`,
      ])
    }
    assert.ok(!isValid(having({ pricing: { base_cost_joules: '1' } })))
    const nulls = having({
      pricing: null,
      goal_subscriptions: [{ goal_id: 'g', priority: null }],
      capabilities: [{ ...cap, tags: null, input_schema: null }],
      endpoint: { protocol: 'https', url: 'https://ferry.example', auth: { scheme: null } },
      metadata: { 'pacr:trust_tier': null, mine: null },
    })
    assert.deepEqual(issuesOf(nulls), [
      'warning NULL_AS_ABSENT /capabilities/0/input_schema CARD-2-04',
      'warning NULL_AS_ABSENT /capabilities/0/tags CARD-2-04',
      'warning NULL_AS_ABSENT /endpoint/auth/scheme CARD-2-04',
      'warning NULL_AS_ABSENT /goal_subscriptions/0/priority CARD-2-04',
      'warning NULL_AS_ABSENT /metadata/pacr:trust_tier CARD-2-04',
      'warning NULL_AS_ABSENT /pricing CARD-2-04',
    ])
    const read = parseAgentCard(nulls)
    assert.ok(!('pricing' in read))
    assert.deepEqual(read.metadata, { mine: null })
  })
  test('CARD-5-01: all errors are reported at once, each with its place', () => {
    const card = {
      name: '',
      agent_id: 'x',
      version: '1.0',
      capabilities: [{ id: 'A', input_schema: { type: 'strng' } }, 7],
      endpoint: { protocol: 'https', url: 'http://ferry.example' },
      pricing: { base_cost_joules: 1e-22 },
      metadata: { 'pacr:trust_tier': 'gold' },
    }
    assert.deepEqual(
      errorsOf(card)
        .map(({ pointer }) => pointer)
        .sort(),
      [
        '/agent_id',
        '/capabilities/0/id',
        '/capabilities/0/input_schema/type',
        '/capabilities/1',
        '/endpoint/url',
        '/metadata/pacr:trust_tier',
        '/name',
        '/pricing/base_cost_joules',
        '/version',
      ],
    )
    assert.throws(() => parseAgentCard(card), { name: 'WaybillError', message: /8 more errors/ })
  })
})

describe('AgentCard §2.1 to §2.3: identity', () => {
  test('CARD-5-02: agent_id is 26 characters of the alphabet', () => {
    const id = plain.agent_id as string
    for (const wrong of [id.slice(1), `${id}0`, id.toLowerCase(), '', ` ${id.slice(1)}`, `${id}\n`]) {
      assert.deepEqual(issuesOf(having({ agent_id: wrong })), ['error PATTERN_MISMATCH /agent_id CARD-5-02'])
    }
    for (const letter of 'ILOUilou-_é')
      assert.ok(!isValid(having({ agent_id: letter + id.slice(1) })), letter)
    for (const letter of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
      assert.ok(isValid(having({ agent_id: id.slice(0, 25) + letter })), letter)
    }
  })
  test('an id that overflows 128 bits is accepted with a warning', () => {
    assert.deepEqual(issuesOf(having({ agent_id: '8'.padEnd(26, '0') })), [
      'warning ULID_OVERFLOW /agent_id WB-CARD-03',
    ])
    assert.deepEqual(issuesOf(having({ agent_id: '7'.padEnd(26, 'Z') })), [])
  })
  test('CARD-2.2-01: name has 1 to 128 code points, independent of their bytes', () => {
    assert.ok(isValid(having({ name: '⛴'.repeat(128) })) && isValid(having({ name: '👩‍✈'.slice(0, 2) })))
    assert.ok(isValid(having({ name: '😀'.repeat(128) })), '256 units, 512 bytes')
    assert.deepEqual(issuesOf(having({ name: '😀'.repeat(129) })), ['error TOO_LONG /name CARD-2.2-01'])
    assert.deepEqual(issuesOf(having({ name: '' })), ['error TOO_SHORT /name CARD-2.2-01'])
  })
  test('CARD-2.2-02: a name without meaning gives a hint, and two cards may have the same name', () => {
    for (const name of ['Agent', 'my-agent', 'Test Bot 2', 'untitled']) {
      assert.deepEqual(issuesOf(having({ name })), ['info NAME_TELLS_NOTHING /name CARD-2.2-02'])
    }
    const twin = having({ agent_id: '01KA3F7Q2M8XZT5R9VNC4WB6HE' })
    assert.deepEqual([issuesOf(plain), issuesOf(twin)], [[], []])
  })
  test('CARD-2.3-01: version is Semantic Versioning 2.0.0, stricter than the expression of rule 2', () => {
    const wrong = [
      ...['1.0', '1', '01.0.0', '1.00.0', 'v1.0.0', '1.0.0-01', '1.0.0-a..b', '1.0.0-.', '1.0.0-', '1.0.0+'],
      ...['1.0.0-a.', '1.0.0+a..b', '1.0.0+a+b', '1.0.0-é', '1.0.0 ', '1.0.0.0', '', 'latest', '1.0.0-1.02'],
    ]
    for (const version of wrong) {
      assert.deepEqual(
        issuesOf(having({ version })),
        ['error PATTERN_MISMATCH /version CARD-2.3-01'],
        version,
      )
    }
    const right = ['0.0.0', '1.0.0-0', '1.0.0-0a.-.1', '1.0.0+001', '1.0.0-a+b.-', `1.0.${'9'.repeat(40)}`]
    for (const version of [...right, '1.0.0-alpha-a.b-c+d.1-2'])
      assert.deepEqual(issuesOf(having({ version })), [])
  })
  test('the clause of SemVer that a version breaks is named', () => {
    const clause = (version: string) => errorsOf(having({ version }))[0]?.message ?? ''
    assert.match(clause('v1.0.0'), /begins with its number.*§2/)
    assert.match(clause('1.0'), /MAJOR\.MINOR\.PATCH/)
    assert.match(clause('1.02.0'), /begins with 0 \(SemVer §2\)/)
    assert.match(clause('1.0.0-01'), /pre-release.*§9/)
    assert.match(clause('1.0.0-a..b'), /empty/)
  })
  test('a hostile version is refused, and never throws', () => {
    for (const version of [
      `1.0.0-${'a.'.repeat(1e6)}`,
      `1.0.0-${'.0'.repeat(1e6)}`,
      `1.0.0-${'1'.repeat(2e6)}!`,
    ]) {
      assert.equal(isValid(having({ version })), false)
    }
  })
})
