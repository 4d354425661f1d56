import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { readLines } from '../../src/document/read-lines.ts'
import { parseHandoffStream, readHandoffStream } from '../../src/spec/aaif/read-handoff-stream.ts'
import { validateHandoffStream } from '../../src/spec/aaif/validate-handoff-stream.ts'
import { judging } from './aaif-judging.ts'

const file = join(import.meta.dirname, '../conformance/aaif.handoff-stream/valid/everything.ndjson')
const text = readFileSync(file, 'utf8')
const lines = text.trimEnd().split('\n')
const stream: readonly Json[] = lines.map((line) => JSON.parse(line))
const { accepts, refuses, requires } = judging('aaif.handoff-stream', stream)
const [init, , , , , , , complete] = stream as readonly JsonObject[]

const issuesOf = (value: Json) =>
  validateHandoffStream(value).map(({ severity, code, pointer, rule }) => [severity, code, pointer, rule])
/** Returns the issues from reading and validating a text, with their lines. */
function read(source: string | Uint8Array) {
  const { document, issues } = readHandoffStream(source)
  const found = document === undefined ? issues : validateHandoffStream(document)
  return found.map(({ code, line, rule }) => [code, line, rule])
}

describe('AAIF §8.3 streaming handoff', () => {
  test('SPEC-Q-10: a stream of an unknown version gives a warning, and a member of another form is only unknown', () => {
    const ofVersion = (sc_version: Json) => issuesOf([{ ...init, sc_version }, ...stream.slice(1)])
    assert.deepEqual(ofVersion('4.0.0'), [['warning', 'SC_VERSION_UNKNOWN', '/0/sc_version', 'SPEC-Q-10']])
    for (const known of ['1.0.0', '3.4.0', 'draft', 4]) assert.deepEqual(ofVersion(known), [])
  })
  test('AAIF-8.3-02: each line is one JSON object with a type; blank lines are errors; the last line may end', () => {
    assert.deepEqual(read(text), [])
    assert.deepEqual(read(text.trimEnd()), [])
    assert.deepEqual(read(lines.join('\r\n')), [])
    const rule = 'AAIF-8.3-02'
    const with2 = (line: string) => read([lines[0], line, ...lines.slice(1)].join('\n'))
    for (const blank of ['', '  ', '\t', '\r']) assert.deepEqual(with2(blank), [['LINE_BLANK', 2, rule]])
    assert.deepEqual(read(`${text}\n`), [['LINE_BLANK', lines.length + 1, rule]])
    for (const other of ['[]', '"text"', '7', 'null', 'true'])
      assert.deepEqual(with2(other), [['LINE_NOT_OBJECT', 2, rule]])
    assert.deepEqual(with2('{}'), [['REQUIRED_MISSING', 2, rule]])
    for (const type of ['1', 'null', '["handoff_init"]'])
      assert.deepEqual(with2(`{"type":${type}}`), [['WRONG_TYPE', 2, rule]])
    assert.deepEqual(with2('{"type":"memory_item"'), [['JSON_SYNTAX', 2, rule]])
    assert.deepEqual(with2('{"type":"a"}{"type":"b"}'), [['JSON_SYNTAX', 2, rule]])
    assert.deepEqual(with2('{"type":"a","type":"b"}'), [['DUPLICATE_KEY', 2, rule]])
    assert.deepEqual(read(Buffer.concat([Buffer.from(`${lines[0]}\n{"type":"`), Buffer.from([0xff])])), [
      ['ENCODING_NOT_UTF8', 2, rule],
    ])
  })
  test('all invalid lines are reported at once', () => {
    assert.deepEqual(
      read('{"type":}\n\n{').map(([code, line]) => [code, line]),
      [
        ['JSON_SYNTAX', 1],
        ['LINE_BLANK', 2],
        ['JSON_SYNTAX', 3],
      ],
    )
  })
  test('AAIF-8.3-03: only the eight types are accepted', () => {
    const types = new Set(stream.map((message) => (message as JsonObject).type))
    const failed = [init as Json, { type: 'handoff_error', code: 'GONE', message: 'Gone.' }]
    assert.equal(types.size, 7)
    assert.deepEqual(issuesOf(stream), [])
    assert.deepEqual(issuesOf(failed), [])
    for (const type of ['handoff', 'HANDOFF_INIT', 'context-chunk', '']) {
      assert.deepEqual(issuesOf([init as Json, { type }, complete as Json]), [
        ['error', 'NOT_IN_ENUM', '/1/type', 'AAIF-8.3-03'],
      ])
    }
  })
  test('SPEC-S-01: handoff_init, handoff_complete and handoff_error have their members', () => {
    for (const name of ['state_id', 'agent_id', 'run_id', 'source_platform', 'migration_token'])
      requires('SPEC-S-01', `/0/${name}`)
    requires('SPEC-S-01', '/7/checksum')
    const error = judging('aaif.handoff-stream', [
      init as Json,
      { type: 'handoff_error', code: 'GONE', message: 'Gone.' },
    ])
    error.requires('SPEC-S-01', '/1/code', '/1/message')
  })
  test('SPEC-S-02: conversation, memory and position have their members', () => {
    requires('SPEC-S-02', '/1/index', '/1/messages', '/3/scope', '/3/key', '/3/content')
    requires('SPEC-S-02', '/4/pipeline_position', '/4/variables', '/4/iteration')
  })
  test('SPEC-S-03: calls and subagents have their members', () => {
    requires('SPEC-S-03', '/5/id', '/5/tool_name', '/5/arguments', '/5/status')
    requires('SPEC-S-03', '/6/alias', '/6/agent_id', '/6/state_id')
  })
  test('parts of the state have the same shape in a stream as in a state', () => {
    refuses('SPEC-Q-02', 'NOT_IN_ENUM', '/1/messages/0/role', 'bot')
    refuses('SPEC-W-01', 'UNKNOWN_MEMBER', '/1/messages/0/name', 'Ann')
    refuses('AAIF-8.1-06', 'UNKNOWN_MEMBER', '/4/pipeline_position/step', 'weigh')
    refuses('SPEC-S-03', 'NOT_IN_ENUM', '/5/status', 'sent')
    refuses('SPEC-S-02', 'NOT_IN_ENUM', '/3/scope', 'global')
  })
  test('a stream that does not begin with handoff_init, or begins twice, is refused', () => {
    const rule = 'AAIF-8.3-07'
    assert.deepEqual(issuesOf([]), [['error', 'STREAM_NOT_BEGUN', '', rule]])
    assert.deepEqual(issuesOf(stream.slice(1)), [['error', 'STREAM_NOT_BEGUN', '/0', rule]])
    assert.deepEqual(issuesOf([init as Json, ...stream]), [['error', 'STREAM_BEGUN_AGAIN', '/1', rule]])
  })
  test('chunks are numbered from 0 without gaps or repetitions', () => {
    const chunk = (index: number) => ({ type: 'context_chunk', index, messages: [] })
    const of = (...indexes: number[]) =>
      issuesOf([init as Json, ...indexes.map(chunk), complete as Json]).map(([, code, pointer]) => [
        code,
        pointer,
      ])
    assert.deepEqual(of(0, 1, 2), [])
    assert.deepEqual(of(), [])
    assert.deepEqual(of(1, 2), [['CHUNK_OUT_OF_ORDER', '/1/index']])
    assert.deepEqual(of(0, 2, 3), [['CHUNK_OUT_OF_ORDER', '/2/index']])
    assert.deepEqual(of(0, 0, 1), [['CHUNK_OUT_OF_ORDER', '/2/index']])
    assert.deepEqual(of(1, 0), [
      ['CHUNK_OUT_OF_ORDER', '/1/index'],
      ['CHUNK_OUT_OF_ORDER', '/2/index'],
    ])
    refuses('SPEC-S-02', 'OUT_OF_RANGE', '/1/index', -1)
  })
  test('a stream ends once, and lines after its end give a finding', () => {
    const failure = { type: 'handoff_error', code: 'GONE', message: 'Gone.' }
    const last = `/${stream.length}`
    assert.deepEqual(issuesOf(stream.slice(0, -1)), [
      ['error', 'STREAM_NOT_ENDED', `/${stream.length - 2}`, 'AAIF-8.3-11'],
    ])
    assert.deepEqual(issuesOf([...stream, failure]), [['error', 'LINE_AFTER_COMPLETE', last, 'AAIF-8.3-13']])
    assert.deepEqual(issuesOf([init as Json, failure, complete as Json]), [
      ['warning', 'LINE_AFTER_ERROR', '/2', 'AAIF-8.3-09'],
    ])
  })
  test('additional members are ignored, and a likely typing error gives a finding', () => {
    accepts('/0/x-acme', 1)
    accepts('/0/status', 'migrating')
    const typo = [{ ...init, checkpoint_att: '2026-03-01T09:00:00Z' }, complete as Json]
    assert.deepEqual(
      validateHandoffStream(typo).map(({ severity, code, pointer, hint }) => [severity, code, pointer, hint]),
      [['info', 'MEMBER_LIKELY_MISTYPED', '/0/checkpoint_att', 'did you mean "checkpoint_at"?']],
    )
  })
  test('a token is accepted only in migration_token, and secrets nowhere', () => {
    const { migration_token } = init as { migration_token: string }
    assert.deepEqual(issuesOf([{ ...init, note: migration_token }, complete as Json]), [
      ['error', 'SECRET_INLINE', '/0/note', 'AAIF-4.4-10'],
    ])
  })
  test('a value that is not a list of lines is not a stream', () => {
    assert.deepEqual(issuesOf({ type: 'handoff_init' }), [['error', 'STREAM_NOT_LINES', '', 'AAIF-8.3-02']])
    assert.deepEqual(read(''), [['STREAM_NOT_BEGUN', 1, 'AAIF-8.3-07']])
  })
  test('parsing returns the messages unchanged or throws', () => {
    assert.deepEqual(parseHandoffStream(text), stream)
    assert.throws(() => parseHandoffStream(`${lines[0]}\n\n`), { code: 'LINE_BLANK' })
    assert.throws(() => parseHandoffStream(stream.slice(0, 2)), { code: 'STREAM_NOT_ENDED' })
  })
})

