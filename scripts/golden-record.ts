/**
 * Creates the golden records of the current record version: `node scripts/golden-record.ts`. They are created once for
 * each version of the record: later versions must read them unchanged.
 */
import { createPrivateKey } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteRecords } from '../src/adapters/records/sqlite/open-sqlite-records.ts'
import type { Program } from '../src/plan/plan.ts'
import { advance } from '../src/run/advance.ts'
import { apply } from '../src/run/apply.ts'
import type { Fact } from '../src/run/event.ts'
import { RECORD_VERSION } from '../src/run/record/record-version.ts'
import { runHeader } from '../src/run/record/run-header.ts'
import { resultOf } from '../src/run/result.ts'
import { calls, programOf, text } from '../test/run/fixture.ts'

const AT = Date.parse('2026-03-01T08:00:00.000Z')
const USAGE = { input_tokens: 10, output_tokens: 5 }
const folder = join(import.meta.dirname, `../test/golden/record-v${RECORD_VERSION}`)
if (existsSync(join(folder, 'records.sql'))) {
  process.stderr.write(`${folder} already exists: a golden record is never created again\n`)
  process.exit(1)
}

const answer = (given: ReturnType<typeof text>, attempt: number): Fact => ({
  type: 'model.answered',
  attempt,
  message: given.message,
  finish: given.finish,
  usage: USAGE,
  latency_ms: 12,
})
const started: Fact = {
  type: 'run.started',
  input: 'Send the report.',
  trace_parent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
}
const approving = programOf({
  safety: { human_in_the_loop: { require_approval_for: ['send'], timeout_seconds: 60 } },
})
const plain = programOf()
const judged = programOf({ constraints: ['Be kind.'] }, { judge: { provider: 'openai', model: 'judge' } })

const RUNS: readonly (readonly [name: string, program: Program, facts: readonly Fact[]])[] = [
  [
    'reads-and-writes',
    plain,
    [
      started,
      {
        type: 'model.failed',
        attempt: 1,
        kind: 'unavailable',
        code: 'MODEL_UNAVAILABLE',
        message: '503',
        latency_ms: 3,
      },
      answer(calls(['a', 'look', { x: 1 }], ['b', 'send', { x: 2 }]), 2),
      { type: 'call.answered', call_id: 'a', result: { rows: [1, null, 'ä'] }, latency_ms: 4 },
      {
        type: 'call.failed',
        call_id: 'b',
        code: 'TOOL_TIMEOUT',
        message: 'no answer',
        outcome: 'unknown',
        latency_ms: 5,
      },
      {
        type: 'person.decided',
        call_id: 'b',
        verdict: 'assume',
        result: { sent: true },
        by: 'ann',
        why: 'I saw it',
      },
      answer(text('Done.'), 3),
      { type: 'user.said', input: 'Again?' },
      answer(text('No.'), 4),
      { type: 'hook.ran', hook: 'on_complete', ok: true, latency_ms: 1 },
    ],
  ],
  [
    'asks-and-lapses',
    approving,
    [
      started,
      { type: 'memory.read', turn: 1, items: [], latency_ms: 1 },
      answer(calls(['a', 'send', { x: 1 }]), 1),
      { type: 'run.paused', by: 'ann', partial: 'I was about' },
      { type: 'run.resumed', by: 'ann' },
      { type: 'approval.lapsed', call_id: 'a' },
    ],
  ],
  ['waits', approving, [started, answer(calls(['a', 'send', { x: 1 }]), 1)]],
  [
    'is-judged',
    judged,
    [
      started,
      answer(text('You fool.'), 1),
      {
        type: 'judge.answered',
        review: 1,
        breaches: [{ constraint: 'Be kind.', why: 'an insult' }],
        usage: USAGE,
        latency_ms: 6,
      },
      answer(text('Dear friend.'), 2),
      { type: 'judge.failed', review: 2, message: 'no verdict', latency_ms: 7 },
    ],
  ],
  [
    'is-cancelled',
    plain,
    [started, { type: 'call.held', call_id: 'none' }, { type: 'run.cancelled', by: 'ann' }],
  ],
  ['runs-out-of-time', plain, [started, { type: 'deadline.passed' }]],
]

// A key only for this purpose: the log is verified with its public half.
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})
const home = mkdtempSync(join(tmpdir(), 'waybill-golden-'))
const records = openSqliteRecords(home, { signAudit: () => key })
const expected: Record<string, unknown> = {}
for (const [index, [name, program, facts]] of RUNS.entries()) {
  const header = {
    ...runHeader(program, name, { user: 'ada' }),
    created_at: new Date(AT + index).toISOString(),
  }
  const first = { type: 'run.started' as const, input: 'Send the report.' }
  const run = await records.runs.create({ header, plan: program.plan, family: [], first })
  let state = run.state
  for (const [step, fact] of facts.entries()) {
    const at = AT + 1000 * (step + 1)
    // Facts without effect are recorded as well, so that every type is in the record.
    const idle = { seq: state.seq + 1, at, fact, decision: {} }
    const next = advance(program, state, fact, at) ?? { event: idle, state: apply(state, idle) }
    const audit = [{ at: header.created_at, kind: fact.type, run_id: name }]
    await run.append([next.event], {
      durable: true,
      state: next.state,
      audit,
      sealed: [`sealed ${name} ${step}`],
    })
    state = next.state
  }
  await run.close()
  expected[name] = { state, result: resultOf(program.plan, state) }
}
await records.runs.decide(
  'waits',
  { key: 'waits:1:a', asked: 2 },
  { type: 'person.decided', call_id: 'a', verdict: 'approve', by: 'ann', key: 'waits:1:a', seen: 2 },
)
await records.grants.give(
  { id: 'g-1', kind: 'host', what: 'api.example', by: 'ann', at: new Date(AT).toISOString(), uses_left: 3 },
  [],
)
await records.routes.merge(
  new Map([['openai/gpt-4o', { at: AT, turn: 2, failures: 0, answers: [[AT, 12]] }]]),
)
const owner = { definition: 'd', agent_id: 'a', scope: 'user' as const, user: 'ada', session: '' }
await records.memory.save(
  owner,
  { scope: 'user', key: 'tea', content: 'green', saved_at: AT, expires_at: null },
  'c1',
)
await records.close()

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'records.sql'), dump(join(home, 'waybill.db')))
writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`)
rmSync(home, { recursive: true })

/** Returns the database as text: its schema and its rows. */
function dump(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = (sql: string) => db.prepare(sql).all() as Record<string, string | number | null>[]
  const lines = rows(
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  ).map(({ sql }) => `${String(sql)};`)
  for (const { name } of rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )) {
    for (const row of rows(`SELECT * FROM ${name}`))
      lines.push(`INSERT INTO ${name} VALUES (${Object.values(row).map(literal).join(', ')});`)
  }
  for (const pragma of ['application_id', 'user_version'])
    lines.push(`PRAGMA ${pragma} = ${Object.values(rows(`PRAGMA ${pragma}`)[0] ?? {})[0]};`)
  db.close()
  return `${lines.join('\n')}\n`
}

function literal(value: string | number | null): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
