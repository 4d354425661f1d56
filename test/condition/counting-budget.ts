import { Budget } from '../../src/condition/budget.ts'

/** A budget that says how much was spent. */
export class CountingBudget extends Budget {
  spent = 0

  override spend(steps: number): void {
    this.spent += steps
    super.spend(steps)
  }
}
