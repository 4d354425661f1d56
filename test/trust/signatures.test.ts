import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import canonicalizeElsewhere from 'canonicalize'
import fc from 'fast-check'
import { flattenedVerify } from 'jose'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { writeWithMember } from '../../src/document/set-member.ts'
import { assertStateChecksum, stateChecksum, withStateChecksum } from '../../src/trust/checksum.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { didKeyOf } from '../../src/trust/key-text.ts'
import { matchesPattern } from '../../src/trust/name-pattern.ts'
import { signDetached, signDocument } from '../../src/trust/sign.ts'
import type { SignsFor, TrustedKey } from '../../src/trust/trust-store.ts'
import { verifyDetached, verifyEmbedded } from '../../src/trust/verify.ts'
import { full, minimal } from '../spec/aaif/samples.ts'

const alice = generateKeyPairSync('ed25519')
const mallory = generateKeyPairSync('ed25519')

function trusted(name: string, publicKey: KeyObject, rest: Partial<TrustedKey> = {}): TrustedKey {
  return { name, keyId: keyIdOf(publicKey), publicKey, signsFor: {}, ...rest }
}
const keys = [trusted('mallory', mallory.publicKey), trusted('alice', alice.publicKey)]
const onlyAlice = [trusted('alice', alice.publicKey)]

const report: JsonObject = {
  sc_standard: 'SC-006',
  report: { generated_at: '2026-11-21T00:00:00Z', aaif_versions: ['3.4.0'] },
  platform: { name: 'Waybill' },
  claims: [{ level: 'Core', direction: 'both', test_suite: { corpus: 'x', passed: 1, total: 1 } }],
  attestation: { attested_by: 'alice' },
}

/** Every way to change one member or item: taken out, exchanged, or joined by another. */
function* edits(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1)
      for (const edited of edits(item)) yield value.with(index, edited)
    }
    yield [...value, null]
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const edited of edits(member)) yield { ...value, [name]: edited }
    }
    yield { ...value, 'x-added': true }
  } else {
    yield typeof value === 'string' ? `${value} ` : value === true ? false : 1_000_001
  }
}

