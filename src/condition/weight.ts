import { TEXT_PER_STEP } from './limits.ts'

/**
 * Returns the cost of visiting a whole value, in steps. Values built by an expression may contain the same array many
 * times and be far larger than their memory, so weights are cached.
 */
export class Weights {
  readonly #known = new WeakMap<object, number>()

  of(value: unknown): number {
    if (typeof value === 'string') return 1 + value.length / TEXT_PER_STEP
    if (typeof value !== 'object' || value === null) return 1
    const known = this.#known.get(value)
    if (known !== undefined) return known
    let weight = 1
    for (const member of this.membersOf(value)) weight += this.of(member)
    this.#known.set(value, weight)
    return weight
  }

  protected membersOf(value: object): Iterable<unknown> {
    return Object.values(value)
  }
}