describe('newline-delimited JSON', () => {
  test('a place in a line has its line and column', () => {
    const { document } = readLines('{"a":1}\n  {"b": [2,\t3]}\n{"c":4}')
    assert.ok(document)
    assert.deepEqual(document.value, [{ a: 1 }, { b: [2, 3] }, { c: 4 }])
    const at = (pointer: string, key = false) => {
      const { line, column } = document.locate(pointer, { key })
      return [line, column]
    }
    assert.deepEqual(at('/1/b/1'), [2, 13])
    assert.deepEqual(at('/1/b', true), [2, 4])
    assert.deepEqual(at('/2'), [3, 1])
    assert.deepEqual(at('/2/missing'), [3, 1])
    assert.deepEqual(at(''), [1, 1])
  })
  test('a line may have 8 MiB, all lines together more', () => {
    const piece = JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024 - 11) })
    assert.equal(Buffer.byteLength(piece), 8 * 1024 * 1024)
    const { document } = readLines(`${piece}\n${piece}`)
    assert.ok(Array.isArray(document?.value) && document.value.length === 2)
    const [issue] = readLines(`{}\n${piece} `).issues ?? []
    assert.deepEqual([issue?.code, issue?.line], ['LINE_TOO_LONG', 2])
    assert.equal(readLines('{}\n{}\n', { maxBytes: 5 }).issues?.[0]?.code, 'DOCUMENT_TOO_LARGE')
  })
  test('a byte order mark at the start is not part of the first line', () => {
    assert.deepEqual(readLines(Buffer.from('\u{FEFF}{"a":1}\n')).document?.value, [{ a: 1 }])
  })
})