describe('signatures that a document carries', () => {
  test('AAIF-12-12: provenance.signature is Base64 Ed25519 over the canonical JSON without itself; any edit breaks it', () => {
    for (const definition of [minimal, full]) {
      const { document, signature } = signDocument(definition, alice.privateKey)
      assert.equal((document.provenance as JsonObject).signature, signature)
      assert.equal(Buffer.from(signature, 'base64').toString('base64'), signature)
      // Made again with other tools, from the words of the rule.
      const copy = structuredClone(document) as { provenance: { signature?: string } }
      delete copy.provenance.signature
      const message = Buffer.from(canonicalizeElsewhere(copy) ?? '')
      assert.ok(verify(null, message, alice.publicKey, Buffer.from(signature, 'base64')))

      assert.deepEqual(verifyEmbedded(document, keys), {
        ok: true,
        status: 'valid',
        form: 'embedded',
        signer: 'alice',
        key_id: keyIdOf(alice.publicKey),
        reason: 'signed by "alice"',
      })
      let count = 0
      for (const edited of edits(document)) {
        assert.equal(verifyEmbedded(edited, keys).ok, false, JSON.stringify(edited).slice(0, 400))
        count++
      }
      assert.ok(count > 10)
    }
  })

  test('extensions and comments are signed too', () => {
    const definition = { ...minimal, _comment: 'a', 'x-acme': { tier: 1 } }
    const { document } = signDocument(definition, alice.privateKey)
    assert.equal(verifyEmbedded(document, keys).ok, true)
    assert.equal(verifyEmbedded({ ...document, _comment: 'b' }, keys).ok, false)
    assert.equal(verifyEmbedded({ ...document, 'x-acme': { tier: 2 } }, keys).ok, false)
  })

  test('order, spacing and encoding do not matter', () => {
    const { document } = signDocument(full, alice.privateKey)
    const reversed = Object.fromEntries(Object.entries(document).reverse())
    assert.equal(verifyEmbedded(reversed, keys).ok, true)
    for (const encoding of ['json', 'yaml', 'cbor', 'msgpack'] as const) {
      const read = readDocument(encodeDocument(document, encoding), { encoding }).document?.value as Json
      assert.equal(verifyEmbedded(read, keys).ok, true, encoding)
    }
  })

  test('SPEC-Y-07: attestation.signature is Base64 Ed25519 over the report without it; any edit breaks it', () => {
    const { document, signature } = signDocument(report, alice.privateKey)
    const message = Buffer.from(canonicalizeElsewhere(report) ?? '')
    assert.ok(verify(null, message, alice.publicKey, Buffer.from(signature, 'base64')))
    assert.equal((document.attestation as JsonObject).signature, signature)
    assert.equal(verifyEmbedded(document, keys).status, 'valid')
    for (const edited of edits(document)) assert.equal(verifyEmbedded(edited, keys).ok, false)
  })

  test('signing again replaces the signature', () => {
    const first = signDocument(minimal, mallory.privateKey).document
    const second = signDocument(first, alice.privateKey).document
    assert.equal(verifyEmbedded(second, keys).signer, 'alice')
    assert.deepEqual(second, signDocument(minimal, alice.privateKey).document)
  })

  test('only the exact encoding of the signature is valid', () => {
    const { document, signature } = signDocument(minimal, alice.privateKey)
    const url = signature.replaceAll('+', '-').replaceAll('/', '_')
    const spellings = [
      signature.replace(/=+$/, ''),
      ` ${signature}`,
      `${signature}\n`,
      `${signature.slice(0, 20)}\n${signature.slice(20)}`,
      `${signature}=`,
      `${signature}AA==`,
      url === signature ? `${signature}?` : url,
      // The last character has bits that decoding ignores.
      signature.replace(/(.)==$/, (_, last: string) => `${last === 'A' ? 'B' : last === 'Q' ? 'R' : 'x'}==`),
      '',
      'AAAA',
    ]
    for (const spelling of spellings) {
      const changed = { ...document, provenance: { signature: spelling } }
      assert.equal(verifyEmbedded(changed, keys).status, 'invalid', JSON.stringify(spelling))
    }
    assert.equal(verifyEmbedded({ ...document, provenance: { signature: 7 } }, keys).status, 'invalid')
  })

  test('documents without a place for a signature, and data that readers interpret differently, are refused', () => {
    assert.throws(() => signDocument({ id: 'card' }, alice.privateKey), { code: 'SIGNATURE_HAS_NO_PLACE' })
    assert.throws(() => signDocument({ ...minimal, provenance: 'me' }, alice.privateKey), {
      code: 'SIGNATURE_HAS_NO_PLACE',
    })
    assert.throws(() => signDocument({ ...minimal, 'x-n': 2 ** 60 }, alice.privateKey), { code: 'NOT_JSON' })
  })
})

