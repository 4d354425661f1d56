import assert from 'node:assert/strict'
import type { Secrets } from '../../run/ports.ts'
import type { ContractCase } from './contract-case.ts'

/** A store of secrets, filled by the suite. */
export interface SecretsSubject {
  readonly secrets: Secrets
  /** Sets a secret in the store, or replaces its value; undefined removes it. */
  set(name: string, value: string | undefined): void | Promise<void>
}

/** Names that every JavaScript object inherits; in a store they are ordinary names. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

/** Returns the contract of every store of secrets. @param open returns a new, empty subject for each case */
export function secretsContract(open: () => Promise<SecretsSubject>): readonly ContractCase[] {
  const suite: readonly [string, (subject: SecretsSubject) => Promise<void>][] = [
    [
      'a secret that is set exists, and has the stored value',
      async ({ secrets, set }) => {
        const value = 'two words, "quotes", ünïcode and a line\nbreak'
        await set('ONE_API_KEY', value)
        assert.equal(await secrets.has('ONE_API_KEY'), true)
        assert.equal(await secrets.get('ONE_API_KEY'), value)
      },
    ],
    [
      'a name that is not set has no value, and reading it is not an error',
      async ({ secrets, set }) => {
        await set('ONE_API_KEY', 'value-of-one')
        for (const name of ['OTHER_API_KEY', 'one_api_key', 'ONE', '', ...INHERITED]) {
          assert.equal(await secrets.has(name), false, name)
          assert.equal(await secrets.get(name), undefined, name)
        }
      },
    ],
    [
      'an empty value counts as not set',
      async ({ secrets, set }) => {
        await set('ONE_API_KEY', '')
        assert.equal(await secrets.has('ONE_API_KEY'), false)
        assert.equal(await secrets.get('ONE_API_KEY'), undefined)
      },
    ],
    [
      'a changed or removed value takes effect with the next request',
      async ({ secrets, set }) => {
        await set('ONE_API_KEY', 'the-first-value')
        assert.equal(await secrets.get('ONE_API_KEY'), 'the-first-value')
        await set('ONE_API_KEY', 'the-second-value')
        assert.equal(await secrets.get('ONE_API_KEY'), 'the-second-value')
        await set('ONE_API_KEY', undefined)
        assert.equal(await secrets.has('ONE_API_KEY'), false)
        assert.equal(await secrets.get('ONE_API_KEY'), undefined)
      },
    ],
    [
      'concurrent requests do not mix up names',
      async ({ secrets, set }) => {
        const names = Array.from({ length: 20 }, (_, n) => `KEY_${n}`)
        for (const name of names) await set(name, `value of ${name}`)
        const values = await Promise.all(names.map((name) => secrets.get(name)))
        assert.deepEqual(
          values,
          names.map((name) => `value of ${name}`),
        )
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
