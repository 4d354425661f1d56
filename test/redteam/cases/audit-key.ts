import assert from 'node:assert/strict'
import { type KeyObject, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type AuditEntry, entryMaker, NO_ENTRY } from '../../../src/trust/audit-chain.ts'
import { createKey, openPrivateKey } from '../../../src/trust/key-file.ts'
import { signStatement } from '../../../src/trust/signed-statement.ts'
import { exportHead } from '../../../src/trust/verify-audit-chain.ts'
import { type Place, waybill } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { auditOf, writeAudit } from '../tampering.ts'
import { calling, command, ModelServer, type Outcome, runAgent, shared, stage } from '../world.ts'

const models = shared(() => new ModelServer())

async function send(place: Place): Promise<Outcome> {
  const model = await models()
  model.reset(calling([{ tool: 'send_mail', args: { to: 'ada' } }]))
  return runAgent(place, model)
}

/** A home in which one audited run has taken place, and the folder of its keys. */
async function audited(t: TestContext): Promise<{ readonly place: Place; readonly keys: string }> {
  const place = stage(t, { agent: { compliance: { audit_log: true } } })
  assert.equal((await send(place)).code, 0)
  return { place, keys: join(place.home, 'keys') }
}

/** Exchanges one own key for another on disk. */
function copyKey(keys: string, from: string, to: string): void {
  for (const half of ['key', 'pub']) copyFileSync(join(keys, `${from}.${half}`), join(keys, `${to}.${half}`))
}

const PEM = ['-----BEGIN PRIVATE', ' KEY-----'].join('')

/** What an attacker, or an operator without care, does to the key file between two runs. */
const EXCHANGES: readonly (readonly [attack: string, act: (keys: string, place: Place) => unknown])[] = [
  ['removes the private key', (keys) => rmSync(join(keys, 'audit.key'))],
  [
    'removes both halves of the key, so that a new one would be made',
    (keys) => {
      rmSync(join(keys, 'audit.key'))
      rmSync(join(keys, 'audit.pub'))
    },
  ],
  [
    'keeps the old key under another name, and lets a new one be made',
    (keys) => {
      copyKey(keys, 'audit', 'old')
      rmSync(join(keys, 'audit.key'))
      rmSync(join(keys, 'audit.pub'))
    },
  ],
  [
    'replaces both halves with another own key',
    (keys) => {
      createKey(keys, 'mine')
      copyKey(keys, 'audit', 'old')
      copyKey(keys, 'mine', 'audit')
    },
  ],
  [
    'replaces the private half alone',
    (keys) => {
      createKey(keys, 'mine')
      copyFileSync(join(keys, 'mine.key'), join(keys, 'audit.key'))
    },
  ],
  ['empties the key file', (keys) => writeFileSync(join(keys, 'audit.key'), '', { mode: 0o600 })],
  [
    'writes bytes that are no key',
    (keys) => writeFileSync(join(keys, 'audit.key'), `${PEM}\n${randomBytes(32).toString('base64')}\n`),
  ],
  ['revokes the key', (_keys, place) => waybill(place, ['keys', 'revoke', 'audit', '--reason', 'stolen'])],
]

const exchanged = EXCHANGES.map(
  ([attack, act]): Omit<Attack, 'id'> => ({
    attack,
    by: 'the keys of a home, between two audited runs',
    holds: 'the next run is refused, no mail leaves, and the log is as before',
    try: async (t) => {
      const { place, keys } = await audited(t)
      const { lines } = auditOf(place)
      const pub = readFileSync(join(keys, 'audit.pub'), 'utf8')
      await act(keys, place)
      const outcome = await send(place)
      assert.notEqual(outcome.code, 0, outcome.out)
      assert.deepEqual(place.sent(), ['ada'])
      assert.deepEqual(auditOf(place).lines, lines)
      // An existing public key is never overwritten: the old entries could no longer be verified.
      if (existsSync(join(keys, 'old.pub'))) assert.equal(readFileSync(join(keys, 'old.pub'), 'utf8'), pub)
    },
  }),
)

const entriesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as AuditEntry)

/** Signs the entries again as a chain without gaps: from one index to before another with `mine`, the rest with `own`. */
function resigned(
  lines: readonly string[],
  own: KeyObject,
  mine: KeyObject,
  from: number,
  to = lines.length,
): readonly string[] {
  const entries = entriesOf(lines)
  for (let n = from; n < entries.length; n++) {
    const { fact } = entries[n] as AuditEntry
    const last = entries[n - 1]
    // The maker refuses to exchange the key, which an attacker's own program does not.
    const end = { n: last?.n ?? 0, hash: last?.hash ?? NO_ENTRY }
    entries[n] = entryMaker(() => (n < to ? mine : own))(fact, end)
  }
  return entries.map((entry) => JSON.stringify(entry))
}

/** @param own the key of the log @param mine another key of the home */
type Forge = (lines: readonly string[], own: KeyObject, mine: KeyObject) => readonly string[]

const FORGERIES: readonly (readonly [attack: string, forge: Forge])[] = [
  [
    'signs the last entries with a new key',
    (lines, own, mine) => resigned(lines, own, mine, lines.length - 2),
  ],
  ['signs the last entry with a new key', (lines, own, mine) => resigned(lines, own, mine, lines.length - 1)],
  ['signs an entry in the middle with a new key', (lines, own, mine) => resigned(lines, own, mine, 2, 3)],
  ['signs the first entry with a new key', (lines, own, mine) => resigned(lines, own, mine, 0, 1)],
  [
    'adds an entry that announces a new key, and continues with that key',
    (lines, own, mine) => {
      const last = entriesOf(lines).at(-1) as AuditEntry
      const at = new Date().toISOString()
      const announced = entryMaker(() => own)({ at, kind: 'audit.key_changed', key: 'x' }, last)
      const { n, hash } = announced
      const first = entryMaker(() => mine)({ at, kind: 'run.removed', run_id: 'x' }, { n, hash })
      return [...lines, JSON.stringify(announced), JSON.stringify(first)]
    },
  ],
]

