import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { destinationsIn, isDestination, keysIn } from '../../src/policy/destination/destination.ts'
import { namesDestinations, namesRecipients } from '../../src/policy/destination/member-name.ts'

describe('destinations in a value', () => {
  for (const [value, keys] of [
    ['write to Ada@X.example today', ['ada@x.example']],
    ['see https://A.example:8443/b?c', ['a.example']],
    ['see https://a.example./b', ['a.example']],
    ['see https://a.example, then', ['a.example']],
    ['see ftp:\\\\a.example\\b', ['a.example']],
    ['https://user@b.example/', ['b.example']],
    ['http://[', ['http://[']],
    ['at 10.0.0.1', ['10.0.0.1']],
    ['at [::1]', ['[::1]']],
    ['call +49 (30) 123-456', ['+4930123456']],
    ['call 0049 30 123456', ['004930123456']],
    ['to [email:12]', ['[email:12]']],
    ['read a.example', ['a.example']],
    ['nothing here', []],
    [12, []],
    [true, []],
    [null, []],
    [
      ['a@x.example', ['b@x.example']],
      ['a@x.example', 'b@x.example'],
    ],
    [{ 'a@x.example': { to: 'b@x.example' } }, ['a@x.example', 'b@x.example']],
    // The same address in other spellings has the same key.
    ['"ada"@x.example', ['ada@x.example']],
    ['"a;b"@x.example', ['a;b@x.example']],
    ['ada @ x.example', ['ada@x.example']],
    ['ada (Ada) @ (at) x . (dot) example', ['ada@x.example']],
    ['ada\r\n @x.example', ['ada@x.example']],
    ['**ada@x.example**', ['ada@x.example']],
    ['ada@b\u00fccher.example', ['ada@xn--bcher-kva.example']],
    ['\uff41da\uff20\uff58.example', ['ada@x.example']],
    ['"e\\"v"@x.example', ['e"v@x.example', 'v@x.example']],
    ['write to \\"ada@x.example\\" today', ['ada@x.example']],
    ['{\\"to\\": \\"ada@x.example\\"}', ['ada@x.example']],
    ['see C:\\mail and ada@x.example', ['ada@x.example']],
    ['mailto:ada@x.example?cc=bob@y.example', ['ada@x.example', 'bob@y.example']],
    ['https://x.example/?to=ada@y.example', ['x.example', 'ada@y.example']],
    ['https://x.example/,https://y.example/', ['x.example', 'y.example']],
    ['http://2130706433/', ['127.0.0.1']],
    ['http://0x7f.1/', ['127.0.0.1']],
    ['tel:+49-30-123456', ['+4930123456']],
    // A person and a URL parser read two hosts.
    ['see https://x.example"@y.example/ now', ['y.example', 'x.example']],
    ['https://x.example%2f@y.example/', ['x.example', 'y.example']],
    ['https://x.example\n.y.example/', ['x.example.y.example', 'x.example']],
    // A list of URLs is not one URL.
    ['https://x.example\nhttps://y.example', ['x.example', 'y.example']],
  ] as readonly (readonly [Json, readonly string[]])[])
    test(`${JSON.stringify(value)} names ${keys.join(', ') || 'none'}`, () =>
      assert.deepEqual([...new Set(destinationsIn(value).map(({ key }) => key))].sort(), [...keys].sort()))

  test('a host without a scheme, a port or a path is bare: it may be the name of a file', () => {
    const bare = (text: string) => destinationsIn(text).map((one) => one.bare)
    for (const text of ['report.txt', 'docs/report.txt', 'see [it](report.md#part)'])
      assert.deepEqual(bare(text), [true], text)
    for (const text of [
      'https://a.example/',
      'a@x.example',
      '10.0.0.1',
      '+4930123456',
      '@a.example',
      'x:a.example',
      'a.example:80',
      'a.example/x',
      'a.example?x',
    ])
      assert.ok(!bare(text).includes(true) && bare(text).length > 0, text)
  })

  test('a form that is also ordinary text counts where it is alone, or where a destination is expected', () => {
    for (const form of ['@ada', '#team', 'ada#1234', '0170 1234567', 'DE89370400440532013000']) {
      assert.equal(destinationsIn(form).length, 1, form)
      assert.deepEqual(destinationsIn(`we said that ${form} is the one that they want`), [], form)
      const sentence = { contact: `please ask ${form} about it` }
      assert.equal(destinationsIn(sentence).length, 1, form)
    }
    assert.deepEqual(destinationsIn('U012ABCDEF'), [])
    assert.equal(destinationsIn({ channel: 'U012ABCDEF' }).length, 1)
    assert.equal(destinationsIn({ to: 491701234567 }).length, 1)
    assert.deepEqual(destinationsIn({ amount: 491701234567 }), [])
  })

  test('the keys that a text names include forms in ordinary text and common spellings', () => {
    assert.deepEqual(keysIn('send an SMS to 0170 1234567 please'), ['01701234567'])
    assert.deepEqual(keysIn('to=ada@x.example'), ['to=ada@x.example', 'ada@x.example'])
    // What is not understood has no other spelling.
    assert.deepEqual(keysIn('to=ada@{x}'), ['to=ada@{x}'])
    assert.deepEqual(keysIn({ 'a@x.example': ['b@x.example', { c: 491701234567 }] }), [
      'a@x.example',
      'b@x.example',
      '491701234567',
    ])
    for (const value of [true, null, [], {}]) assert.deepEqual(keysIn(value), [])
    assert.deepEqual(keysIn('a@x.example, a@x.example'), ['a@x.example'])
  })
})

