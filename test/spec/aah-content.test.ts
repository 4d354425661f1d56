import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  acceptFetchedBody,
  parseArtifactEnvelope,
  validateArtifactEnvelope,
  withEnvelopeDefaults,
} from 'waybill/spec'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { holding, without } from '../../src/spec/aah/catalogue/entry.ts'
import { notAsDeclared } from '../../src/spec/aah/content-as-declared.ts'
import { readStructuredBody } from '../../src/spec/aah/structured-body.ts'
import { MEDIA_TYPES, STRUCTURED } from '../../src/spec/aah/vocabulary.ts'

const issuesOf = (envelope: Json) =>
  validateArtifactEnvelope(envelope).map(({ severity, code, rule }) => `${severity} ${code} ${rule}`)
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A body that matches each media type. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  'application/json': { body: '{"a": [1]}' },
  'application/x-ndjson': { body: '{"a":1}\n[2]\n' },
  'text/yaml': { body: 'a: 1\n' },
  'image/png': { body: 'iVBORw0KGgo=', encoding: 'base64' },
  'image/jpeg': { body: '/9j/4AAQ', encoding: 'base64' },
  'image/svg+xml': { body: '<svg/>' },
  [STRUCTURED]: { body: { schema: 'aah:x', data: 1 } },
}
const ofType = (media_type: string, members: JsonObject = {}) =>
  holding({ media_type, ...BODIES[media_type], ...members })

test('AAH-2.4-01: content has media_type, and body or body_url or both', () => {
  const url = 'https://post.example/x'
  assert.deepEqual(issuesOf(holding({ body_url: url })), [])
  assert.deepEqual(issuesOf(without(holding({ body_url: url }), 'content', 'body')), [])
  const missing = 'error REQUIRED_MISSING AAH-2.4-01'
  assert.deepEqual(issuesOf(without(holding({}), 'content', 'body')), [missing])
  assert.deepEqual(issuesOf(without(holding({}), 'content', 'media_type')), [missing])
})

test('AAH-2.4-02: encoding is utf-8 by default; sizes are whole numbers from 0', () => {
  assert.equal(withEnvelopeDefaults(parseArtifactEnvelope(holding({}))).content?.encoding, 'utf-8')
  const latin = withEnvelopeDefaults(parseArtifactEnvelope(holding({ encoding: 'latin1' })))
  assert.equal(latin.content?.encoding, 'latin1')
  assert.deepEqual(issuesOf(without(holding({ token_count: 0 }), 'content', 'encoding')), [])
  for (const member of ['size_bytes', 'token_count']) {
    assert.deepEqual(issuesOf(holding({ [member]: -1 }))[0], 'error OUT_OF_RANGE AAH-2.4-02')
    assert.deepEqual(issuesOf(holding({ [member]: 1.5 }))[0], 'error WRONG_TYPE AAH-2.4-02')
    assert.deepEqual(issuesOf(holding({ [member]: '12' }))[0], 'error WRONG_TYPE AAH-2.4-02')
  }
})

test('AAH-2.4-03: an inline or fetched body that does not match body_hash is refused', () => {
  const hash = sha256('Größe')
  for (const written of [hash, hash.toUpperCase(), `sha256:${hash}`, `SHA256:${hash}`]) {
    assert.deepEqual(issuesOf(holding({ body: 'Größe', body_hash: written })), [])
    const tampered = issuesOf(holding({ body: 'Grösse', body_hash: written }))
    assert.deepEqual(tampered, ['error BODY_HASH_MISMATCH AAH-2.4-03'])
  }
  const latin = Buffer.from('Größe', 'latin1')
  assert.deepEqual(issuesOf(holding({ body: 'Größe', encoding: 'ISO-8859-1', body_hash: sha256(latin) })), [])
  const content = { media_type: 'text/plain', body_url: 'https://post.example/x', body_hash: hash }
  assert.deepEqual(acceptFetchedBody(content, Buffer.from('Größe')), Buffer.from('Größe'))
  assert.throws(() => acceptFetchedBody(content, Buffer.from('Groesse')), { code: 'BODY_HASH_MISMATCH' })
})

test('AAH-2.4-04: a size_bytes that is not the length in bytes gives a finding', () => {
  assert.deepEqual(issuesOf(holding({ body: 'Größe', size_bytes: 7 })), [])
  assert.deepEqual(issuesOf(holding({ body: 'Größe', size_bytes: 5 })), ['warning SIZE_MISMATCH AAH-2.4-04'])
})

