import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { BEFORE_FIRST, type ChainEnd, entryMaker } from '../../src/trust/audit-chain.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { signStatement } from '../../src/trust/signed-statement.ts'
import { exportHead, verifyAuditExport } from '../../src/trust/verify-audit-chain.ts'

const AT = '2026-11-24T00:00:00.000Z'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const keys = (id: string) => (id === keyIdOf(privateKey) ? publicKey : undefined)

/** An exported log of three entries, with its signed head. */
function exported(): string {
  const next = entryMaker(() => privateKey)
  const lines: string[] = []
  let last: ChainEnd = BEFORE_FIRST
  for (const kind of ['one', 'two', 'three']) {
    const entry = next({ at: AT, kind }, last)
    lines.push(JSON.stringify(entry))
    last = entry
  }
  const head = exportHead(last, AT)
  lines.push(JSON.stringify({ ...head, ...signStatement(head, privateKey) }))
  return `${lines.join('\n')}\n`
}

describe('an exported audit log', () => {
  test('is whole, and its head has one exact text', () => {
    const text = exported()
    assert.equal(verifyAuditExport(text, keys).ok, true)
    const head = text.lastIndexOf('{"type":"audit.head"')
    for (const changed of [
      // A name twice: another reader takes the first one.
      text.replace('{"type":"audit.head"', '{"n":9,"type":"audit.head"'),
      text.replace('{"type":"audit.head"', '{"at":"2020-01-01T00:00:00.000Z","type":"audit.head"'),
      // What is not signed.
      `${text.trimEnd().slice(0, -1)},"verified":"all of it"}\n`,
      text.replace('{"type":"audit.head"', '{ "type":"audit.head"'),
      // Without an entry, without the head, and with an entry twice.
      text.slice(0, text.indexOf('\n') + 1) + text.slice(head),
      text.slice(0, head),
      text.slice(0, text.indexOf('\n') + 1) + text,
    ]) {
      assert.notEqual(changed, text)
      assert.equal(verifyAuditExport(changed, keys).ok, false, changed)
    }
  })
})