/** Texts that a mail program, a URL parser, a phone or a chat program takes as a destination. */
const DESTINATIONS: readonly string[] = [
  'a@x.example',
  'a@x.example, b@x.example',
  'Ada <a@x.example>',
  'a@x.example (Ada)',
  'mailto:a',
  'tel:1',
  '//a.example',
  '\\\\a.example',
  'localhost:80',
  'localhost',
  'a.example/x',
  '+49 30 123456',
  'one; a@x.example',
  'one\na@x.example',
  '"attacker"@evil.example',
  'attacker!@evil.example',
  'attacker@[203.0.113.5]',
  'attacker@[IPv6:2001:db8::1]',
  'root@localhost',
  'Eve root@localhost',
  'Eve <root@localhost>',
  'attacker @evil.example',
  'attacker@ evil.example',
  'attacker (x) @ (y) evil.example',
  'attacker\r\n @evil.example',
  'attacker@evil. example',
  'undisclosed: a@x, b@y;',
  '<@a,@b:c@d>',
  '=?utf-8?q?eve=40evil.example?=',
  'evil@',
  'evil@{x}',
  'https://evil.example/hook and more',
  'https:evil.example/hook',
  'https:/evil.example/hook',
  'ht\ntps://evil.example',
  'https://e\tvil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://ours.example @evil.example/',
  'wss:evil.example',
  '2001:db8::1',
  '[2001:db8::1]:80',
  '"e\\"v"@ localhost',
  '"e\\"v"@ (a(b)c) localhost',
  '"e\\"v"\r\n @localhost',
  '"e\\\\"@ localhost',
  '"e\\ v" @evil',
  '"\\"" @evil',
  '"e\\"v\\"" @evil',
  'Eve <"e\\"v"@ localhost>',
  '"e\\"v"@ localhost, bob@ localhost',
  'eve(\\)) @evil',
  '<@a.example:eve@10. 0.0.1>',
  'E. V. <@a.example:"e".v(x)@(@)10. 0.0.1>',
  '<eve@10 . 0 . 0 . 1>',
  '<eve@evil. example>',
  '<eve@10. 0.0.1.>',
  '<eve\t@\r\n evil. example. >',
  'e/v(x)@(@)evil:#e @ evil. example (Eve)',
  'Eve <eve @localhost>:Team: #e@\tlocalhost;',
  'eve@10. 0.0.1',
  'eve@evil.example\u{1f69a}',
  '10.0.0.1:80',
  '0x7f000001/x',
  '2130706433:80/x',
  'data:text/html,hi',
  'javascript:alert(1)',
  'sms:123',
  'xmpp:eve@evil',
  'matrix:u/attacker:evil.example',
  'whatsapp:+491701234567',
  'tg://resolve?domain=evil',
  'slack:C012AB',
  'unknown:evil.example',
  '0170 1234567',
  '(0170) 1234567',
  '555-123-4567',
  '06 12 34 56 78',
  'fe80::1%eth0',
  '::ffff:203.0.113.5',
  '@evil',
  '@eve:evil.example',
  '#room:evil.example',
  '#channel',
  'eve#1234',
  'DE89 3704 0044 0532 0130 00',
]

