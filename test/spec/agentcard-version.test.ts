import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adviseVersion, parseAgentCard } from 'waybill/spec'
import { compareSemVer, readSemVer, type SemVer } from '../../src/spec/agentcard/sem-ver.ts'
import { full } from './agentcard-samples.ts'

const before = parseAgentCard(full)
const [book, timetable, delegate] = full.capabilities as [object, object, object]
const advise = (members: object, version = '1.2.4') =>
  adviseVersion(before, parseAgentCard({ ...full, version, ...members } as typeof full))
const levelOf = (members: object) => advise(members).level
const endpoint = full.endpoint as object

describe('AgentCard §2.3: how the version of a card must increase', () => {
  test('CARD-2.3-02: PATCH for corrections, MINOR for added, MAJOR for removed capabilities and another address', () => {
    assert.deepEqual(advise({}, '1.2.3'), { level: 'none', changes: [], next: '1.2.3', enough: true })
    const patch = advise({ name: 'Ferry desk', metadata: {} })
    assert.deepEqual([patch.level, patch.next, patch.enough], ['patch', '1.2.4', true])
    assert.deepEqual(patch.changes.map(({ pointer }) => pointer).sort(), ['/metadata', '/name'])
    const added = advise({ capabilities: [book, timetable, delegate, { id: 'fn.wave' }] })
    assert.deepEqual([added.level, added.next, added.enough], ['minor', '1.3.0', false])
    assert.equal(added.changes[0]?.pointer, '/capabilities/3')
    const removed = advise({ capabilities: [book, delegate, { id: 'fn.wave' }] }, '1.3.0')
    assert.deepEqual([removed.level, removed.next, removed.enough], ['major', '2.0.0', false])
    const moved = advise({ endpoint: { ...endpoint, url: 'https://pier.example/agent' } }, '2.0.0')
    assert.deepEqual([moved.level, moved.enough], ['major', true])
  })
  test('changes that affect callers need a higher level', () => {
    assert.equal(levelOf({ endpoint: { ...endpoint, url: 'https://FERRY.example:443/agent' } }), 'patch')
    assert.equal(levelOf({ endpoint: { ...endpoint, auth: { scheme: 'oauth2' } } }), 'major')
    assert.equal(levelOf({ endpoint: { ...endpoint, auth: {} } }), 'patch')
    assert.equal(levelOf({ endpoint: { protocol: 'mcp', url: 'https://ferry.example/agent' } }), 'major')
    assert.equal(levelOf({ agent_id: '01KA3F7Q2M8XZT5R9VNC4WB6HE' }), 'major')
    assert.equal(levelOf({ capabilities: [timetable, book, delegate] }), 'patch')
    assert.equal(
      levelOf({ capabilities: [{ ...book, description: 'Books.' }, timetable, delegate] }),
      'patch',
    )
    const asking = (input_schema: object) => ({
      capabilities: [{ ...book, input_schema }, timetable, delegate],
    })
    assert.equal(levelOf(asking({ type: 'object', required: ['pier', 'day'] })), 'major')
    assert.equal(levelOf(asking({ type: 'object', properties: { day: {} }, required: ['pier'] })), 'minor')
    assert.equal(levelOf({ 'x-note': 1 }), 'patch')
  })
  test('a version that is lower, or not high enough, is reported', () => {
    assert.equal(advise({ name: 'x' }, '1.2.3').enough, false)
    assert.equal(advise({ name: 'x' }, '1.2.2').enough, false)
    assert.equal(advise({ name: 'x' }, '1.2.4-rc.1').enough, true)
    assert.equal(advise({}, '1.2.2').enough, false)
    assert.equal(advise({ endpoint: { ...endpoint, url: 'https://b.example' } }, '1.9.9').enough, false)
    const trial = adviseVersion(
      { ...before, version: '2.0.0-rc.1' },
      { ...before, name: 'x', version: '2.0.0' },
    )
    assert.deepEqual([trial.next, trial.enough], ['2.0.0', true])
  })
})

test('versions are ordered by SemVer §11', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
  ]
  const all = [
    // Numbers beyond 2^53, such as time stamps.
    '1.0.0-20260101120000123',
    '1.0.0-20260101120000124',
    ...order,
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    // Longer than 256 characters.
    `9.0.0-${'9'.repeat(300)}`,
    `9.0.0-${'a'.repeat(300)}`,
    `${'9'.repeat(20)}.0.0`,
    `1${'0'.repeat(20)}.0.0`,
  ]
  const read = (text: string) => readSemVer(text) as SemVer
  for (const [i, a] of all.entries()) {
    for (const [j, b] of all.entries()) {
      assert.equal(Math.sign(compareSemVer(read(a), read(b))), Math.sign(i - j), `${a} and ${b}`)
    }
  }
  assert.equal(compareSemVer(read('1.0.0+a'), read('1.0.0+b')), 0)
  assert.equal(readSemVer('1.0'), undefined)
})
