import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalView } from '../../../src/platform/inbox/approval.ts'
import { type MailKind, mailBody, mailSubject } from '../../../src/platform/inbox/mail-text.ts'

const CALL: ApprovalView = {
  id: 'r1~2~YzE',
  run_id: 'r1',
  call_id: 'c1',
  kind: 'call',
  agent_id: 'clerk',
  agent_name: 'Clerk',
  tool: 'send',
  arguments: { amount: 5 },
  digest: 'sha256:0',
  asks: 'approval',
}

function about(view: Partial<ApprovalView> = {}, more: object = {}, kind: MailKind = 'opened') {
  const question = {
    id: CALL.id,
    view: { ...CALL, ...view },
    settings: undefined,
    rehearsal: false,
    expires_at: null,
    closed_at: null,
    ...more,
  }
  return { kind, question, url: 'https://waybill.example', others: [] as readonly string[] }
}

test('the subject is one line of bounded length', () => {
  const cases: readonly (readonly [ReturnType<typeof about>, string])[] = [
    [about(), '[Waybill] may Clerk call send?'],
    [about({ asks: 'unknown' }), '[Waybill] what did send of Clerk do?'],
    [about({}, {}, 'reminded'), '[Waybill] Reminder: may Clerk call send?'],
    [about({}, {}, 'escalated'), '[Waybill] Escalated: may Clerk call send?'],
    [about({}, {}, 'expired'), '[Waybill] Expired: may Clerk call send?'],
    [about({}, { rehearsal: true }), '[Waybill] Rehearsal: may Clerk call send?'],
    [
      about({ agent_name: 'A\r\nBcc: x@y.example\u0085z\u2028' }),
      '[Waybill] may A Bcc: x@y.example z call send?',
    ],
    [about({ agent_name: '\u202eklerC\u001b[31m' }), '[Waybill] may klerC call send?'],
  ]
  for (const [given, subject] of cases) assert.equal(mailSubject(given), subject)
  const long = mailSubject(about({ agent_name: '😀'.repeat(1000), tool: 'x'.repeat(1000) }))
  assert.ok([...long].length <= 151 && long.isWellFormed(), long)
})

test('the text says what is asked, bounded and without secrets, and decides nothing', () => {
  const text = mailBody({
    ...about({ why: 'it writes' }, { expires_at: new Date(0) }),
    others: ['a@b.example'],
  })
  assert.match(text, /Clerk asks for approval of one call/)
  assert.match(text, /Tool: {6}send\nRun: {7}r1\nWhy: {7}it writes\nExpires: {3}1970-01-01T00:00:00.000Z\n/)
  assert.match(text, /\n {4}\{\n {6}"amount": 5\n {4}\}\n/)
  assert.match(
    text,
    /Decide with one of:\n {4}waybill approvals approve r1 c1 --server https:\/\/waybill.example\n {4}waybill approvals deny r1 c1 --server https:\/\/waybill.example\n/,
  )
  assert.doesNotMatch(text, /\/inbox\//)
  assert.match(text, /Also notified: a@b.example\n$/)

  const key = `sk-ant-api03-${'a1B2'.repeat(24)}`
  const hidden = mailBody(
    about({ arguments: { key, text: 'x\nDecide here: https://evil.example' }, why: key }),
  )
  assert.ok(!hidden.includes(key))
  assert.doesNotMatch(hidden, /^Decide here: https:\/\/evil/m)
  const long = mailBody(about({ arguments: { text: 'y'.repeat(100_000) } }))
  assert.ok(long.length < 6000)
  const { url: _url, ...unplaced } = about()
  assert.match(mailBody(unplaced), /waybill approvals approve r1 c1\n/)
  assert.match(mailBody(about({ asks: 'unknown' })), /waybill approvals show r1 c1 --server/)
  const others = Array.from({ length: 25 }, (_, n) => `u${n}@b.example`)
  assert.match(mailBody({ ...about(), others }), /u19@b.example and 5 more\n$/)
})

test('the text of an expired question says whether the call was denied', () => {
  const denied = mailBody(about({}, { closed_at: new Date(0) }, 'expired'))
  assert.match(denied, /has denied the call/)
  assert.doesNotMatch(denied, /Decide with/)
  assert.match(mailBody(about({}, {}, 'expired')), /Decide with/)
  assert.match(mailBody(about({}, { rehearsal: true })), /^This is a rehearsal/)
})

test('a command has no word of a model that a shell would read in another way', () => {
  for (const call_id of [
    '$(id)',
    'a;b',
    '`id`',
    "a'b",
    '--all',
    '-x',
    'a b',
    'a\nb',
    '',
    'x'.repeat(200),
    '*',
  ]) {
    const text = mailBody(about({ call_id }))
    assert.match(text, /\n {4}waybill approvals approve r1 --server https:\/\/waybill.example\n/, call_id)
  }
  assert.match(mailBody(about({ call_id: 'call_1.a:b-c' })), /approve r1 call_1\.a:b-c --server/)
})

test('a question of a server names the server, has its words indented and none of its links', () => {
  const asked = {
    asks: 'input',
    kind: 'elicitation',
    server: 'bookings',
    questions: [
      { key: 'a', mode: 'form', message: 'Which city?\nDecide with one of:\n    rm -rf' },
      { key: 'b', mode: 'url', message: 'Please pay.', url: 'https://pay.example/7' },
    ],
  } as const
  assert.equal(mailSubject(about(asked)), '[Waybill] the server bookings asks about send of Clerk')
  const text = mailBody(about(asked))
  assert.match(
    text,
    /What the server bookings asks, in its own words; a password belongs in no answer:\n {4}Which city\?\n {4}Decide with/,
  )
  assert.doesNotMatch(text, /pay\.example/)
  assert.match(text, /See what can be decided with:\n {4}waybill approvals show r1 c1/)
  const declined = mailBody(about(asked, { closed_at: new Date(0) }, 'expired'))
  assert.match(declined, /has declined the question/)
})
