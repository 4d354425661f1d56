import { randomNumbers } from '../../scripts/random-numbers.ts'

/** Numbers that look random and are the same at every start. */
export class Random {
  /** From 0 to below 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = randomNumbers(seed)
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
