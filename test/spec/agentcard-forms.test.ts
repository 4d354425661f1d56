import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import {
  type AgentCard,
  embedAgentCard,
  encodeAgentCard,
  parseAgentCard,
  validateAgentCard,
} from 'waybill/spec'
import type { Io } from '../../src/cli/io.ts'
import { validate } from '../../src/cli/validate/validate.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { detectKind } from '../../src/spec/kinds.ts'
import { full, having, issuesOf, type plain } from './agentcard-samples.ts'

const card = { ...full, name: 'Fähre "Nord" ⛴' } as unknown as AgentCard

describe('AgentCard §3: the forms of a card', () => {
  test('CARD-3-01: the canonical form is a JSON object in UTF-8 without a byte order mark', () => {
    const bytes = encodeAgentCard(card)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    assert.equal(text[0], '{')
    assert.deepEqual(JSON.parse(text), card)
    assert.throws(() => encodeAgentCard({ ...card, name: '' }), { code: 'TOO_SHORT' })
  })
  test('CARD-3-04: the embedded form is a string that contains the object', () => {
    const message = JSON.stringify({ content: [{ type: 'text', text: embedAgentCard(card) }] })
    assert.deepEqual(JSON.parse(JSON.parse(message).content[0].text), card)
    assert.throws(() => embedAgentCard({ ...card, version: '1' }), { code: 'PATTERN_MISMATCH' })
  })
  test('CARD-3-05: both forms give the same card, as data, as text and as bytes', () => {
    const embedded = embedAgentCard(card)
    const bytes = new TextEncoder().encode(JSON.stringify(embedded))
    const both = [
      card as never,
      embedded,
      ` ${embedded}\n`,
      JSON.stringify(embedded),
      bytes,
      encodeAgentCard(card),
    ]
    for (const form of both) assert.deepEqual(parseAgentCard(form), card)
    const { document } = readDocument(JSON.stringify(embedded))
    assert.deepEqual(detectKind(document?.value ?? null), { kind: 'agentcard' })
    assert.deepEqual(parseAgentCard(document ?? ''), card)
  })
  test('an embedded card is validated like any other, and a syntax error in its text has its place', () => {
    const broken = JSON.stringify(having({ version: '1.0' }))
    assert.deepEqual(issuesOf(broken), ['error PATTERN_MISMATCH /version CARD-2.3-01'])
    const [cut] = validateAgentCard('{\n  "name": "x",\n')
    assert.match(cut?.message ?? '', /line \d, column \d+ of the embedded text/)
  })
  test('CARD-2.4-02: readers and writers keep the order of the capabilities', () => {
    const ids = (source: AgentCard) => source.capabilities.map(({ id }) => id)
    const order = ['tool.book_seat', 'data.timetable', 'a2a.delegate']
    assert.deepEqual(ids(parseAgentCard(encodeAgentCard(parseAgentCard(embedAgentCard(card))))), order)
  })
  test('an encoding other than JSON is refused with a hint, and accepted in lenient mode', () => {
    const yaml = readDocument(
      'agent_id: 01KA3F7Q2M8XZT5R9VNC4WB6HD\nname: Ferry clerk\nversion: 1.2.3\ncapabilities:\n' +
        '  - {id: data.timetable, description: Tells when.}\nendpoint: {protocol: https, url: "https://a"}\n',
    ).document
    assert.ok(yaml)
    const [issue, ...more] = validateAgentCard(yaml)
    assert.deepEqual([issue?.severity, issue?.code, more], ['error', 'CARD_NOT_JSON', []])
    assert.match(issue?.hint ?? '', /transcode/)
    assert.equal(validateAgentCard(yaml, { lenient: true })[0]?.severity, 'warning')
    assert.equal(parseAgentCard(yaml, { lenient: true }).name, 'Ferry clerk')
  })
})

describe('detecting cards', () => {
  test('a card with members of other formats is detected as a card', () => {
    for (const member of ['agent', 'task', 'claims', 'registry', 'aah_version', 'state_id', 'sc_standard']) {
      assert.deepEqual(detectKind(having({ [member]: { name: 'x' }, entries: [] })), { kind: 'agentcard' })
    }
    assert.deepEqual(detectKind({ name: 'x', capabilities: [], endpoint: 7 }), { kind: 'agentcard' })
    for (const other of ['{', '{}', '{"agent_id": 1}', 'x', '[]']) assert.equal(detectKind(other), null)
  })
  test('`waybill validate` detects a card by its shape and passes on --lenient', async () => {
    const text = JSON.stringify(having({ endpoint: { protocol: 'native', url: 'native:ferry' } }))
    const run = async (lenient: boolean) => {
      let out = ''
      const io = {
        cwd: '/',
        env: {},
        out(part: string) {
          out += part
        },
        err: () => {},
        stdin: Readable.from([Buffer.from(text)]),
      } as unknown as Io
      const { exit } = await validate(['-'], { lenient, format: 'json' }, io)
      return [exit, JSON.parse(out).files[0].kind]
    }
    assert.deepEqual(await run(false), [1, 'agentcard'])
    assert.deepEqual(await run(true), [0, 'agentcard'])
  })
})

describe('lenient mode: the dialect of the community repository', () => {
  const lenient = (members: object) => issuesOf(having(members as typeof plain), { lenient: true })
  const reachedBy = (protocol: string, url: string) => ({ endpoint: { protocol, url } })
  test('its protocols are accepted with a warning', () => {
    for (const [protocol, url] of Object.entries({
      websocket: 'wss://a',
      sse: 'https://a',
      google_a2a: 'https://a',
      native: 'native:a',
    })) {
      assert.deepEqual(lenient(reachedBy(protocol, url)), [
        'warning NOT_IN_ENUM /endpoint/protocol CARD-2.5-02',
      ])
    }
    assert.deepEqual(lenient(reachedBy('carrier_pigeon', 'https://a')), [
      'error NOT_IN_ENUM /endpoint/protocol CARD-2.5-02',
    ])
  })
  test('http with an https url is a warning; the reverse is an error', () => {
    const mismatch = (severity: string) => [`${severity} PROTOCOL_URL_MISMATCH /endpoint/url CARD-2.5-03`]
    assert.deepEqual(lenient(reachedBy('http', 'https://a')), mismatch('warning'))
    assert.deepEqual(lenient(reachedBy('https', 'http://a')), mismatch('error'))
    assert.deepEqual(lenient(reachedBy('http', 'https:a')), mismatch('error'))
  })
  test('versions that only the expression in the draft allows are warnings; others are errors', () => {
    for (const version of ['1.0.0-01', '1.0.0-a..b', '1.0.0-.']) {
      assert.deepEqual(lenient({ version }), ['warning PATTERN_MISMATCH /version CARD-2.3-01'])
    }
    for (const version of ['1.0', '01.0.0', 'v1.0.0']) {
      assert.deepEqual(lenient({ version }), ['error PATTERN_MISMATCH /version CARD-2.3-01'])
    }
  })
  test('computed and added members are ignored, and violations of the draft are errors', () => {
    assert.deepEqual(lenient({ metadata: { 'pacr:influence_rank': 0.1 }, pricing: { currency: 'CHF' } }), [])
    assert.deepEqual(lenient({ pricing: { base_cost_joules: 1e-22 } }), [
      'error BELOW_LANDAUER_FLOOR /pricing/base_cost_joules CARD-2.6-01',
    ])
    assert.deepEqual(lenient({ agent_id: '01KA3F7Q2M8XZT5R9VNC4WB6HDD' }), [
      'error PATTERN_MISMATCH /agent_id CARD-5-02',
    ])
  })
})
