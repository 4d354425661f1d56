import { MAX_STEPS, TEXT_PER_STEP } from './limits.ts'
import { Unevaluable } from './unevaluable.ts'

/** The steps left for one evaluation. Counting is deterministic, a clock is not (AAIF-5-13). */
export class Budget {
  #left = MAX_STEPS

  /** True if the evaluation was stopped, even if a language library has replaced the error. */
  get exhausted(): boolean {
    // Written so that NaN also counts as too expensive.
    return !(this.#left >= 0)
  }

  /** @throws Unevaluable if the evaluation exceeds the limit. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.exhausted) {
      throw new Unevaluable(
        `it takes more than ${MAX_STEPS} steps`,
        'test less of the payload, or avoid nested loops',
      )
    }
  }

  /** Counts the steps for reading or creating a text of this length. */
  spendText(length: number): void {
    this.spend(length / TEXT_PER_STEP)
  }

  /** Counts the steps for searching one text in another: the engine may compare each position with the whole text. */
  spendSearch(text: string, wanted: string): void {
    this.spend((text.length * Math.max(1, Math.min(wanted.length, text.length))) / 64)
  }
}
