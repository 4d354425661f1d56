import { TEXT_PER_STEP } from './limits.ts'

/**
 * What walking through a whole value costs, in steps. Values that an expression builds may hold the same array many
 * times over and so be far bigger than the memory they take; hence weights are remembered, never counted twice.
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
