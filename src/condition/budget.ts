import { MAX_STEPS, TEXT_PER_STEP } from './limits.ts'
import { Unevaluable } from './unevaluable.ts'

/** The steps that are left to one evaluation. Counting is deterministic, where a clock is not (AAIF-5-13). */
export class Budget {
  #left = MAX_STEPS

  /** Whether the evaluation was stopped, also when a language has since made an ordinary error of it. */
  get exhausted(): boolean {
    // Written so that NaN, the size of nothing sensible, is too expensive as well.
    return !(this.#left >= 0)
  }

  /** @throws Unevaluable when the evaluation has become too expensive. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.exhausted) {
      throw new Unevaluable(
        `it takes more than ${MAX_STEPS} steps`,
        'test less of the payload, or avoid loops inside loops',
      )
    }
  }

  /** Pays for reading or making a text of this length. */
  spendText(length: number): void {
    this.spend(length / TEXT_PER_STEP)
  }

  /** Pays for looking for one text in another: the engine may compare each place of one with all of the other. */
  spendSearch(text: string, wanted: string): void {
    this.spend((text.length * Math.max(1, Math.min(wanted.length, text.length))) / 64)
  }
}
