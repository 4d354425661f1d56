import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WaybillError } from '../../src/document/issue.ts'
import {
  auditDamaged,
  concurrencyDeadlock,
  concurrencyExceeded,
  recordDamaged,
  recordNewer,
  recordsClosed,
  rootMissing,
  runExists,
  runImported,
  runLocked,
  runNotFound,
  runTakenOver,
  taken,
} from '../../src/run/record/record-errors.ts'

const request = (limit: number) => ({ agent: 'a', agent_name: 'Clerk', limit, run_id: 'r1', above: [] })

/** By code: an error, its fault, and what its message must contain. */
const ERRORS: readonly (readonly [WaybillError, code: string, fault: string, message: RegExp])[] = [
  [recordsClosed(), 'RECORDS_CLOSED', 'failed', /closed/],
  [runNotFound('r1'), 'RUN_NOT_FOUND', 'usage', /no run r1$/],
  [runExists('r1'), 'RUN_EXISTS', 'usage', /already a run r1$/],
  [runLocked('r1'), 'RUN_LOCKED', 'failed', /run r1 .* another process$/],
  [runLocked('r1', 42), 'RUN_LOCKED', 'failed', /run r1 .* process 42$/],
  [runTakenOver('r1'), 'RUN_TAKEN_OVER', 'failed', /run r1 /],
  [runImported('r1'), 'RUN_IMPORTED', 'refused', /run r1 /],
  [recordDamaged('r1', 'why'), 'RECORD_DAMAGED', 'failed', /run r1 is damaged: why$/],
  [recordDamaged('r1', 'why', { seq: 3 }), 'RECORD_DAMAGED', 'failed', /run r1 is damaged at event 3: why$/],
  [rootMissing('r1', 'r0'), 'RECORD_DAMAGED', 'failed', /run r1 .* missing: r0$/],
  [recordNewer('r1', 'what'), 'RECORD_NEWER', 'failed', /run r1 .* later version .*: what$/],
  [auditDamaged('why'), 'AUDIT_DAMAGED', 'refused', /audit log .*: why$/],
  [concurrencyExceeded(request(1)), 'CONCURRENCY_EXCEEDED', 'refused', /Clerk may run 1 .* one is running$/],
  [
    concurrencyExceeded(request(2)),
    'CONCURRENCY_EXCEEDED',
    'refused',
    /Clerk may run 2 .* as many are running$/,
  ],
  [
    concurrencyDeadlock(request(1), { agent_name: 'Scribe' }),
    'CONCURRENCY_DEADLOCK',
    'refused',
    /Clerk may run 1 .*Scribe/,
  ],
]

describe('the errors of every store of runs', () => {
  for (const [error, code, fault, message] of ERRORS)
    test(`${code}: ${error.message}`, () => {
      assert.equal(error.code, code)
      assert.equal(error.fault, fault)
      assert.match(error.message, message)
      assert.ok(error.details.hint)
    })

  test('a damaged record names its file and its cause if they are known', () => {
    const cause = new Error('the cause')
    assert.deepEqual(Object.keys(recordDamaged('r1', 'why').details).sort(), ['fault', 'hint', 'message'])
    assert.equal(recordDamaged('r1', 'why', { file: '/home/db' }).details.file, '/home/db')
    assert.equal(recordDamaged('r1', 'why', { cause }).cause, cause)
    assert.equal('file' in auditDamaged('why').details, false)
    assert.equal(auditDamaged('why', '/home/db').details.file, '/home/db')
  })

  const holders: readonly (readonly [string, readonly (number | undefined)[], string])[] = [
    ['none is known', [], ''],
    ['none is on this machine', [undefined], ''],
    ['one is on this machine', [undefined, 7], ' (process 7)'],
    ['two processes', [7, 8], ' (process 7, 8)'],
    ['one process holds two', [7, 7], ' (process 7)'],
  ]
  for (const [name, pids, shown] of holders)
    test(`holders of slots: ${name}`, () => {
      const known = pids.map((pid) => ({ run_id: 'r', ...(pid !== undefined && { pid }) }))
      assert.ok(concurrencyExceeded(request(2), known).message.endsWith(`as many are running${shown}`))
    })

  test('AAIF-4.6-03: both refusals of a slot name the rule and the place in the definition', () => {
    for (const error of [
      concurrencyExceeded(request(1)),
      concurrencyDeadlock(request(1), { agent_name: 'S' }),
    ]) {
      assert.equal(error.details.rule, 'AAIF-4.6-03')
      assert.equal(error.details.at, '/agent/runtime/concurrency')
    }
  })

  test('a second decision of a question returns the first one', () => {
    const by = {
      type: 'person.decided',
      call_id: 'c1',
      verdict: 'deny',
      by: 'ann',
      key: 'k',
      seen: 2,
    } as const
    assert.deepEqual(taken(by), { outcome: 'taken', by })
  })
})
