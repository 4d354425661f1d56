import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gcmsiv } from '@noble/ciphers/aes.js'

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const KEY = `01${'00'.repeat(31)}`
const NONCE = `03${'00'.repeat(11)}`

describe('@noble/ciphers: AES-256-GCM-SIV', () => {
  for (const [what, key, nonce, data, plain, sealed] of [
    ['C.2, empty', KEY, NONCE, '', '', '07f5f4169bbf55a8 400cd47ea6fd400f'],
    [
      'C.2, 8 bytes',
      KEY,
      NONCE,
      '',
      '0100000000000000',
      'c2ef328e5c71c83b 843122130f7364b7 61e0b97427e3df28',
    ],
    [
      'C.2, 12 bytes',
      KEY,
      NONCE,
      '',
      '0100000000000000 00000000',
      '9aab2aeb3faa0a34 aea8e2b18ca50da9 ae6559e48fd10f6e 5c9ca17e',
    ],
    [
      'C.2, 16 bytes',
      KEY,
      NONCE,
      '',
      '0100000000000000 0000000000000000',
      '85a01b63025ba19b 7fd3ddfc033b3e76 c9eac6fa70094270 2e90862383c6c366',
    ],
    [
      'C.2, with additional data',
      KEY,
      NONCE,
      '01',
      '0200000000000000',
      '1de22967237a8132 91213f267e3b452f 02d01ae33e4ec854',
    ],
    [
      'C.3, the counter wraps',
      '00'.repeat(32),
      '00'.repeat(12),
      '',
      '0000000000000000 0000000000000000 4db923dc793ee649 7c76dcc03a98e108',
      'f3f80f2cf0cb2dd9 c5984fcda908456c c537703b5ba70324 a6793a7bf218d3ea ffffffff00000000 0000000000000000',
    ],
  ] as const) {
    test(`RFC 8452 appendix ${what}`, () => {
      assert.deepEqual(gcmsiv(hex(key), hex(nonce), hex(data)).encrypt(hex(plain)), hex(sealed))
      assert.deepEqual(gcmsiv(hex(key), hex(nonce), hex(data)).decrypt(hex(sealed)), hex(plain))
    })
  }

  test('a text that was changed or cut throws, and decrypts to nothing', () => {
    const sealed = gcmsiv(hex(KEY), hex(NONCE)).encrypt(hex('0200'))
    for (const wrong of [
      sealed.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
      sealed.subarray(1),
      hex(''),
    ]) {
      assert.throws(() => gcmsiv(hex(KEY), hex(NONCE)).decrypt(wrong))
    }
  })
})
