import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { DEFINITION, Place, waybill } from './fixture.ts'

const tools = (...names: string[]) =>
  names.map((name) => ({ name, description: 'D.', protocol: 'http', endpoint: `https://${name}.example/` }))
const agent = (members: object) => ({
  ...DEFINITION,
  agent: { name: 'Clerk', goal: 'Work.', ...members },
})

describe('waybill diff', () => {
  test('the form of a definition has no meaning: exit 0', async (t) => {
    const place = new Place(t)
    await waybill(place, ['transcode', 'agent.json', '--to', 'yaml', '-o', 'same.yaml'])
    await waybill(place, ['transcode', 'agent.json', '--to', 'cbor', '-o', 'same.cbor'])
    for (const other of ['agent.json', 'same.yaml', 'same.cbor']) {
      const { code, out, err } = await waybill(place, ['diff', 'agent.json', other])
      assert.deepEqual([code, out, err], [0, '', 'both definitions mean the same\n'])
      const json = await waybill(place, ['diff', other, 'agent.json', '--json'])
      assert.equal(json.code, 0)
      assert.deepEqual(JSON.parse(json.out), { equal: true, widens: false, changes: [] })
    }
  })

  test('a binary definition has places without lines', async (t) => {
    const place = new Place(t, agent({ goal: 'Work.' }))
    await waybill(place, ['transcode', 'agent.json', '--to', 'cbor', '-o', 'before.cbor'])
    place.write('new.json', JSON.stringify(agent({ goal: 'Rest.' })))
    const { out } = await waybill(place, ['diff', 'before.cbor', 'new.json', '--json'])
    const [change] = JSON.parse(out).changes
    assert.deepEqual(change.before_at, { pointer: '/agent/goal' })
    assert.equal(change.after_at.line, 1)
    const { out: text } = await waybill(place, ['diff', 'before.cbor', 'new.json'])
    assert.match(text, /\/agent\/goal {2}before\.cbor → new\.json:1\n/)
  })

  test('one more tool widens: exit 1, with the place in both files', async (t) => {
    const place = new Place(t, agent({ tools: tools('a') }))
    place.write(
      'new.yaml',
      'sc_standard: SC-006\nagent_id: 5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10\nagent:\n  name: Clerk\n  goal: Work.\n  tools:\n    - { name: b, description: D., protocol: function }\n    - name: a\n      description: E.\n      protocol: http\n      endpoint: https://a.example/\n',
    )
    const { code, out } = await waybill(place, ['diff', 'agent.json', 'new.yaml', '--json'])
    const { equal, widens, changes } = JSON.parse(out)
    assert.deepEqual([code, equal, widens], [1, false, true])
    assert.deepEqual(changes, [
      {
        path: '/agent/tools/1/description',
        kind: 'changed',
        effect: 'neutral',
        reason: 'tool a: description was D., is E.',
        before: 'D.',
        after: 'E.',
        before_at: { pointer: '/agent/tools/0/description', line: 1, column: changes[0].before_at.column },
        after_at: { pointer: '/agent/tools/1/description', line: 9, column: 7 },
      },
      {
        path: '/agent/tools/0',
        kind: 'added',
        effect: 'widens',
        reason: 'tool b is added: one more tool',
        after: { name: 'b', description: 'D.', protocol: 'function' },
        after_at: { pointer: '/agent/tools/0', line: 7, column: 7 },
      },
    ])
    const reversed = await waybill(place, ['diff', 'new.yaml', 'agent.json', '--format', 'json'])
    assert.deepEqual([reversed.code, JSON.parse(reversed.out).widens], [1, false])
  })

  test('the changes are grouped by effect for people, and the texts of definitions cannot forge output', async (t) => {
    const place = new Place(t, agent({ instructions: 'One.\nTwo.\n', runtime: { timeout_seconds: 60 } }))
    const evil = 'Two.\u001b[2K\rNeutral\u202e'
    place.write(
      'new.json',
      JSON.stringify(
        agent({
          instructions: `One.\n${evil}\n`,
          runtime: { timeout_seconds: 90 },
          constraints: [`x\u001b[31m\nWidens ${'y '.repeat(80)}`],
        }),
      ),
    )
    const { code, out } = await waybill(place, ['diff', 'agent.json', 'new.json'])
    assert.equal(code, 1)
    assert.match(
      out,
      /^Widens the rights of the agent\n {2}~ runtime\.timeout_seconds is raised from 60 to 90\n {6}\/agent\/runtime\/timeout_seconds +agent\.json:1 → new\.json:1\n\nNarrows them\n {2}\+ constraint "x Widens y/,
    )
    assert.match(out, /\n\nNeutral\n {2}~ instructions is changed\n {6}- Two\.\n {6}\+ Two\./)
    assert.match(out, /\n3 changes: the rights of the agent are widened\n$/)
    for (const hidden of ['\u001b', '\u202e', '\r']) assert.ok(!out.includes(hidden))
    const coloured = await waybill(place, ['diff', 'agent.json', 'new.json'], { color: true, outIsTty: true })
    assert.ok(coloured.out.includes('\u001b[31m~\u001b[0m'))
    // A line that was cut may have colours, which take no room.
    for (const line of coloured.out.split('\n')) assert.ok(stripVTControlCharacters(line).length <= 80, line)
    const narrower = await waybill(place, ['diff', 'new.json', 'agent.json'])
    assert.match(narrower.out, /3 changes: the rights of the agent are widened/)
  })

  test('without a change that widens, it says so', async (t) => {
    const place = new Place(t, agent({}))
    place.write('new.json', JSON.stringify(agent({ goal: 'Work well.' })))
    const { code, out } = await waybill(place, ['diff', 'agent.json', 'new.json'])
    assert.deepEqual([code, out.split('\n').at(-2)], [1, '1 change: no right of the agent is widened'])
  })

  test('a definition may be standard input, but not both', async (t) => {
    const place = new Place(t)
    const stdin = JSON.stringify(DEFINITION)
    assert.equal((await waybill(place, ['diff', '-', 'agent.json'], { stdin })).code, 0)
    assert.equal((await waybill(place, ['diff', 'agent.json', '-'], { stdin })).code, 0)
    const both = await waybill(place, ['diff', '-', '-', '--json'], { stdin })
    assert.deepEqual([both.code, JSON.parse(both.out).error.code], [2, 'USAGE'])
  })

  test('an invalid definition is refused with all its errors: exit 1', async (t) => {
    const place = new Place(t)
    place.write('bad.json', '{"sc_standard": "SC-006", "agent": {"name": "A", "gaol": "G.", "memory": [{}]}}')
    const { code, out } = await waybill(place, ['diff', 'agent.json', 'bad.json', '--json'])
    const { error } = JSON.parse(out)
    assert.deepEqual([code, error.code, error.file, error.line], [1, 'DEFINITION_INVALID', 'bad.json', 1])
    assert.deepEqual(
      error.details.map((part: { code: string; pointer: string }) => `${part.code} ${part.pointer}`),
      [
        'REQUIRED_MISSING /agent/goal',
        'UNKNOWN_MEMBER /agent/gaol',
        'REQUIRED_MISSING /agent/memory/0/scope',
        'REQUIRED_MISSING /agent/memory/0/content',
      ],
    )
    const { err } = await waybill(place, ['diff', 'bad.json', 'agent.json'])
    assert.match(err, /bad\.json:1:\d+ UNKNOWN_MEMBER agent has no member "gaol" \(at \/agent\/gaol\)/)
  })

  test('what is unreadable, or no definition, is exit 2', async (t) => {
    const place = new Place(t)
    place.write('broken.json', '{')
    place.write('other.json', '{"a": 1}')
    place.write('state.json', JSON.stringify({ sc_standard: 'SC-006', state_id: 'x', checkpoint_at: 'y' }))
    const cases = [
      ['gone.json', 'FILE_UNREADABLE', /check the path/],
      ['broken.json', 'JSON_SYNTAX', /./],
      ['other.json', 'KIND_UNKNOWN', /waybill validate/],
      ['state.json', 'KIND_NOT_COMPARED', /waybill state diff/],
    ] as const
    for (const [file, wanted, hint] of cases) {
      const { code, out } = await waybill(place, ['diff', 'agent.json', file, '--json'])
      const { error } = JSON.parse(out)
      assert.deepEqual([code, error.code, error.file], [2, wanted, file])
      assert.match(error.hint ?? '.', hint)
    }
  })

  test('values of a registry are permitted, and a protocol that is not known widens', async (t) => {
    const place = new Place(t, agent({ tools: tools('a') }))
    const other = tools('a').map((tool) => ({ ...tool, protocol: 'acme' }))
    place.write('new.json', JSON.stringify(agent({ tools: other })))
    place.write(
      'registry.json',
      JSON.stringify({
        registry: 'aaif-tool-protocols',
        sc_standard: 'SC-006',
        description: 'D.',
        registration_policy: 'Expert Review',
        entries: [{ id: 'acme', status: 'standard', since: '3.4.0', needs_endpoint: true, meaning: 'Acme.' }],
      }),
    )
    assert.equal((await waybill(place, ['diff', 'agent.json', 'new.json'])).code, 1)
    const { out } = await waybill(place, [
      'diff',
      'agent.json',
      'new.json',
      '--registry',
      'registry.json',
      '--json',
    ])
    const parsed = JSON.parse(out)
    assert.deepEqual([parsed.error, parsed.widens], [undefined, true])
  })

  test('a secret value in a definition is not repeated', async (t) => {
    const key = `sk-${'a1B2'.repeat(12)}`
    const place = new Place(t, agent({}))
    place.write('new.json', JSON.stringify(agent({ description: `Use ${key}.` })))
    for (const form of [[], ['--json']]) {
      const { out, err } = await waybill(place, ['diff', 'agent.json', 'new.json', ...form])
      assert.ok(!`${out}${err}`.includes(key), out)
    }
  })
})
