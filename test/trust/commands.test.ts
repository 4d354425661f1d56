import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { decodeCbor, encodeCbor } from '../../src/document/lazy-encodings.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { BIN } from '../started-process.ts'

const YAML = '# mine\nsc_standard: SC-006\nagent: {name: Clerk, goal: "Send it."}\n'
const read = (place: Place, name: string) => readFileSync(join(place.folder, name))
const parsed = (text: string) => JSON.parse(text) as Record<string, Json>

describe('waybill keys, sign, verify', () => {
  test('a signature is valid until the document is edited or the key is revoked', async (t) => {
    const place = new Place(t)
    place.write('a.yaml', YAML)
    const made = parsed((await waybill(place, ['keys', 'new', 'alice', '--json'])).out)
    const before = await waybill(place, ['verify', 'a.yaml', '--json'])
    assert.deepEqual([before.code, parsed(before.out).status], [1, 'unsigned'])
    const signed = await waybill(place, ['sign', 'a.yaml', '--key', 'alice', '--in-place'])
    assert.deepEqual([signed.code, signed.out], [0, ''])
    const after = await waybill(place, ['verify', 'a.yaml', '--json'])
    assert.equal(after.code, 0)
    assert.deepEqual(parsed(after.out), {
      file: 'a.yaml',
      ok: true,
      status: 'valid',
      form: 'embedded',
      signer: 'alice',
      key_id: made.key_id as string,
      reason: 'signed by "alice"',
    })
    const text = read(place, 'a.yaml').toString()
    assert.ok(text.startsWith(YAML))
    place.write('a.yaml', text.replace('Send it.', 'Send it all.'))
    const edited = await waybill(place, ['verify', 'a.yaml'])
    assert.equal(edited.code, 1)
    assert.match(edited.err, /changed/)
    // Another home knows the key only after `keys trust`.
    const elsewhere = { env: { WAYBILL_HOME: join(place.folder, 'other') } }
    place.write('a.yaml', text)
    assert.equal(
      parsed((await waybill(place, ['verify', 'a.yaml', '--json'], elsewhere)).out).status,
      'unknown_signer',
    )
    place.write('alice.pub', (await waybill(place, ['keys', 'export', 'alice'])).out)
    await waybill(place, ['keys', 'trust', 'al', 'alice.pub'], elsewhere)
    assert.equal((await waybill(place, ['verify', 'a.yaml'], elsewhere)).code, 0)
    await waybill(place, ['keys', 'revoke', 'al', '--reason', 'lost'], elsewhere)
    const revoked = await waybill(place, ['verify', 'a.yaml'], elsewhere)
    assert.equal(revoked.code, 1)
    assert.match(revoked.err, /revoked.*lost/)
  })

  test('without --in-place or -o the file does not change', async (t) => {
    const place = new Place(t)
    place.write('a.yaml', YAML)
    await waybill(place, ['keys', 'new', 'alice'])
    const { out, code } = await waybill(place, ['sign', 'a.yaml', '--key', 'alice'])
    assert.equal(code, 0)
    assert.match(out, /^# mine[\s\S]*signature: /)
    assert.equal(read(place, 'a.yaml').toString(), YAML)
    assert.equal(
      (await waybill(place, ['sign', 'a.yaml', '--key', 'alice', '--in-place', '-o', 'x'])).code,
      2,
    )
  })

  test('a detached signature is written next to the file, and found there', async (t) => {
    const place = new Place(t)
    place.write('card.json', '{"id": "clerk", "schema_version": "1.0"}')
    await waybill(place, ['keys', 'new', 'alice'])
    assert.equal((await waybill(place, ['sign', 'card.json', '--key', 'alice'])).code, 2)
    assert.equal((await waybill(place, ['sign', 'card.json', '--key', 'alice', '--detached'])).code, 0)
    assert.match(read(place, 'card.json.jws').toString(), /^[\w-]+\.\.[\w-]+\n$/)
    assert.equal((await waybill(place, ['verify', 'card.json'])).code, 0)
    writeFileSync(join(place.folder, 'moved.jws'), read(place, 'card.json.jws'))
    const moved = await waybill(place, ['verify', 'card.json', '--jws', 'moved.jws', '--json'])
    assert.deepEqual([moved.code, parsed(moved.out).form], [0, 'detached'])
    assert.equal((await waybill(place, ['verify', 'card.json', '--jws', 'none.jws'])).code, 2)
    place.write('card.json', '{"id": "clerk2", "schema_version": "1.0"}')
    assert.equal((await waybill(place, ['verify', 'card.json'])).code, 1)
  })

  test('an ambiguous document is refused with the place, and its signature is not trusted', async (t) => {
    const place = new Place(t)
    await waybill(place, ['keys', 'new', 'alice'])
    const text = (number: string) =>
      `{"sc_standard": "SC-006",\n "agent": {"name": "x", "goal": "y"}, "x-n": ${number}}`
    place.write('lossy.json', text('0.1000000000000000000001'))
    const refused = await waybill(place, ['sign', 'lossy.json', '--key', 'alice', '--json'])
    const { error } = parsed(refused.out) as { error: JsonObject }
    assert.deepEqual([refused.code, error.code, error.pointer, error.line], [1, 'UNSAFE_TO_SIGN', '/x-n', 2])
    place.write('exact.json', text('0.1'))
    await waybill(place, ['sign', 'exact.json', '--key', 'alice', '--in-place'])
    assert.equal((await waybill(place, ['verify', 'exact.json'])).code, 0)
    place.write('exact.json', read(place, 'exact.json').toString().replace('0.1', '0.1000000000000000000001'))
    assert.equal((await waybill(place, ['verify', 'exact.json'])).code, 1)
    place.write('twice.json', '{"a": 1, "a": 2}')
    assert.equal((await waybill(place, ['sign', 'twice.json', '--key', 'alice', '--detached'])).code, 1)
    assert.equal(existsSync(join(place.folder, 'twice.json.jws')), false)
  })

  test('a revoked key cannot sign', async (t) => {
    const place = new Place(t)
    await waybill(place, ['keys', 'new', 'alice'])
    await waybill(place, ['keys', 'revoke', 'alice', '--reason', 'test'])
    const { code, out } = await waybill(place, ['sign', 'agent.json', '--key', 'alice', '--json'])
    assert.deepEqual([code, (parsed(out).error as JsonObject).code], [1, 'KEY_REVOKED'])
    const list = parsed((await waybill(place, ['keys', 'list', '--json'])).out) as { trusted: JsonObject[] }
    assert.equal(list.trusted[0]?.revoked_reason, 'test')
  })

  test('the private key is printed only with --private', async (t) => {
    const place = new Place(t)
    await waybill(place, ['keys', 'new', 'alice'])
    for (const flags of [[], ['--public'], ['--did'], ['--json']]) {
      assert.doesNotMatch((await waybill(place, ['keys', 'export', 'alice', ...flags])).out, /PRIVATE/)
    }
    assert.match((await waybill(place, ['keys', 'export', 'alice', '--private'])).out, /BEGIN PRIVATE KEY/)
    assert.equal((await waybill(place, ['keys', 'export', 'alice', '--private', '--did'])).code, 2)
  })
})

describe('waybill transcode, canonicalize', () => {
  test('a number that a double cannot hold is refused in place of another number', async (t) => {
    const place = new Place(t)
    for (const digits of ['9007199254740993', '0.1234567890123456789']) {
      place.write('a.json', `{"a":\n ${digits}}`)
      for (const to of ['yaml', 'cbor', 'msgpack', 'json']) {
        const { code, out } = await waybill(place, ['transcode', 'a.json', '--to', to, '--json'])
        const { error } = parsed(out) as { error?: JsonObject }
        assert.deepEqual([code, error?.code, error?.line], [1, 'DIGITS_LOST', 2], out)
      }
    }
    place.write('a.json', '{"a":9007199254740991}')
    assert.equal((await waybill(place, ['transcode', 'a.json', '--to', 'yaml'])).out, 'a: 9007199254740991\n')
  })

  const data = { sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'yes', n: [1, 1.5, null] } }

  test('a document survives conversion through all encodings', async (t) => {
    const place = new Place(t)
    place.write('0.json', JSON.stringify(data))
    let from = '0.json'
    for (const to of ['1.yaml', '2.cbor', '3.msgpack', '4.json']) {
      assert.equal((await waybill(place, ['transcode', from, '-o', to])).code, 0)
      from = to
    }
    assert.deepEqual(JSON.parse(read(place, '4.json').toString()), data)
    assert.deepEqual(decodeCbor(read(place, '2.cbor')), data)
    assert.equal((await waybill(place, ['transcode', '0.json'])).code, 2)
    const written = await waybill(place, ['transcode', '0.json', '-o', '9.yaml'])
    assert.deepEqual([written.out, written.err], ['', 'the document was written to 9.yaml as yaml\n'])
    assert.match((await waybill(place, ['transcode', '2.cbor', '--to', 'diag'])).out, /"goal": "yes"/)
    const json = parsed((await waybill(place, ['transcode', '0.json', '--to', 'cbor', '--json'])).out)
    assert.deepEqual(decodeCbor(Buffer.from(String(json.contents), 'base64')), data)
  })

  test('binary output is unchanged in a pipe, and is refused on a terminal', async (t) => {
    const place = new Place(t)
    place.write('a.json', JSON.stringify(data))
    const piped = execFileSync(BIN, ['transcode', 'a.json', '--to', 'cbor'], { cwd: place.folder })
    assert.deepEqual(piped, Buffer.from(encodeCbor(data)))
    assert.equal((await waybill(place, ['transcode', 'a.json', '--to', 'cbor'], { outIsTty: true })).code, 2)
  })

  test('invalid CBOR can still be printed with --to diag', async (t) => {
    const place = new Place(t)
    writeFileSync(join(place.folder, 'a.cbor'), Buffer.from('a1616141ff', 'hex'))
    const refused = await waybill(place, ['transcode', 'a.cbor', '--to', 'json', '--json'])
    assert.equal(refused.code, 1)
    const { error } = parsed(refused.out) as { error: JsonObject }
    assert.deepEqual([error.code, error.column, error.rule], ['CBOR_NOT_JSON', 4, 'AAIF-9-08'])
    assert.match((await waybill(place, ['transcode', 'a.cbor', '--to', 'diag'])).out, /h'ff'/)
  })

  test('the canonical form is the same for each encoding and order', async (t) => {
    const place = new Place(t)
    place.write('a.yaml', 'b: 1\na: é\n')
    place.write('b.json', '{"a":"\\u00e9",  "b":1.0}')
    for (const file of ['a.yaml', 'b.json']) {
      const { out, code } = await waybill(place, ['canonicalize', file])
      assert.deepEqual([out, code], ['{"a":"é","b":1}', 0])
    }
    place.write('c.json', '{"n": 12345678901234567890}')
    assert.equal((await waybill(place, ['canonicalize', 'c.json'])).code, 1)
  })
})
