import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

/** One try to get round a control. The words are for whoever reads the list; `try` is the attack itself. */
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

/** None of these texts is in any of those, as it is or as JSON, or JSON within JSON, writes it. */
export function assertAbsent(texts: Readonly<Record<string, string>>, secrets: readonly string[]): void {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
  for (const [where, text] of Object.entries(texts))
    for (const secret of secrets)
      for (const form of [secret, escaped(secret), escaped(escaped(secret))])
        assert.equal(text.includes(form), false, `${form} stands in ${where}`)
}
