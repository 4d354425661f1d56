/** Numbers that look random and are the same at every start (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  digits(count: number): string {
    let digits = ''
    for (let i = 0; i < count; i++) digits += this.int(0, 9)
    return digits
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T
  }

  /** `#` is a digit, `N` one from 2 to 9, `X` one from 1 to 9; everything else stands for itself. */
  fill(pattern: string): string {
    return pattern.replaceAll(/[#NX]/g, (sign) =>
      String(this.int(sign === '#' ? 0 : sign === 'N' ? 2 : 1, 9)),
    )
  }
}