describe('permissions of keys', () => {
  const { document } = signDocument(
    { ...minimal, provenance: { authored_by: 'ann@acme.example', source_platform: 'Letta' } },
    alice.privateKey,
  )
  const statusWith = (signsFor: SignsFor) =>
    verifyEmbedded(document, [trusted('alice', alice.publicKey, { signsFor })]).status

  test('no known keys: unknown signer', () => {
    assert.equal(verifyEmbedded(document, []).status, 'unknown_signer')
    assert.equal(verifyEmbedded(document, [trusted('mallory', mallory.publicKey)]).status, 'unknown_signer')
  })
  test('a key signs for its authors and platforms only', () => {
    assert.equal(statusWith({ authoredBy: ['*@acme.example'] }), 'valid')
    assert.equal(statusWith({ authoredBy: ['bob@acme.example'] }), 'not_permitted')
    assert.equal(statusWith({ authoredBy: [] }), 'not_permitted')
    assert.equal(statusWith({ sourcePlatform: ['Letta'] }), 'valid')
    assert.equal(statusWith({ sourcePlatform: ['CrewAI'], authoredBy: ['*'] }), 'not_permitted')
    const nameless = signDocument(minimal, alice.privateKey).document
    const limited = [trusted('alice', alice.publicKey, { signsFor: { authoredBy: ['*'] } })]
    assert.equal(verifyEmbedded(nameless, limited).status, 'not_permitted')
  })
  test('a document of an author whose key is known, but not signed by it, is invalid', () => {
    const signed = [trusted('mallory', mallory.publicKey, { signsFor: { authoredBy: ['ann@*'] } })]
    const verdict = verifyEmbedded(document, signed)
    assert.equal(verdict.status, 'invalid')
    assert.match(verdict.reason, /mallory/)
  })
  test('a revoked key makes all its signatures invalid, under all its names', async () => {
    const revoked = trusted('old-alice', alice.publicKey, {
      revokedAt: '2026-01-01T00:00:00Z',
      revokedReason: 'laptop stolen',
    })
    for (const known of [[revoked], [...keys, revoked], [revoked, ...keys]]) {
      const verdict = verifyEmbedded(document, known)
      assert.deepEqual([verdict.ok, verdict.status], [false, 'revoked'])
      assert.match(verdict.reason, /2026-01-01T00:00:00Z: laptop stolen/)
      const detached = await verifyDetached({ a: 1 }, await signDetached({ a: 1 }, alice.privateKey), known)
      assert.equal(detached.status, 'revoked')
    }
  })
  test('patterns: * is any text, other characters are literal', () => {
    for (const [pattern, text, expected] of [
      ['a*c', 'abc', true],
      ['a*c', 'ac', true],
      ['a*c', 'acd', false],
      ['aba*aba', 'aba', false],
      ['*', '', true],
      ['a.c', 'abc', false],
      ['*@a.example', 'x@a.example.evil', false],
      ['a*b*c', 'a-b-b-c', true],
      ['a*bc*c', 'abc', false],
      ['', 'a', false],
    ] as const) {
      assert.equal(matchesPattern(pattern, text), expected, `${pattern} ${text}`)
    }
    assert.equal(matchesPattern('*a'.repeat(5000), 'a'.repeat(100_000)), true)
  })
})

