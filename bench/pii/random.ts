import { randomNumbers } from '../../scripts/random-numbers.ts'

/** Pseudo-random numbers that are the same in every run. */
export class Random {
  /** Returns a number from 0 to below 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = randomNumbers(seed)
  }

  /** Returns a whole number, both ends included. */
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

  /** `#` is a digit, `N` a digit from 2 to 9, `X` a digit from 1 to 9; other characters are literal. */
  fill(pattern: string): string {
    return pattern.replaceAll(/[#NX]/g, (sign) =>
      String(this.int(sign === '#' ? 0 : sign === 'N' ? 2 : 1, 9)),
    )
  }
}
