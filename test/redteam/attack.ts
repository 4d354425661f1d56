import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

/** One attempt to bypass a control. The texts describe it for readers of the list; `try` is the attack itself. */
export interface Attack {
  /** Its category's short name and a number, such as `ssrf-07`. */
  readonly id: string
  /** What the attacker does. */
  readonly attack: string
  /** By which way it comes in. */
  readonly by: string
  /** What must be true afterwards, seen from outside. */
  readonly holds: string
  /** Makes the attack on the real thing, and asserts that it failed. */
  readonly try: (t: TestContext) => Promise<void>
}

/** The same way in with nothing in it that is forbidden: it must get through, or the attacks prove nothing. */
export interface Control {
  readonly passes: string
  readonly try: (t: TestContext) => Promise<void>
}

export interface Category {
  /** As the table in `docs/security.md` names it. */
  readonly name: string
  readonly enforced: string
  readonly file: string
  readonly attacks: readonly Attack[]
  readonly controls: readonly Control[]
}

/** Titles and bodies of the tests of a category. */
export function trialsOf({ attacks, controls }: Category): readonly (readonly [string, Attack['try']])[] {
  return [
    ...attacks.map(
      ({ id, attack, by, holds, try: run }) => [`${id}: ${attack}, by ${by}: ${holds}`, run] as const,
    ),
    ...controls.map(({ passes, try: run }) => [`control: ${passes}`, run] as const),
  ]
}

/** Gives a category's attacks their ids. */
export function numbered(prefix: string, attacks: readonly Omit<Attack, 'id'>[]): readonly Attack[] {
  return attacks.map((attack, index) => ({
    id: `${prefix}-${String(index + 1).padStart(2, '0')}`,
    ...attack,
  }))
}

/** Shorter texts, such as four digits of a number, can occur by chance in a random id, a hash or a signature. */
const DISTINCTIVE_LENGTH = 8

/**
 * Asserts that none of the secrets is in any of the texts, as it is, in JSON, or in JSON within JSON.
 * @param texts large texts, such as all files of a home, by the names that a failure shows
 * @param secrets each of at least eight characters; a shorter one fails the test, because finding it proves no leak
 */
export function assertAbsent(texts: Readonly<Record<string, string>>, secrets: readonly string[]): void {
  for (const secret of secrets)
    assert.ok(
      secret.length >= DISTINCTIVE_LENGTH,
      `${JSON.stringify(secret)} is too short to search for: it may occur by chance`,
    )
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
  for (const [where, text] of Object.entries(texts))
    for (const secret of secrets)
      for (const form of [secret, escaped(secret), escaped(escaped(secret))])
        assert.equal(text.includes(form), false, `${form} is in ${where}`)
}
