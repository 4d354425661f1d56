import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import type { OpenPii } from '../../src/run/drive/open-pii.ts'
import { createPiiHandler } from '../../src/run/drive/pii-handler.ts'
import { PiiValues } from '../../src/run/drive/pii-values.ts'
import { restoreValues } from '../../src/session/restore-values.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'

const plan = (handling?: string) => (handling === undefined ? {} : { pii: { handling } }) as unknown as Plan

function pii(): OpenPii {
  const values = new PiiValues({ type: 'file' })
  return { values, port: createPiiHandler(values, undefined) }
}

const state = (content: string) => ({ conversation: [{ role: 'user', content }] }) as unknown as AgentState
const TEXT = 'mail [email:1]'
const values = [{ text: '[email:1]', value: 'ada@example.com', identity: 'ada@example.com' }]

describe('a state that names values of personal data', () => {
  for (const [what, handling, moved, content, counts, why] of [
    ['keeps those that have moved', 'anonymize', { values }, TEXT, [1, 0], null],
    ['keeps those that have moved', 'encrypt', { values }, TEXT, [1, 0], null],
    ['has none', 'anonymize', undefined, 'mail [email withheld]', [0, 1], /they stay on the platform/],
    ['has none', 'reject', undefined, 'mail [email withheld]', [0, 1], /they stay on the platform/],
    ['has a problem', 'anonymize', { problem: 'no key' }, 'mail [email withheld]', [0, 1], /^no key$/],
    ['leaves those behind', 'reject', { values }, 'mail [email withheld]', [0, 1], /keeps no values/],
    ['leaves those behind', 'detect', { values }, 'mail [email withheld]', [0, 1], /keeps no values/],
    ['leaves those behind', undefined, { problem: 'no key' }, 'mail [email withheld]', [0, 1], /^no key$/],
    ['does not name any', 'detect', undefined, TEXT, null, null],
    ['does not name any', 'none', undefined, TEXT, null, null],
    ['does not name any', undefined, undefined, TEXT, null, null],
  ] as const)
    test(`${handling ?? 'without a policy'}: ${what}`, () => {
      const open = pii()
      const readable = restoreValues(state(TEXT), [plan(handling)], open, moved)
      assert.deepEqual(readable.document, state(content))
      const { carried, lost } = readable.values ?? {}
      assert.deepEqual(readable.values === undefined ? null : [carried, lost], counts)
      if (why !== null) assert.match(readable.values?.why ?? '', why)
      assert.equal(open.values.isEmpty(), counts?.[0] !== 1)
    })

  test('reveals them for a check of a call, unless a dry run has only the names', () => {
    const args = { to: '[email:1]' }
    const reveal = (given: typeof values) =>
      restoreValues(state(TEXT), [plan('anonymize')], pii(), { values: given }).values?.reveal
    assert.deepEqual(reveal(values)?.(args), { to: 'ada@example.com' })
    const names = [{ text: '[email:1]' }] as unknown as typeof values
    assert.equal(reveal(names)?.(args), null)
    assert.deepEqual(reveal(names)?.({ to: 'desk' }), { to: 'desk' })
  })
})