describe('detached signatures', () => {
  const card: JsonObject = {
    schema_version: '1.0',
    id: 'clerk',
    metadata: { 'acme.did': didKeyOf(alice.publicKey) },
  }

  test('CARD-6-03: a card with a DID is signed by that DID, detached; any edit breaks it', async () => {
    const jws = await signDetached(card, alice.privateKey)
    const verdict = await verifyDetached(card, jws, onlyAlice)
    assert.deepEqual([verdict.status, verdict.did], ['valid', didKeyOf(alice.publicKey)])
    for (const edited of edits(card)) assert.equal((await verifyDetached(edited, jws, keys)).ok, false)
    await assert.rejects(signDetached(card, mallory.privateKey), { code: 'CARD_DID_MISMATCH' })
    // A valid signature of another key does not make it the card of that DID.
    const { metadata: _did, ...bare } = card
    const bareByMallory = await signDetached(bare, mallory.privateKey)
    assert.equal((await verifyDetached(bare, bareByMallory, keys)).status, 'valid')
    const forged = await forgeFor(card, mallory.privateKey)
    const refused = await verifyDetached(card, forged, keys)
    assert.deepEqual([refused.status, refused.signer], ['invalid', 'mallory'])
  })

  test('is a JWS of RFC 7515 appendix F: other tools can verify it over the canonical JSON', async () => {
    const task = { task_id: 't-1', goal: 'count', n: [1, 2.5] }
    const jws = await signDetached(task, alice.privateKey)
    const [header = '', payload, signature = ''] = jws.split('.')
    assert.equal(payload, '')
    const result = await flattenedVerify(
      {
        protected: header,
        payload: Buffer.from(canonicalizeElsewhere(task) ?? '').toString('base64url'),
        signature,
      },
      alice.publicKey,
    )
    assert.deepEqual(result.protectedHeader, { alg: 'EdDSA', kid: keyIdOf(alice.publicKey) })
    for (const edited of edits(task))
      assert.equal((await verifyDetached(edited, jws, keys)).status, 'invalid')
    assert.equal((await verifyDetached(task, jws, [])).status, 'unknown_signer')
  })

  test('headers with another algorithm, and invalid text, are refused', async () => {
    const jws = await signDetached(card, alice.privateKey)
    const [header = '', , signature = ''] = jws.split('.')
    const withHeader = (change: object) => {
      const old = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
      return `${Buffer.from(JSON.stringify({ ...old, ...change })).toString('base64url')}..${signature}`
    }
    const bad = [
      withHeader({ alg: 'none' }),
      withHeader({ alg: 'HS256' }),
      withHeader({ crit: ['b64'], b64: false }),
      withHeader({ b64: false }),
      withHeader({ kid: 7 }),
      `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      `${header}..`,
      `${header}..${signature}A`,
      `${header}..${signature.slice(0, -1)}`,
      `${header}..${signature}=`,
      `${header}=..${signature}`,
      `${header}..${signature}.x`,
      `W10..${signature}`,
      '',
      '..',
    ]
    for (const text of bad) assert.equal((await verifyDetached(card, text, keys)).status, 'invalid', text)
    for (let at = 0; at < signature.length - 1; at++) {
      const changed = `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`
      assert.equal((await verifyDetached(card, `${header}..${changed}`, keys)).ok, false)
    }
    assert.equal((await verifyDetached(card, `${jws}\n`, keys)).ok, true)
  })
})

/** Signs without checking the DID of the card. */
async function forgeFor(card: JsonObject, privateKey: KeyObject): Promise<string> {
  const { CompactSign } = await import('jose')
  const jws = await new CompactSign(Buffer.from(canonicalizeElsewhere(card) ?? ''))
    .setProtectedHeader({ alg: 'EdDSA', kid: keyIdOf(privateKey) })
    .sign(privateKey)
  return jws.replace(/\.[^.]*\./, '..')
}

describe('checksums of states', () => {
  const state: JsonObject = {
    sc_standard: 'SC-006',
    state_id: 's-1',
    variables: { b: 1, a: [0.5, 'ü'] },
    provenance: { source_platform: 'Letta' },
    'x-acme': true,
  }
  test('AAIF-8.1-14: SHA-256 in lower-case hex of the canonical JSON without the checksum', () => {
    const whole = withStateChecksum(state)
    const checksum = (whole.provenance as JsonObject).checksum
    assert.equal(
      checksum,
      createHash('sha256')
        .update(canonicalizeElsewhere(state) ?? '')
        .digest('hex'),
    )
    assert.match(String(checksum), /^[0-9a-f]{64}$/)
    assert.equal(stateChecksum(whole), checksum)
    assert.doesNotThrow(() => assertStateChecksum(whole))
    for (const edited of edits(whole)) {
      assert.throws(() => assertStateChecksum(edited as JsonObject), /STATE_CHECKSUM|checksum/)
    }
    assert.throws(() => assertStateChecksum(state), { code: 'STATE_CHECKSUM_MISSING' })
  })
  test('AAIF-8.1-23: digits of a checksum are compared without regard to case, and written in lower case', () => {
    const having = (checksum: string) => ({
      sc_standard: 'SC-006',
      status: 'paused',
      provenance: { checksum },
    })
    // SHA-256 of {"provenance":{},"sc_standard":"SC-006","status":"paused"}.
    const digest = createHash('sha256')
      .update('{"provenance":{},"sc_standard":"SC-006","status":"paused"}')
      .digest('hex')
    const mixed = digest.replace(/[a-f]/, (letter) => letter.toUpperCase())
    assert.notEqual(mixed, digest)
    for (const checksum of [digest, digest.toUpperCase(), mixed]) assertStateChecksum(having(checksum))
    assert.equal((withStateChecksum(having(digest.toUpperCase())).provenance as JsonObject).checksum, digest)
    const other = `${digest.startsWith('A') ? 'B' : 'A'}${digest.slice(1).toUpperCase()}`
    for (const checksum of [other, digest.slice(1), `sha256:${digest}`, ` ${digest}`, ''])
      assert.throws(
        () => assertStateChecksum(having(checksum)),
        { code: 'STATE_CHECKSUM_MISMATCH' },
        checksum,
      )
  })
  test('a state without provenance gets one, also with large numbers', () => {
    const whole = withStateChecksum({ state_id: 's', variables: { n: 2 ** 60 } })
    assert.doesNotThrow(() => assertStateChecksum(whole))
  })
})

describe('a signature that is written into a text', () => {
  const sign = (text: string, file: string) => {
    const { document } = readDocument(text, { file })
    assert.ok(document)
    const signed = signDocument(document.value, alice.privateKey)
    const written = Buffer.from(
      writeWithMember(document, signed.place, signed.signature, signed.document),
    ).toString()
    const read = readDocument(written, { file }).document?.value as Json
    assert.equal(verifyEmbedded(read, keys).ok, true, written)
    return { written, line: `signature: ${signed.signature}`, signature: signed.signature }
  }

  test('keeps comments, order, spacing and quotes of YAML', () => {
    const head = '# mine\nsc_standard:   \'SC-006\'   # fixed\nagent: {name: x, goal: "y"}\n'
    const absent = sign(head, 'a.yaml')
    assert.equal(absent.written, `${head}provenance:\n  ${absent.line}\n`)
    const unended = sign(head.trimEnd(), 'a.yaml')
    assert.equal(unended.written, absent.written)
    const present = sign(`${head}provenance:\n    # who\n    authored_by: me\n`, 'a.yaml')
    assert.equal(present.written, `${head}provenance:\n    # who\n    ${present.line}\n    authored_by: me\n`)
    const old = sign(`${head}provenance:\n  signature: "old"  # by me\n  license: MIT\n`, 'a.yaml')
    assert.equal(old.written, `${head}provenance:\n  signature: ${old.signature}  # by me\n  license: MIT\n`)
    const flow = sign(`${head}provenance: {license: MIT}\n`, 'a.yaml')
    assert.match(flow.written, /# mine[\s\S]*# fixed[\s\S]*license: MIT/)
    const ended = sign(`---\n${head}...\n`, 'a.yaml')
    assert.match(ended.written, /# mine/)
    sign(
      'base: &p {license: MIT}\nsc_standard: SC-006\nagent: {name: x, goal: y}\nprovenance: *p\n',
      'a.yaml',
    )
  })

  test('keeps order, spacing and indentation of JSON', () => {
    for (const indent of ['  ', '    ', '\t']) {
      const text = `{\n${indent}"agent": {"name":"x",   "goal": "y"},\n${indent}"sc_standard": "SC-006"\n}\n`
      const { written, signature } = sign(text, 'a.json')
      const added = `,\n${indent}"provenance": {\n${indent}${indent}"signature": "${signature}"\n${indent}}`
      assert.equal(written, text.replace('"SC-006"', `"SC-006"${added}`))
    }
    const compact =
      '{"sc_standard":"SC-006","agent":{"name":"x","goal":"y"},"provenance":{"signature":"old"}}'
    const { written, signature } = sign(compact, 'a.json')
    assert.equal(written, compact.replace('old', signature))
  })

  test('is valid for any other content of the document', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 8 })
    fc.assert(
      fc.property(fc.dictionary(word, fc.jsonValue({ maxDepth: 3 })), (extra) => {
        const safe = (_name: string, item: unknown) =>
          Number.isInteger(item) && !Number.isSafeInteger(item) ? 7 : item
        const value = { 'x-extra': JSON.parse(JSON.stringify(extra), safe) as Json, ...minimal }
        for (const encoding of ['json', 'yaml'] as const) {
          const text = Buffer.from(encodeDocument(value, encoding)).toString()
          sign(text, `a.${encoding}`)
        }
      }),
      { seed: 20261121, numRuns: 100 },
    )
  })
})
