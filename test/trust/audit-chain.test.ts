import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { type AuditEntry, type AuditFact, entryMaker, NO_ENTRY } from '../../src/trust/audit-chain.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { verifyAudit } from '../../src/trust/verify-audit-chain.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const keys = (id: string) => (id === keyIdOf(publicKey) ? publicKey : undefined)

function chain(length: number, key = privateKey): AuditEntry[] {
  const next = entryMaker(() => key)
  const entries: AuditEntry[] = []
  let last = { n: 0, hash: NO_ENTRY }
  for (let i = 1; i <= length; i++) {
    const fact: AuditFact = { at: '2026-01-01T00:00:00.000Z', kind: 'call.sent', i, tool: 'send' }
    const entry = next(fact, last)
    entries.push(entry)
    last = entry
  }
  return entries
}

const textOf = (entries: readonly unknown[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

describe('AAIF §4.9 audit_log', () => {
  test('an unchanged log is valid, with and without its head', () => {
    const entries = chain(8)
    assert.deepEqual(verifyAudit(textOf(entries), keys).problems, [])
    const verdict = verifyAudit(textOf(entries), keys, entries.at(-1))
    assert.ok(verdict.ok)
    assert.equal(verdict.head, entries.at(-1)?.hash)
    assert.ok(verifyAudit('', keys).ok)
  })

  test('the key is opened once, with the first entry', () => {
    let opened = 0
    const next = entryMaker(() => {
      opened++
      return privateKey
    })
    assert.equal(opened, 0)
    const first = next({ at: 'x', kind: 'one' }, { n: 0, hash: NO_ENTRY })
    const second = next({ at: 'x', kind: 'two' }, first)
    assert.equal(opened, 1)
    assert.deepEqual([first.key, second.key], [keyIdOf(publicKey), keyIdOf(publicKey)])
  })

  test('AAIF-4.9-08: a change of any member of any entry is found at its line', () => {
    const entries = chain(6)
    for (let at = 0; at < entries.length; at++) {
      for (const change of [
        (entry: AuditEntry) => ({ ...entry, fact: { ...entry.fact, tool: 'other' } }),
        (entry: AuditEntry) => ({ ...entry, fact: { ...entry.fact, at: '2027-01-01T00:00:00.000Z' } }),
        (entry: AuditEntry) => ({ ...entry, n: entry.n + 1 }),
        (entry: AuditEntry) => ({ ...entry, prev: 'f'.repeat(64) }),
        (entry: AuditEntry) => ({ ...entry, hash: 'f'.repeat(64) }),
        (entry: AuditEntry) => ({ ...entry, sig: Buffer.alloc(64, 1).toString('base64') }),
        (entry: AuditEntry) => ({ ...entry, key: 'x' }),
        (entry: AuditEntry) => ({ ...entry, extra: 1 }),
      ]) {
        const changed = entries.map((entry, index) => (index === at ? change(entry) : entry))
        const { ok, problems } = verifyAudit(textOf(changed), keys, entries.at(-1))
        assert.ok(!ok)
        assert.ok(
          problems.some(({ line }) => line === at + 1),
          `line ${at + 1}: ${JSON.stringify(problems)}`,
        )
      }
    }
  })

  test('AAIF-4.9-08: deletion, insertion, reordering and truncation are found at every position', () => {
    const entries = chain(6)
    const next = entryMaker(() => privateKey)
    const head = entries.at(-1)
    const bad = (changed: readonly AuditEntry[]) => verifyAudit(textOf(changed), keys, head)
    for (let at = 0; at < entries.length; at++) {
      const deleted = bad(entries.filter((_, index) => index !== at))
      assert.ok(!deleted.ok, `deleted ${at}`)
      const forged = next({ at: 'x', kind: 'forged' }, entries[at - 1] ?? { n: 0, hash: NO_ENTRY })
      assert.ok(!bad([...entries.slice(0, at), forged, ...entries.slice(at)]).ok, `inserted at ${at}`)
      if (at > 0) {
        const exchanged = [...entries]
        ;[exchanged[at - 1], exchanged[at]] = [entries[at] as AuditEntry, entries[at - 1] as AuditEntry]
        assert.ok(!bad(exchanged).ok, `exchanged ${at}`)
        assert.ok(
          !bad([...entries.slice(0, at), entries[at - 1] as AuditEntry, ...entries.slice(at)]).ok,
          `repeated ${at}`,
        )
      }
      assert.ok(!bad(entries.slice(0, at)).ok, `cut at ${at}`)
    }
    assert.ok(!verifyAudit(textOf(entries).slice(0, -10), keys).ok)
    assert.ok(!bad([...entries, next({ at: 'x', kind: 'more' }, entries.at(-1) as AuditEntry)]).ok)
  })

  const misplacements: readonly (readonly [
    title: string,
    order: readonly number[],
    expected: readonly string[],
  ])[] = [
    ['a missing entry', [0, 2, 3], ['AUDIT_MISSING line 2: entries 2 to 2 are missing before it']],
    ['two missing entries', [0, 3], ['AUDIT_MISSING line 2: entries 2 to 3 are missing before it']],
    ['a repeated entry', [0, 1, 1, 2, 3], ['AUDIT_MISPLACED line 3: entry 2 follows entry 2']],
    [
      'exchanged entries',
      [0, 2, 1, 3],
      [
        'AUDIT_MISSING line 2: entries 2 to 2 are missing before it',
        'AUDIT_MISPLACED line 3: entry 2 follows entry 3',
        'AUDIT_MISSING line 4: entries 3 to 3 are missing before it',
      ],
    ],
  ]
  for (const [title, order, expected] of misplacements) {
    test(`AAIF-4.9-08: ${title}: the problem names the line and the entries`, () => {
      const entries = chain(4)
      const changed = order.map((index) => entries[index] as AuditEntry)
      const { problems } = verifyAudit(textOf(changed), keys, entries.at(-1))
      assert.deepEqual(
        problems.map(({ code, line, message }) => `${code} line ${line}: ${message}`),
        expected,
      )
    })
  }

  test('AAIF-4.9-08: an entry with the hash of another predecessor is misplaced', () => {
    const [first] = chain(1)
    const next = entryMaker(() => privateKey)
    const foreign = next({ at: 'x', kind: 'y' }, { n: 1, hash: 'f'.repeat(64) })
    const { problems } = verifyAudit(textOf([first as AuditEntry, foreign]), keys, foreign)
    assert.deepEqual(problems, [
      {
        line: 2,
        code: 'AUDIT_MISPLACED',
        message: 'entry 2 does not contain the hash of the previous entry',
      },
    ])
  })

  const second = generateKeyPairSync('ed25519')
  const third = generateKeyPairSync('ed25519')
  const named = (id: string | undefined) =>
    [{ privateKey, publicKey }, second, third].find((pair) => keyIdOf(pair.publicKey) === id)
  const allKeys = (id: string) => named(id)?.publicKey
  const opens = (id?: string) => (named(id) ?? { privateKey }).privateKey
  const at = '2026-01-01T00:00:00.000Z'
  const sent: AuditFact = { at, kind: 'call.sent' }
  const to = (pair: typeof second): AuditFact => ({
    at,
    kind: 'audit.key_rotated',
    key: keyIdOf(pair.publicKey),
  })

  /** Makes entries with a maker that opens the announced keys. */
  function madeOf(facts: readonly AuditFact[], open = opens): readonly AuditEntry[] {
    const next = entryMaker(open)
    const entries: AuditEntry[] = []
    for (const fact of facts) entries.push(next(fact, entries.at(-1) ?? { n: 0, hash: NO_ENTRY }))
    return entries
  }

  test('AAIF-4.9-08: after an announcement the announced key signs, and the log is valid', () => {
    const rotated = madeOf([sent, to(second), sent, to(third), to(second), sent, sent])
    const used = rotated.map(({ key }) =>
      [publicKey, second.publicKey, third.publicKey].findIndex((one) => keyIdOf(one) === key),
    )
    assert.deepEqual(used, [0, 0, 1, 1, 2, 1, 1])
    assert.deepEqual(verifyAudit(textOf(rotated), allKeys, rotated.at(-1)).problems, [])
  })

  test('AAIF-4.9-08: a change of the key that is not announced is found at its line', () => {
    const end = ({ n, hash }: AuditEntry) => ({ n, hash })
    const own = madeOf([sent, sent])
    const mine = entryMaker(() => second.privateKey)
    const announced = (fact: AuditFact) => {
      const entry = entryMaker(() => privateKey)(fact, own.at(-1) as AuditEntry)
      return [...own, entry, mine(sent, end(entry))]
    }
    const rotated = madeOf([sent, to(second), sent])
    const forgeries: readonly (readonly AuditEntry[])[] = [
      // No announcement, one of another kind, of another key, without a key, and one that is not a text.
      [...own, mine(sent, end(own[1] as AuditEntry))],
      announced({ ...to(second), kind: 'audit.key_changed' }),
      announced(to(third)),
      announced({ at, kind: 'audit.key_rotated' }),
      announced({ at, kind: 'audit.key_rotated', key: [keyIdOf(second.publicKey)] }),
      // The new key announces itself.
      [...own, mine(to(second), end(own[1] as AuditEntry))],
      // The old key signs again after its rotation.
      [...rotated, entryMaker(() => privateKey)(sent, end(rotated.at(-1) as AuditEntry))],
      [...rotated.slice(0, 2), entryMaker(() => privateKey)(sent, end(rotated[1] as AuditEntry))],
    ]
    for (const [index, entries] of forgeries.entries()) {
      const { problems } = verifyAudit(textOf(entries), allKeys, entries.at(-1))
      assert.deepEqual(problems.at(-1)?.code, 'AUDIT_SIGNATURE', String(index))
    }
    // An announced key must be trusted too.
    const { problems } = verifyAudit(textOf(rotated), keys, rotated.at(-1))
    assert.ok(problems.some(({ line, code }) => line === 3 && code === 'AUDIT_SIGNATURE'))
  })

  test('a log is not continued with a key that its last entry does not name', () => {
    const rotated = madeOf([sent, to(second)])
    const last = rotated.at(-1) as AuditEntry
    assert.throws(() => entryMaker(() => privateKey)(sent, last), { code: 'AUDIT_KEY_WRONG' })
    assert.throws(() => entryMaker(() => third.privateKey)(sent, last), { code: 'AUDIT_KEY_WRONG' })
    assert.equal(entryMaker(opens)(sent, last).key, keyIdOf(second.publicKey))
    // A maker that has signed before the rotation opens the new key.
    const early = entryMaker(opens)
    early(sent, { n: 0, hash: NO_ENTRY })
    assert.equal(early(sent, last).key, keyIdOf(second.publicKey))
  })

  test('a log that was rewritten with another key is not trusted', () => {
    const forged = chain(6, other.privateKey)
    assert.ok(!verifyAudit(textOf(forged), keys, forged.at(-1)).ok)
  })

  test('a changed or older head is detected', () => {
    const entries = chain(4)
    const [first, , third] = entries
    assert.ok(!verifyAudit(textOf(entries), keys, third).ok)
    assert.ok(!verifyAudit(textOf(entries), keys, first).ok)
    assert.ok(
      !verifyAudit(textOf(entries), keys, { ...(entries.at(-1) as AuditEntry), fact: { at: 'x', kind: 'y' } })
        .ok,
    )
  })
})
