import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { drive } from '../../src/run/drive/drive.ts'
import { audited, auditFacts } from '../../src/run/record/audit-facts.ts'
import { AuditLog, auditLogPath, readHead } from '../../src/run/record/audit-log.ts'
import { initialState } from '../../src/run/state.ts'
import { verifyAudit } from '../../src/trust/audit-chain.ts'
import { createKey, listOwnKeys, openPrivateKey } from '../../src/trust/key-file.ts'
import { calls, modelOf, planOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const root = mkdtempSync(join(tmpdir(), 'waybill-audit-'))
after(() => rmSync(root, { recursive: true, force: true }))
const keys = join(root, 'keys')
createKey(keys, 'audit')
const open = (name: string) => new AuditLog(join(root, name), () => openPrivateKey(keys, 'audit'))
const known = (id: string) => listOwnKeys(keys).find(({ keyId }) => keyId === id)?.publicKey
const verdict = (name: string) =>
  verifyAudit(
    readFileSync(auditLogPath(join(root, name)), 'utf8'),
    known,
    readHead(join(root, name)) ?? undefined,
  )
const fact = (i: number) => ({ at: '2026-01-01T00:00:00.000Z', kind: 'test', i })

test('entries go on from where the log ends, in this process and the next', () => {
  open('a').append([fact(1), fact(2)])
  open('a').append([fact(3)])
  assert.deepEqual([verdict('a').ok, verdict('a').entries], [true, 3])
})

test('AAIF-4.9-08: a crash between announcing and writing loses nothing, and one in the middle of a line neither', () => {
  open('b').append([fact(1), fact(2)])
  const path = auditLogPath(join(root, 'b'))
  const whole = readFileSync(path, 'utf8')
  const second = whole.indexOf('\n') + 1
  for (const cut of [second, second + 20]) {
    writeFileSync(path, whole.slice(0, cut))
    open('b').append([fact(3)])
    const { ok, entries, problems } = verdict('b')
    assert.deepEqual([ok, entries], [true, 3], JSON.stringify(problems))
    writeFileSync(path, whole)
    writeFileSync(join(root, 'b', 'head.json'), whole.trimEnd().split('\n').at(-1) ?? '')
  }
})

test('a log that was cut short is not continued: what cannot be audited is not done', () => {
  open('c').append([fact(1), fact(2), fact(3)])
  const path = auditLogPath(join(root, 'c'))
  truncateSync(path, readFileSync(path, 'utf8').indexOf('\n') + 1)
  assert.throws(() => open('c').append([fact(4)]), { code: 'AUDIT_DAMAGED' })
  appendFileSync(path, 'x\n')
  assert.throws(() => open('c').append([fact(4)]), { code: 'AUDIT_DAMAGED' })
})

test('several processes write one chain', async () => {
  const script = `
    const { AuditLog } = await import(${JSON.stringify(new URL('../../src/run/record/audit-log.ts', import.meta.url).href)});
    const { openPrivateKey } = await import(${JSON.stringify(new URL('../../src/trust/key-file.ts', import.meta.url).href)});
    const log = new AuditLog(${JSON.stringify(join(root, 'd'))}, () => openPrivateKey(${JSON.stringify(keys)}, 'audit'));
    for (let i = 0; i < 20; i++) log.append([{ at: 'x', kind: 'test', i, pid: process.pid }])`
  await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise<void>((resolve, reject) => {
          spawn(process.execPath, ['--input-type=module', '-e', script], {
            stdio: ['ignore', 'inherit', 'inherit'],
          }).on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))))
        }),
    ),
  )
  assert.deepEqual([verdict('d').ok, verdict('d').entries], [true, 60])
})

test('AAIF-4.9-08: with audit_log every event of a run is in the log before its effects, content as digests only', async () => {
  const program = programOf()
  const done: string[] = []
  const log = {
    append: (facts: readonly { kind: string }[]) => void done.push(...facts.map(({ kind }) => kind)),
  }
  const tools = toolsOf({
    send: () => {
      done.push('called')
      return 'secret result'
    },
  })
  const ports = portsOf(modelOf(calls(['a', 'send', { x: 42 }]), text('secret answer')), tools)
  const plan = { ...program.plan, audit: true }
  const sink = audited(ports.sink, plan, { run_id: 'r' }, log)
  await drive(
    program,
    initialState('r', 'a', program.hash),
    { type: 'run.started', input: 'secret input' },
    { ...ports, sink },
  )
  assert.deepEqual(done, ['run.started', 'model.answered', 'called', 'call.answered', 'model.answered'])
  const facts = JSON.stringify(auditFacts(ports.events, plan, { run_id: 'r' }))
  for (const content of ['secret', '42']) assert.equal(facts.includes(`"${content}`), false)
  assert.match(facts, /"route":"openai\/gpt-4o"/)
})

test('AAIF-7-10: at regulated a refusal is audited though audit_log is off', async () => {
  const program = programOf({ compliance: { safety_level: 'regulated' }, required_capabilities: ['foo.bar'] })
  assert.ok(program.plan.refusals.length > 0)
  const kinds: string[] = []
  const ports = portsOf(modelOf())
  const sink = audited(
    ports.sink,
    program.plan,
    { run_id: 'r' },
    { append: (facts) => void kinds.push(...facts.map(({ kind }) => kind)) },
  )
  await drive(
    program,
    initialState('r', 'a', program.hash),
    { type: 'run.started', input: '' },
    { ...ports, sink },
  )
  assert.deepEqual(kinds, ['run.refused'])
})

test('an agent that asks for an audit log is refused where there is none', () => {
  assert.ok(planOf({ compliance: { audit_log: true } }).refusals.some(({ rule }) => rule === 'AAIF-4.9-08'))
})
