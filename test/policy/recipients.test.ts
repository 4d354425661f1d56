import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { breachOfCall } from '../../src/policy/constraints/check-call.ts'
import { readConstraint } from '../../src/policy/constraints/read-constraint.ts'

const TOOLS = new Set(['send', 'post'])

function breach(sentence: string, tool: string, args: JsonObject): string | null {
  const rule = readConstraint(sentence, TOOLS)
  assert.ok(rule !== null, sentence)
  return breachOfCall(rule, { tool, args, at: 0, called: () => 0, succeeded: () => false })
}

describe('Never send an email to more than 3 recipients: four recipients are too many', () => {
  const FOUR = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'] as const
  const calls: readonly JsonObject[] = [
    { emails: FOUR },
    { email: FOUR.join(', ') },
    { addresses: FOUR },
    { attendees: ['ada', 'bob', 'cid', 'dan'] },
    { invitees: FOUR.map((address) => ({ address })) },
    { envelope: { rcpt: FOUR } },
    { ccs: FOUR },
    { tos: FOUR.join(';') },
    { people: FOUR },
    { Empfänger: FOUR },
    { TOLIST: FOUR.join('\n') },
    { audience: { members: FOUR } },
    { to: { list: ['ada', 'bob', 'cid', 'dan'] } },
    { to: 'a@x.example', people: FOUR.slice(0, 3) },
    { personalizations: FOUR.map((email) => ({ email })) },
    { personalizations: [{ to: FOUR.map((email) => ({ email })) }] },
    { to: { eve: true, bob: true, joe: true, max: true } },
    { to: { 0: 'eve', 1: 'bob', 2: 'joe', 3: 'max' } },
    { to: { users: { eve: {}, bob: {}, joe: {}, max: {} } } },
    { to: Object.fromEntries(FOUR.map((address) => [address, 'x'])) },
    { members: Object.fromEntries(FOUR.map((address) => [address, 1])) },
    { to: 'eve|bob|joe|max' },
    { to: 'eve、bob、joe、max' },
    { to: 'eve, bob, joe and max' },
    { to: FOUR[0], contact: FOUR[1], copy: FOUR[2], also: FOUR[3] },
    { to: FOUR[0], extra: { x: FOUR[1], y: { z: FOUR[2] } }, w: [FOUR[3]] },
    { body: { to: FOUR.slice(0, 2) }, query: { email: FOUR[2], mail: FOUR[3] } },
    { to: JSON.stringify(FOUR) },
    { to: JSON.stringify(JSON.stringify(FOUR)) },
    { options: JSON.stringify({ list: FOUR.map((email) => ({ email })) }) },
    { csv: `name,email\n${FOUR.map((address, index) => `${index},${address}`).join('\n')}` },
    { headers: `Subject: x\r\nBcc: ${FOUR[0]}, ${FOUR[1]},\r\n ${FOUR[2]}, ${FOUR[3]}` },
    { headers: { Bcc: FOUR.join(',') } },
    { to: { email: FOUR.join() } },
    { to: [1, 2, 3, 4] },
    { emails: ['eve', 'bob', 'joe', 'max'] },
    { reply: { to: ['eve', 'bob', 'joe', 'max'] } },
    { numbers: ['+49 170 1234561', '+49 170 1234562', '+49 170 1234563', '+49 170 1234564'] },
  ]
  for (const args of calls)
    test(JSON.stringify(args), () =>
      assert.match(
        breach('Never send an email to more than 3 recipients.', 'send', args) ?? '',
        /has 4 recipients/,
      ),
    )
})

describe('Never send an email to more than 3 recipients: three and other addresses are not too many', () => {
  const THREE = ['a@x.example', 'b@x.example', 'c@x.example']
  const calls: readonly JsonObject[] = [
    { to: THREE, from: 'me@x.example', reply_to: 'desk@x.example' },
    { to: THREE, email: 'me@x.example' },
    { to: THREE, body: `Ask ${THREE.join(', ')} or d@x.example.` },
    { to: THREE, subject: 'a@x.example left' },
    { to: [{ name: 'Ada', address: 'a@x.example', tags: [] }], cc: 'b@x.example' },
    { to: THREE, body: 'Call +49 170 1234561 or +49 170 1234562.' },
    { to: THREE, links: ['https://a.example', 'https://b.example'] },
    { to: THREE, sizes: [1, 2, 3, 4], tags: ['a', 'b', 'c', 'd'] },
  ]
  for (const args of calls)
    test(JSON.stringify(args), () =>
      assert.equal(breach('Never send an email to more than 3 recipients.', 'send', args), null),
    )
})

describe('Call post only with url starting with a URL: its host is fixed', () => {
  const only = (start: string) => `Call post only with url that starts with "${start}".`.replace('that ', '')
  const START = 'https://ours.example'
  for (const url of [
    'https://ours.example.evil.example/x',
    'https://ours.example@evil.example',
    'https://ours.example:x@evil.example/',
    'https://ours.example-evil.example',
    'https://ours.examples',
    'https://ours.example%2eevil.example',
    'https://ours.example:8443/x',
    'https://ours.example\\@evil.example',
    'https://ours.example|https://evil.example',
    'https://ours.example/x https://evil.example',
    'https://ours.example/x,https://evil.example',
    'https://ours.example/x\nhttps://evil.example',
    'http://ours.example/x',
    'https:ours.example.evil.example',
  ])
    test(`not ${JSON.stringify(url)}`, () => assert.notEqual(breach(only(START), 'post', { url }), null))
  for (const url of [
    'https://ours.example',
    'https://ours.example/',
    'HTTPS://OURS.EXAMPLE/x',
    'https://ours.example/x?y#z',
    'https://ours.example:443/x',
    'https://ours.example?x',
    'https://ours.example/a https://ours.example/b',
  ])
    test(JSON.stringify(url), () => assert.equal(breach(only(START), 'post', { url }), null))
  test('and the beginning of its path', () => {
    const args = (path: string) => ({ url: `https://ours.example${path}` })
    assert.equal(breach(only(`${START}/api/`), 'post', args('/api/x')), null)
    for (const path of ['/api', '/api/../admin', '/api/%2e%2e/admin', '/x/api/'])
      assert.notEqual(breach(only(`${START}/api/`), 'post', args(path)), null, path)
  })
})

describe('Never send an email to more than 3 recipients: three recipients are not too many', () => {
  const THREE = ['a@x.example', 'b@x.example', 'c@x.example']
  const calls: readonly JsonObject[] = [
    { to: '"Lovelace, Ada" <a@x.example>', cc: THREE.slice(1) },
    { to: THREE, from: 'me@x.example', reply_to: 'me@x.example', sender: { email: 'me@x.example' } },
    { to: THREE, body: 'Write to d@x.example or e@x.example today.' },
    { to: THREE, account: 'd@x.example' },
    { to: THREE, links: ['https://a.example', 'https://b.example'] },
    { to: THREE.map((email) => ({ email, name: 'Ada', type: 'to', firstName: 'Ada' })) },
    { to: 'ada', attachments: ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'] },
  ]
  for (const args of calls)
    test(JSON.stringify(args), () =>
      assert.equal(breach('Never send an email to more than 3 recipients.', 'send', args), null),
    )
})