const forged = FORGERIES.map(
  ([attack, forge]): Omit<Attack, 'id'> => ({
    attack,
    by: 'an own key of the home, which is trusted to sign audit logs',
    holds: 'verifying the log says no and names the entry, here and in an export',
    try: async (t) => {
      const { place, keys } = await audited(t)
      const own = openPrivateKey(keys, 'audit')
      createKey(keys, 'mine')
      const lines = forge(auditOf(place).lines, own, openPrivateKey(keys, 'mine'))
      writeAudit(place, { lines, head: lines.at(-1) ?? null })
      const exported = await waybill(place, ['audit', 'export'])
      place.write('exported.ndjson', exported.out)
      for (const argv of [
        ['audit', 'verify'],
        ['audit', 'verify', 'exported.ndjson'],
      ]) {
        const { code, value, out } = await command(place, argv)
        assert.equal(code, 1, out)
        assert.match(JSON.stringify(value.problems), /AUDIT_SIGNATURE.*signed with the key/)
      }
    },
  }),
)

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'cuts an export off, and signs a head for the rest',
    by: 'another key that may sign audit logs',
    holds: 'verifying the export says no',
    try: async (t) => {
      const { place, keys } = await audited(t)
      createKey(keys, 'mine')
      const { out } = await waybill(place, ['audit', 'export'])
      const lines = out.trimEnd().split('\n').slice(0, 3)
      const { n, hash } = entriesOf(lines).at(-1) as AuditEntry
      const statement = exportHead({ n, hash }, new Date().toISOString())
      const head = { ...statement, ...signStatement(statement, openPrivateKey(keys, 'mine')) }
      place.write('exported.ndjson', [...lines, JSON.stringify(head)].map((line) => `${line}\n`).join(''))
      const { code, value } = await command(place, ['audit', 'verify', 'exported.ndjson'])
      assert.equal(code, 1)
      assert.match(JSON.stringify(value.problems), /AUDIT_HEAD/)
    },
  },
  {
    attack: 'creates a key of the name of the audit key',
    by: 'waybill keys new audit, while the log has one',
    holds: 'it is refused, and the key stays',
    try: async (t) => {
      const { place, keys } = await audited(t)
      const before = readFileSync(join(keys, 'audit.key'), 'utf8')
      assert.equal((await command(place, ['keys', 'new', 'audit'])).value.error?.code, 'KEY_EXISTS')
      rmSync(join(keys, 'audit.key'))
      assert.equal((await command(place, ['keys', 'new', 'audit'])).value.error?.code, 'KEY_EXISTS')
      writeFileSync(join(keys, 'audit.key'), before, { mode: 0o600 })
      assert.equal((await command(place, ['audit', 'verify'])).code, 0)
    },
  },
  {
    attack: 'lets other users read the key, who may then have signed with it',
    by: 'the mode of the key file',
    holds: 'the next run is refused',
    try: async (t) => {
      const { place, keys } = await audited(t)
      const text = readFileSync(join(keys, 'audit.key'), 'utf8')
      rmSync(join(keys, 'audit.key'))
      writeFileSync(join(keys, 'audit.key'), text, { mode: 0o644 })
      const outcome = await send(place)
      assert.equal(outcome.value.error?.code, 'KEY_EXPOSED', outcome.out)
      assert.deepEqual(place.sent(), ['ada'])
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'with its key the log is continued, and is whole, here and exported',
    try: async (t) => {
      const { place } = await audited(t)
      assert.equal((await send(place)).code, 0)
      assert.equal((await command(place, ['audit', 'verify'])).code, 0)
      place.write('exported.ndjson', (await waybill(place, ['audit', 'export'])).out)
      assert.equal((await command(place, ['audit', 'verify', 'exported.ndjson'])).code, 0)
    },
  },
  {
    passes: 'a key that is restored from a backup continues the log',
    try: async (t) => {
      const { place, keys } = await audited(t)
      copyKey(keys, 'audit', 'backup')
      rmSync(join(keys, 'audit.key'))
      assert.equal((await send(place)).value.error?.code, 'AUDIT_KEY_WRONG')
      copyKey(keys, 'backup', 'audit')
      assert.equal((await send(place)).code, 0)
      assert.equal((await command(place, ['audit', 'verify'])).code, 0)
    },
  },
  {
    passes: 'another home verifies an export with the key that it trusts',
    try: async (t) => {
      const { place, keys } = await audited(t)
      const other = stage(t)
      other.write('exported.ndjson', (await waybill(place, ['audit', 'export'])).out)
      assert.equal((await command(other, ['audit', 'verify', 'exported.ndjson'])).code, 1)
      other.write('audit.pub', readFileSync(join(keys, 'audit.pub'), 'utf8'))
      assert.equal((await command(other, ['keys', 'trust', 'them', 'audit.pub'])).code, 0)
      assert.equal((await command(other, ['audit', 'verify', 'exported.ndjson'])).code, 0)
    },
  },
]

export const auditKey: Category = {
  name: 'Exchanging the key of the audit log',
  enforced: 'the key of the last entry, when the log is continued; the key of the first, when it is verified',
  file: 'test/redteam/audit-key.test.ts',
  attacks: numbered('key-of-log', [...exchanged, ...forged, ...others]),
  controls,
}