test('a body without defined bytes gives a finding that it is not checked', () => {
  const body = { schema: 'aah:x', data: { b: 1, a: 2 } }
  const canonical = '{"data":{"a":2,"b":1},"schema":"aah:x"}'
  assert.deepEqual(issuesOf(ofType(STRUCTURED, { body, body_hash: sha256(canonical), size_bytes: 39 })), [])
  assert.deepEqual(issuesOf(ofType(STRUCTURED, { body, body_hash: sha256('?'), size_bytes: 1 })).sort(), [
    'info INTEGRITY_UNCHECKED AAH-2.4-03',
    'info INTEGRITY_UNCHECKED AAH-2.4-04',
  ])
  const odd = holding({ encoding: 'koi8-r', body_hash: sha256('?') })
  assert.deepEqual(issuesOf(odd), ['info INTEGRITY_UNCHECKED AAH-2.4-03'])
})

test('AAH-2.4-05: the media types of texts, code and data pass, with parameters too; another warns', () => {
  const listed = MEDIA_TYPES.filter((type) => !/^image|vnd/.test(type))
  assert.equal(listed.length, 10)
  for (const type of listed) assert.deepEqual(issuesOf(ofType(type)), [], type)
  assert.deepEqual(issuesOf(holding({ media_type: 'Text/Markdown; charset=UTF-8' })), [])
  assert.deepEqual(issuesOf(ofType('text/x-rust')), ['warning MEDIA_TYPE_UNLISTED AAH-2.4-05'])
})

test('AAH-2.4-06: the media types of images and structured data pass; another warns', () => {
  for (const type of MEDIA_TYPES.filter((type) => /^image|vnd/.test(type))) {
    assert.deepEqual(issuesOf(ofType(type)), [], type)
  }
  const webp = ofType('image/webp', { body: 'UklGRg==', encoding: 'base64' })
  assert.deepEqual(issuesOf(webp), ['warning MEDIA_TYPE_UNLISTED AAH-2.4-06'])
})

test('AAH-2.4-07: inline images are base64, and hash and size are those of their bytes', () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff])
  const body = bytes.toString('base64')
  const facts = { body, body_hash: sha256(bytes), size_bytes: 9 }
  assert.deepEqual(issuesOf(ofType('image/png', facts)), [])
  const broken = body.replace(/(.{4})/g, '$1\r\n')
  assert.deepEqual(issuesOf(ofType('image/png', { ...facts, body: broken })), [])
  const ofText = ofType('image/png', { body, body_hash: sha256(body) })
  assert.deepEqual(issuesOf(ofText), ['error BODY_HASH_MISMATCH AAH-2.4-03'])
  const plain = issuesOf(holding({ media_type: 'image/png', body }))
  assert.deepEqual(plain, ['error BINARY_NOT_BASE64 AAH-2.4-07'])
  for (const bad of ['iVBO*Rw0', 'iVBORw0KGg', 'iVBORw0KGgp=', '====', 'Größe']) {
    const found = issuesOf(ofType('image/png', { body: bad }))
    const fits = bad === 'iVBORw0KGg'
    assert.equal(
      found[0],
      fits ? 'warning CONTENT_NOT_AS_DECLARED AAH-sec-03' : 'error BODY_NOT_BASE64 AAH-2.4-07',
    )
  }
})

test('AAH-5-01: a structured body has schema and data, in both of its forms', () => {
  const ways = [{ data: 1 }, { schema: 'aah:x' }, { schema: '', data: 1 }, { schema: 7, data: 1 }]
  for (const body of ways) {
    for (const form of [body, JSON.stringify(body)]) {
      const found = issuesOf(ofType(STRUCTURED, { body: form }))
      assert.ok(found.length === 1 && /^error \w+ AAH-5-01$/.test(found[0] ?? ''), JSON.stringify(form))
    }
  }
})

test('AAH-5-02: a structured body is an object, or a JSON string that contains it', () => {
  const body = { schema: 'aah:analysis/competitor', data: { towns: ['Ulm'] } }
  for (const form of [body, JSON.stringify(body, null, 2)]) {
    assert.deepEqual(issuesOf(ofType(STRUCTURED, { body: form })), [])
    assert.deepEqual(readStructuredBody(form), body)
  }
  assert.deepEqual(issuesOf(ofType(STRUCTURED, { body: 'Dear' })), [
    'error STRUCTURED_BODY_NOT_JSON AAH-5-02',
  ])
  assert.deepEqual(issuesOf(holding({ body })), ['error WRONG_TYPE AAH-5-02'])
})

test('content is compared with its media type, as far as the bytes allow', () => {
  const wrong: Readonly<Record<string, string>> = {
    'application/json': '{',
    'application/x-ndjson': '{}\nx',
    'text/yaml': 'a: [',
    'image/svg+xml': '<html/>',
  }
  for (const [type, body] of Object.entries(wrong)) {
    assert.deepEqual(issuesOf(holding({ media_type: type, body })), [
      'warning CONTENT_NOT_AS_DECLARED AAH-sec-03',
    ])
  }
  assert.equal(notAsDeclared('image/jpeg', Buffer.from('GIF89a')), 'a JPEG image')
  assert.equal(notAsDeclared('text/plain', Buffer.from('{')), undefined)
})