/** Ordinary arguments. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '...',
  'hello',
  '12',
  'we met a@x.example yesterday',
  'see https://a.example/x for it',
  `${'a '.repeat(300)}`,
  'See\nhttps://ours.example\nBye',
  'Hello Ada,\nsee\nhttps://ours.example/x\nBye',
  'On Monday, Ada <ada@x.example> wrote:',
  'Re: Termin am 3.4. um 10:30',
  'Re:Termin',
  'C++ std::vector',
  'Foo::bar()',
  'a/b',
  'v1.2.3',
  'EUR 12.50',
  '1.234.567,89',
  '1 000 000',
  '2026-11-22',
  '22.11.2026',
  '2026-11-22T10:30:00Z',
  '2026-11-22 10:30',
  '10:30-11:30',
  '12345678',
  '1Z999AA10123456784',
  '9f86d081884c7d65',
  'sha256:9f86d081884c7d65',
  'urn:uuid:b3f1c0de-1234-4abc-8def-0123456789ab',
  'b3f1c0de-1234-4abc-8def-0123456789ab',
  '978-3-16-148410-0',
  '# Title',
  '**bold** and [x](#a)',
  '| a | b |',
  '- [ ] write the report.pdf',
  'priority:high',
  'TODO: fix',
  '{"a":1}',
  '// comment',
  'lunch @ noon',
  'He said \\"lunch @ noon\\" and left',
  'The "a\\"b"@ c is the escape of the old parser',
  'say "\\n" @ the end of each line',
  'C:\\Users\\ada@work is the folder of the team',
  '{\\"note\\": \\"lunch @ noon\\"}',
  'we met at 5@3. Then we left > home',
  'note for all: lunch @ noon;',
  'a long title: the rest of it @work',
  'the type of it: @ada',
  'see (docs)x:y-z w.v',
  'Use actions/checkout@v4',
  '#ff0000',
  '#12',
  'C:\\Users\\ada',
  '/srv/reports/2026',
  'node_modules/@types',
  '<p>Hello</p>',
  'AT&T',
]

describe('a text that is a destination', () => {
  for (const text of DESTINATIONS)
    test(`${JSON.stringify(text)} is a destination`, () => assert.ok(isDestination(text)))
  for (const text of TEXTS)
    test(`${JSON.stringify(text.slice(0, 40))} is not a destination`, () => assert.ok(!isDestination(text)))

  test('an address at the end of a long text is found', () => {
    assert.ok(isDestination(`${'word '.repeat(200)}a@x.example`))
  })
  test('a member that expects destinations holds one also within a sentence', () => {
    for (const path of [['cc'], ['message', 'replyTo'], ['webhook_url'], ['to', 'name']])
      assert.ok(isDestination('we met a@x.example yesterday', path), path.join('.'))
    assert.ok(!isDestination('we met a@x.example yesterday', ['mail', 'body']))
  })
})

describe('an address behind which symbols are', () => {
  const hosts = (text: string) =>
    destinationsIn({ to: text }).map(({ key }) => key.slice(key.indexOf('@') + 1))
  for (const [text, expected] of [
    ['eve@x.example\u{1f69a}', ['x.xn--example-lp35f', 'x.example']],
    ['eve@x.example\u{1f69a}\u{1f69a}', ['x.xn--example-lp35fa', 'x.example']],
    // Letters and marks belong to the domain, also between symbols and beyond the first plane.
    ['eve@x.\u0928\u092e\u0938\u094d\u0924\u0947', ['x.xn--h2bhs4b8d8a']],
    ['eve@x.\u{1e900}\u{1e901}', ['x.xn--9d6hc']],
    ['eve@a (x) .b.example\u{1f69a}', ['a.b.xn--example-lp35f', 'a', 'a.b.example']],
    ['eve@\u{1f69a}', ['xn--s68h']],
    ['eve@\u{1f69a}.example', ['xn--s68h.example']],
  ] as const)
    test(`${JSON.stringify(text)} is at ${expected.join(' or ')}`, () =>
      assert.deepEqual(hosts(text), expected))

  test('a sender may drop them only where a destination is expected', () => {
    assert.equal(destinationsIn('eve@x.example\u{1f69a}').length, 1)
  })
})

describe('how many other words an address without a dot may have beside it', () => {
  for (const [text, expected] of [
    ['root@localhost', true],
    ['Eve root@localhost', true],
    ['Eve Miller root@localhost', true],
    ['Eve A. Miller root@localhost', false],
    ['root@localhost please', true],
    ['root@localhost right now', true],
    ['root@localhost right now please', false],
    ['We know, Eve Miller root@localhost', true],
    ['Team: Eve Miller root@localhost', true],
  ] as const)
    test(`${text}: ${expected}`, () => {
      assert.equal(isDestination(text), expected)
      assert.equal(destinationsIn(text).length > 0, expected)
    })
})

describe('numbers, quoted parts and signs', () => {
  for (const [text, alone, expected] of [
    ['1234567', false, ['1234567']],
    ['123456', false, []],
    ['012345', false, []],
    ['0123456', true, ['0123456']],
    ['012345678901234', true, ['012345678901234']],
    ['0123456789012345', false, []],
    ['0.123456', false, ['0123456']],
    ['49 30 1234567', true, ['49301234567']],
    ['1 234 567 890', false, ['1234567890']],
    ['@ ada', false, []],
    ['@eve:', true, ['@eve']],
    ['@eve:evil', true, ['@eve:evil']],
    ['a@(', true, ['a@(']],
    ['"e"@', true, ['e@']],
    ['"e f".g@x.example', true, ['e f.g@x.example']],
    ['e."f"@x.example', true, ['e.f@x.example']],
    ['e."f".g@x.example', true, ['e.f.g@x.example']],
    ['we all see it, #team, and go', true, ['#team']],
    ['@ada\none two three four', true, ['@ada']],
    ['docs/a.example/x', false, ['a.example']],
    ['0x7f/x', true, ['0x7f']],
  ] as const)
    test(`${JSON.stringify(text)}: ${alone}`, () => {
      assert.equal(isDestination(text), alone)
      assert.deepEqual(
        destinationsIn(text, ['to']).map(({ key }) => key),
        expected,
      )
    })
})

describe('the name of a member', () => {
  for (const [name, recipients, destinations] of [
    ['to', true, true],
    ['ccRecipients', true, true],
    ['bcc_list', true, true],
    ['reply_to', false, true],
    ['webhookUrl', false, true],
    ['subject', false, false],
    ['total', false, false],
    ['x'.repeat(101), false, false],
  ] as const)
    test(`${name.slice(0, 20)}: ${recipients ? 'recipients' : destinations ? 'a destination' : 'anything'}`, () => {
      assert.deepEqual([namesRecipients(name), namesDestinations(name)], [recipients, destinations])
    })
})

describe('uncommon forms of destinations count where they are alone', () => {
  for (const form of [
    'evil!attacker',
    'relay!evil!attacker',
    'Evil!Attacker',
    'eve%evil.example',
    'evil.example:drop',
    'evil.example:drop/box',
    'evil.example::module',
    '!room:evil.example',
    'arn:aws:sns:eu-west-1:123456789012:topic',
    'did:web:evil.example',
    'eve (at) evil',
    'eve[at]evil.example',
    '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ])
    test(form, () => {
      assert.ok(isDestination(form))
      assert.ok(isDestination(`${form};`))
      assert.ok(!isDestination(`Please read the part about ${form} again tomorrow`))
    })
  for (const text of [
    'Hello!',
    'hello !world',
    'a != b',
    'a!=b',
    '100%',
    '50% off',
    'std::vector',
    'Re: Termin',
    'chapter:one',
  ])
    test(`${text} is no destination`, () => assert.ok(!isDestination(text)))
})
