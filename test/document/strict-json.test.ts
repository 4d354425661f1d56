import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strictJson } from '../../src/document/strict-json.ts'
import { parsePlanFile } from '../../src/plan/plan-file.ts'
import { parseEntry } from '../../src/trust/audit-chain.ts'
import { readJws } from '../../src/trust/jws.ts'
import { parsePublicKey } from '../../src/trust/key-text.ts'

describe('a text that is verified', () => {
  test('is refused if a name is written twice, at any depth and however it is escaped', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":{"b":1,"c":[{"d":1,"d":2}]}}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '[{"":1,"":2}]',
    ])
      assert.throws(() => strictJson(text), SyntaxError, text)
    assert.deepEqual(strictJson('{"a":{"a":1},"A":[1e2,"\\u0061"]}'), { a: { a: 1 }, A: [100, 'a'] })
    assert.equal(strictJson('"\\ud800"'), '\ud800')
    assert.throws(() => strictJson('{"a":1,}'), SyntaxError)
    assert.throws(() => strictJson('['.repeat(600) + ']'.repeat(600)), SyntaxError)
  })

  test('holds for keys, headers of signatures, entries of the audit log and plan files', () => {
    const x = Buffer.alloc(32, 7).toString('base64url')
    const key = `{"kty":"OKP","crv":"Ed25519","x":"${x}"}`
    const twice = (text: string, member: string) => text.replace('{', `{${member},`)
    assert.throws(() => parsePublicKey(twice(key, '"crv":"X25519"')), { code: 'KEY_INVALID' })
    const jws = (header: string) =>
      `${Buffer.from(header).toString('base64url')}.e30.${Buffer.alloc(64).toString('base64url')}`
    assert.ok(readJws(jws('{"alg":"EdDSA","kid":"k"}')))
    assert.equal(readJws(jws('{"alg":"none","alg":"EdDSA","kid":"k"}')), undefined)
    const entry = '{"v":1,"n":1,"fact":{"at":"x","kind":"y"},"prev":"","hash":"","key":"","sig":""}'
    assert.ok(parseEntry(entry))
    assert.equal(parseEntry(entry.replace('"kind":"y"', '"kind":"z","kind":"y"')), null)
    assert.throws(() => parsePlanFile('{"waybill_plan":2,"waybill_plan":1}', 'plan.json'), {
      code: 'PLAN_FILE_INVALID',
      message: /not valid JSON/,
    })
  })
})
