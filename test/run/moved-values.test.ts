import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import { holdsWithheld, withoutPlaceholders } from '../../src/policy/pii/placeholder.ts'
import { openValue, sealValue } from '../../src/policy/pii/sealed-value.ts'
import { adoptValues, keepsValues, kindOf, valuesIn } from '../../src/run/drive/moved-values.ts'
import type { OpenPii } from '../../src/run/drive/open-pii.ts'
import { createPiiHandler } from '../../src/run/drive/pii-handler.ts'
import { PiiValues } from '../../src/run/drive/pii-values.ts'

const [A, B] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as [Buffer, Buffer]

function piiWith(key?: Buffer, emails: readonly string[] = []): OpenPii {
  const values = new PiiValues({ type: 'file' })
  for (const value of emails) values.placeholder({ kind: 'email', identity: value, value, start: 0, end: 1 })
  return { values, port: createPiiHandler(values, key), ...(key !== undefined && { key }) }
}

describe('values of personal data that move with a run', () => {
  test('are those that the document names, each once, also in names of members', () => {
    const sealed = sealValue('cy@example.com', A)
    const pii = piiWith(A, ['ada@example.com', 'bob@example.com', 'dan@example.com'])
    const document = { '[email:3]': 1, list: ['[email:1] [email:1]', sealed, sealed, '[email:9]'] }
    assert.deepEqual(valuesIn(document, pii), [
      { text: '[email:1]', value: 'ada@example.com', identity: 'ada@example.com' },
      { text: '[email:3]', value: 'dan@example.com', identity: 'dan@example.com' },
      { text: sealed, value: 'cy@example.com' },
    ])
    assert.deepEqual(valuesIn({ sealed }, piiWith()), [], 'without the key')
    assert.deepEqual(valuesIn({ sealed }, piiWith(B)), [], 'with another key')
    assert.deepEqual(valuesIn({}, pii), [])
  })

  test('keep their placeholders, and sealed values get the key of this host', () => {
    const sealed = sealValue('cy@example.com', A)
    const pii = piiWith(B)
    const moved = [
      { text: '[email:2]', value: 'bob@example.com', identity: 'bob@example.com' },
      { text: sealed, value: 'cy@example.com' },
    ]
    const { document, carried, lost } = adoptValues({ text: `to [email:2] and ${sealed}` }, moved, pii)
    assert.deepEqual([carried, lost], [2, 0])
    const { text } = document as { text: string }
    assert.match(text, /^to \[email:2\] and pii:v2:/)
    assert.equal(openValue(text.slice(text.indexOf('pii:')), B), 'cy@example.com')
    assert.deepEqual(pii.port.reveal(document), { text: 'to bob@example.com and cy@example.com' })
    const next = { kind: 'email', start: 0, end: 1 }
    const again = { ...next, identity: 'bob@example.com', value: 'Bob@example.com' }
    const other = { ...next, identity: 'eve@example.com', value: 'eve@example.com' }
    assert.deepEqual(
      [pii.values.placeholder(again), pii.values.placeholder(other)],
      ['[email:2]', '[email:3]'],
    )
  })

  test('all other names are replaced and counted once, unless this host has the same key', () => {
    const [mine, theirs] = [sealValue('mine@example.com', B), sealValue('theirs@example.com', A)]
    const document = { texts: ['[phone:1] [phone:1] [email:1]', mine, theirs] }
    const adopted = adoptValues(document, [], piiWith(B))
    assert.deepEqual(adopted, {
      document: { texts: ['[phone withheld] [phone withheld] [email withheld]', mine, '[value withheld]'] },
      carried: 0,
      lost: 3,
    })
    const keyless = adoptValues({ mine }, [{ text: mine, value: 'mine@example.com' }], piiWith())
    assert.deepEqual(keyless, { document: { mine: '[value withheld]' }, carried: 0, lost: 1 })
  })

  test('of a dry run are names: nothing is adopted, and the names count as carried', () => {
    const sealed = sealValue('cy@example.com', A)
    const pii = piiWith(B)
    const document = { texts: ['[email:1]', sealed] }
    const moved = [{ text: '[email:1]' }, { text: sealed }]
    assert.deepEqual(adoptValues(document, moved, pii), { document, carried: 2, lost: 0 })
    assert.ok(pii.values.isEmpty())
  })

  test('are kept by anonymize and encrypt only, of any agent of the run', () => {
    const plan = (handling: string) => ({ pii: { handling } }) as unknown as Plan
    for (const [handling, keeps] of [
      ['none', false],
      ['detect', false],
      ['anonymize', true],
      ['encrypt', true],
      ['reject', false],
    ] as const) {
      assert.equal(keepsValues([plan(handling)]), keeps, handling)
      assert.equal(keepsValues([plan('reject'), plan(handling)]), keeps, handling)
    }
    assert.equal(keepsValues([{} as Plan]), false)
  })

  test('texts in their place are recognised', () => {
    assert.equal(
      withoutPlaceholders('[email:1] and [member_no:12]'),
      '[email withheld] and [member_no withheld]',
    )
    for (const [value, expected] of [
      [{ to: ['x [email withheld]'] }, true],
      [{ '[member_no withheld]': 1 }, true],
      [{ to: '[email:1]' }, false],
      [{ to: 'withheld' }, false],
    ] as const)
      assert.equal(holdsWithheld(value), expected, JSON.stringify(value))
    assert.deepEqual(['[email:1]', 'x[email:1]', '[email:1]x', 'email'].map(kindOf), [
      'email',
      ...Array(3).fill(undefined),
    ])
  })
})
