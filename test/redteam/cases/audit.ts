import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type AuditEntry, entryMaker } from '../../../src/trust/audit-chain.ts'
import { openPrivateKey } from '../../../src/trust/key-file.ts'
import { type Place, waybill } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { auditOf, writeAudit } from '../tampering.ts'
import { calling, command, ModelServer, runAgent, shared, stage } from '../world.ts'

const models = shared(() => new ModelServer())

const SCENE = { agent: { compliance: { audit_log: true } } }
/** What two audited runs leave in a home, by path. */
let left: ReadonlyMap<string, Buffer> | undefined

/** A home in which two audited runs have taken place. */
async function audited(t: TestContext): Promise<Place> {
  const place = stage(t, SCENE)
  if (left !== undefined) {
    for (const [path, bytes] of left) {
      mkdirSync(dirname(join(place.home, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(place.home, path), bytes, { mode: 0o600 })
    }
    return place
  }
  for (const to of ['ada', 'bob']) {
    const model = await models()
    model.reset(calling([{ tool: 'send_mail', args: { to } }]))
    assert.equal((await runAgent(place, model)).code, 0)
  }
  const paths = globSync('{waybill.db,keys/*}', { cwd: place.home })
  left = new Map(paths.map((path) => [path, readFileSync(join(place.home, path))]))
  return place
}

const linesOf = (place: Place) => auditOf(place).lines
const entriesOf = (place: Place) => linesOf(place).map((line) => JSON.parse(line) as AuditEntry)
const write = (place: Place, lines: readonly string[]) => writeAudit(place, { ...auditOf(place), lines })

/** Exports the log. @returns its entries, and the line with the signed head that ends it */
async function exported(place: Place): Promise<{ readonly lines: readonly string[]; readonly head: string }> {
  const { code, out } = await waybill(place, ['audit', 'export'])
  assert.equal(code, 0)
  const lines = out.trimEnd().split('\n')
  return { lines: lines.slice(0, -1), head: lines.at(-1) ?? '' }
}

/** Writes an exported copy with these entries before the head. */
const writeExport = (place: Place, lines: readonly string[], head: string) =>
  place.write('exported.ndjson', [...lines, head].map((line) => `${line}\n`).join(''))

/** The log with its entries changed by a function. */
type Edit = (lines: string[], place: Place) => readonly string[]

/** The log with another head. */
type EditHead = (head: string, lines: readonly string[]) => string | null

function tampered(
  attack: string,
  by: string,
  edit: Edit,
  found: { readonly code: RegExp; readonly line?: (lines: readonly string[]) => number },
): Omit<Attack, 'id'> {
  return {
    attack,
    by,
    holds: `verifying it says no${found.line === undefined ? '' : ', and where'}, also of an exported copy`,
    try: async (t) => {
      const place = await audited(t)
      const copy = await exported(place)
      const before = linesOf(place)
      const after = edit([...before], place)
      writeExport(place, edit([...copy.lines], place), copy.head)
      write(place, after)
      const argvs = [
        ['audit', 'verify'],
        ...(found.line === undefined ? [] : [['audit', 'verify', 'exported.ndjson']]),
      ]
      for (const argv of argvs) {
        const { code, value, out } = await command(place, argv)
        assert.equal(code, 1, out)
        const problems = value.problems as readonly { code: string; line?: number }[]
        assert.match(problems.map((problem) => problem.code).join(' '), found.code)
        if (found.line !== undefined)
          assert.ok(
            problems.some(({ line }) => line === found.line?.(before)),
            out,
          )
      }
    },
  }
}

function beheaded(attack: string, edit: EditHead): Omit<Attack, 'id'> {
  return {
    attack,
    by: 'the head in the database',
    holds: 'verifying it says no',
    try: async (t) => {
      const place = await audited(t)
      const { lines, head } = auditOf(place)
      writeAudit(place, { lines, head: edit(head ?? '', lines) })
      const { code, value, out } = await command(place, ['audit', 'verify'])
      assert.equal(code, 1, out)
      const problems = value.problems as readonly { code: string }[]
      assert.match(problems.map((problem) => problem.code).join(' '), /AUDIT_HEAD/)
    },
  }
}

const change = (line: string, to: (entry: AuditEntry) => object) => JSON.stringify(to(JSON.parse(line)))
const lie = (entry: AuditEntry) => ({ ...entry, fact: { ...entry.fact, agent_id: 'another agent' } })
const at = (lines: string[], index: number, edit: (line: string) => string) =>
  lines.map((line, n) => (n === index ? edit(line) : line))
const middle = (lines: readonly string[]) => Math.floor(lines.length / 2)
const last = (lines: readonly string[]) => lines.length - 1

function foreignKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

/** The log from an entry on, made again with another key, as if nothing had happened. */
function forgedFrom(lines: readonly string[], index: number, key: KeyObject): readonly string[] {
  const kept = lines.slice(0, index)
  const next = entryMaker(() => key)
  let before = {
    n: index,
    hash: index === 0 ? '0'.repeat(64) : (JSON.parse(lines[index - 1] as string) as AuditEntry).hash,
  }
  const forged = lines.slice(index).map((line) => {
    const entry = next(lie(JSON.parse(line)).fact, before)
    before = entry
    return JSON.stringify(entry)
  })
  return [...kept, ...forged]
}

const edits: readonly Omit<Attack, 'id'>[] = [
  tampered(
    'changes what the first entry says',
    'the file',
    (lines) => at(lines, 0, (line) => change(line, lie)),
    { code: /AUDIT_CHANGED/, line: () => 1 },
  ),
  tampered(
    'changes what an entry in the middle says',
    'the file',
    (lines) => at(lines, middle(lines), (line) => change(line, lie)),
    { code: /AUDIT_CHANGED/, line: (lines) => middle(lines) + 1 },
  ),
  tampered(
    'changes what the last entry says',
    'the file',
    (lines) => at(lines, last(lines), (line) => change(line, lie)),
    { code: /AUDIT_CHANGED/, line: (lines) => lines.length },
  ),
  tampered(
    'changes a byte of a signature',
    'the file',
    (lines) =>
      at(lines, 1, (line) =>
        change(line, (entry) => ({
          ...entry,
          sig: `${entry.sig.startsWith('A') ? 'B' : 'A'}${entry.sig.slice(1)}`,
        })),
      ),
    { code: /AUDIT_SIGNATURE/, line: () => 2 },
  ),
  tampered('removes the first entry', 'the file', (lines) => lines.slice(1), {
    code: /AUDIT_MISSING/,
    line: () => 1,
  }),
  tampered(
    'removes an entry in the middle',
    'the file',
    (lines) => lines.filter((_, n) => n !== middle(lines)),
    { code: /AUDIT_MISSING/, line: (lines) => middle(lines) + 1 },
  ),
  tampered('cuts the last two entries off', 'the file', (lines) => lines.slice(0, -2), {
    code: /AUDIT_TRUNCATED/,
  }),
  tampered('cuts everything off but the first entry', 'the file', (lines) => lines.slice(0, 1), {
    code: /AUDIT_TRUNCATED/,
  }),
  tampered('empties the log', 'the file', () => [], { code: /AUDIT_TRUNCATED/ }),
  tampered(
    'repeats an entry',
    'the file',
    (lines) => [...lines.slice(0, 3), lines[2] as string, ...lines.slice(3)],
    { code: /AUDIT_MISPLACED/, line: () => 4 },
  ),
  tampered(
    'appends an entry of its own',
    'a key of its own',
    (lines) => [
      ...lines,
      JSON.stringify(
        entryMaker(foreignKey)(
          { at: '2026-01-01T00:00:00.000Z', kind: 'person.decided' },
          // The maker refuses to exchange the key of a log, which an attacker's own program does not.
          { ...JSON.parse(lines.at(-1) as string), key: undefined },
        ),
      ),
    ],
    { code: /AUDIT_SIGNATURE/, line: (lines) => lines.length + 1 },
  ),
  tampered(
    'swaps two entries',
    'the file',
    (lines) => [lines[1] as string, lines[0] as string, ...lines.slice(2)],
    { code: /AUDIT_MISPLACED|AUDIT_MISSING/, line: () => 1 },
  ),
  tampered('turns the whole log round', 'the file', (lines) => lines.reverse(), {
    code: /AUDIT_MISPLACED|AUDIT_MISSING/,
    line: () => 1,
  }),
  tampered('makes the whole log again', 'a key of its own', (lines) => forgedFrom(lines, 0, foreignKey()), {
    code: /AUDIT_SIGNATURE/,
    line: () => 1,
  }),
  tampered(
    'makes the end of the log again',
    'a key of its own',
    (lines) => forgedFrom(lines, middle(lines), foreignKey()),
    { code: /AUDIT_SIGNATURE/, line: (lines) => middle(lines) + 1 },
  ),
  tampered(
    'makes it again under the name of the right key',
    'a key of its own and the thumbprint of the right one',
    (lines) =>
      forgedFrom(lines, 1, foreignKey()).map((line, n) =>
        n < 1
          ? line
          : change(line, (entry) => ({ ...entry, key: (JSON.parse(lines[0] as string) as AuditEntry).key })),
      ),
    { code: /AUDIT_SIGNATURE/, line: () => 2 },
  ),
  tampered('changes the ends of the lines', 'carriage returns', (lines) => lines.map((line) => `${line}\r`), {
    code: /AUDIT_CHANGED/,
    line: () => 1,
  }),
  tampered(
    'puts spaces into an entry',
    'white space',
    (lines) => at(lines, 2, (line) => line.replace('{"v":1,', '{"v": 1,')),
    { code: /AUDIT_CHANGED/, line: () => 3 },
  ),
  tampered(
    'shows other readers another value',
    'a duplicate member name',
    (lines) => at(lines, 0, (line) => line.replace('"fact":{', '"fact":{"kind":"run.refused",')),
    { code: /AUDIT_UNREADABLE/, line: () => 1 },
  ),
  tampered(
    'writes the same with escapes',
    'escapes of JSON',
    (lines) => at(lines, 0, (line) => line.replace('"kind"', '"\\u006bind"')),
    { code: /AUDIT_CHANGED/, line: () => 1 },
  ),
  tampered(
    'adds a member',
    'the entry itself',
    (lines) => at(lines, 0, (line) => line.replace('{"v":1,', '{"v":1,"note":"x",')),
    { code: /AUDIT_UNREADABLE/, line: () => 1 },
  ),
  tampered(
    'puts an empty line in between',
    'the file',
    (lines) => [lines[0] as string, '', ...lines.slice(1)],
    { code: /AUDIT_UNREADABLE/, line: () => 2 },
  ),
  beheaded('exchanges the head for an older one', (_head, lines) => lines[1] as string),
  beheaded('removes the head', () => null),
  beheaded('changes the head', (head) => change(head, lie)),
]

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'joins the end of another log of the same key to this one',
    by: 'two logs that continue from the same state',
    holds: 'verifying it says no, and where',
    try: async (t) => {
      const place = await audited(t)
      const mine = linesOf(place)
      // The other log: the same beginning, and then something else, signed by the very same key.
      const key = openPrivateKey(join(place.home, 'keys'), 'audit')
      const other = forgedFrom(mine, 2, key)
      const { head } = await exported(place)
      writeExport(place, [...mine.slice(0, 4), ...other.slice(4)], head)
      const { code, value, out } = await command(place, ['audit', 'verify', 'exported.ndjson'])
      assert.equal(code, 1, out)
      assert.deepEqual(
        (value.problems as { code: string; line: number }[]).map((problem) => [
          problem.code,
          problem.line,
        ])[0],
        ['AUDIT_MISPLACED', 5],
      )
    },
  },
  {
    attack: 'puts the whole log of yesterday back, head and all',
    by: 'the entries and the head in the database',
    holds: 'the hash that was written down elsewhere tells (--expect)',
    try: async (t) => {
      const place = await audited(t)
      const yesterday = auditOf(place)
      const model = await models()
      model.reset()
      await runAgent(place, model)
      const { value } = await command(place, ['audit', 'verify'])
      writeAudit(place, yesterday)
      const said = await command(place, ['audit', 'verify', '--expect', String(value.head)])
      assert.equal(said.code, 1)
      assert.match(said.out, /AUDIT_TRUNCATED/)
    },
  },
  {
    attack: 'removes the log altogether',
    by: 'the database',
    holds: 'verifying it does not say that all is well',
    try: async (t) => {
      const place = await audited(t)
      writeAudit(place, { lines: [], head: null })
      const said = await command(place, ['audit', 'verify'])
      assert.equal(said.code, 1)
      assert.match(said.out, /AUDIT_GAP/)
    },
  },
  {
    attack: 'removes the last entry alone',
    by: 'the file',
    holds: 'the gap is reported, and no further audited action is done',
    try: async (t) => {
      const place = await audited(t)
      const lines = linesOf(place)
      write(place, lines.slice(0, -1))
      const said = await command(place, ['audit', 'verify'])
      assert.equal(said.code, 1)
      assert.match(said.out, /AUDIT_TRUNCATED/)
      const model = await models()
      model.reset()
      assert.notEqual((await runAgent(place, model)).code, 0)
      assert.equal(model.received.length, 0)
    },
  },
  ...(['cut off', 'changed at its end', 'left without its head'] as const).map(
    (how): Omit<Attack, 'id'> => ({
      attack: `continues with a log that was ${how}`,
      by: 'the next run of an audited agent',
      holds: 'nothing is done that cannot be audited',
      try: async (t) => {
        const place = await audited(t)
        const lines = linesOf(place)
        if (how === 'left without its head') writeAudit(place, { lines, head: null })
        else
          write(
            place,
            how === 'cut off'
              ? lines.slice(0, 2)
              : at([...lines], last(lines), (line) => change(line, lie)).concat('x'),
          )
        const model = await models()
        model.reset(calling([{ tool: 'send_mail', args: { to: 'eve' } }]))
        const said = await runAgent(place, model)
        assert.notEqual(said.code, 0, said.out)
        assert.equal(place.sent().includes('eve'), false)
        assert.equal(model.received.length, 0)
      },
    }),
  ),
  {
    attack: 'signs a log with a key that is trusted for documents',
    by: 'an author whose key may sign what he has written',
    holds: 'the log is not believed',
    try: async (t) => {
      const place = await audited(t)
      const author = stage(t)
      await command(author, ['keys', 'new', 'author'])
      const { value } = await command(author, ['keys', 'export', 'author'])
      place.write('author.pub', String(value.key))
      assert.equal(
        (await command(place, ['keys', 'trust', 'author', 'author.pub', '--author', '*@author.example']))
          .code,
        0,
      )
      const key = openPrivateKey(join(author.home, 'keys'), 'author')
      place.write('forged.ndjson', `${forgedFrom(linesOf(place), 0, key).join('\n')}\n`)
      const said = await command(place, ['audit', 'verify', 'forged.ndjson'])
      assert.equal(said.code, 1, said.out)
      assert.match(said.out, /AUDIT_SIGNATURE/)
    },
  },
  {
    attack: 'signs with a key that was revoked',
    by: 'a key that another person obtained',
    holds: 'its later signatures are refused',
    try: async (t) => {
      const place = await audited(t)
      assert.equal((await command(place, ['keys', 'revoke', 'audit', '--reason', 'stolen'])).code, 0)
      const said = await command(place, ['audit', 'verify'])
      assert.equal(said.code, 1)
      assert.match(said.out, /AUDIT_SIGNATURE/)
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'the log as it was written is whole, here and exported',
    try: async (t) => {
      const place = await audited(t)
      const copy = await exported(place)
      writeExport(place, copy.lines, copy.head)
      for (const argv of [
        ['audit', 'verify'],
        ['audit', 'verify', 'exported.ndjson'],
      ]) {
        const { code, value } = await command(place, argv)
        assert.deepEqual([code, value.ok, value.entries], [0, true, entriesOf(place).length])
      }
      assert.ok(entriesOf(place).length >= 6)
    },
  },
]

export const audit: Category = {
  name: 'Tampering with the audit log',
  enforced: 'the chain, its signatures and its head; the refusal to continue a broken log',
  file: 'test/redteam/audit.test.ts',
  attacks: numbered('audit', [...edits, ...others]),
  controls,
}
