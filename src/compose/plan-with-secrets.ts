import type { Plan } from '../plan/plan.ts'
import type { Secrets } from '../run/ports.ts'

/** Each round asks for a name that no earlier round asked for; a plan needs two, and more only where names depend on others. */
const MOST_ROUNDS = 16

/** Answers whether secrets are set, for planning, which cannot wait. Answers that are promises are awaited between two rounds. */
export class SecretAnswers {
  readonly #secrets: Pick<Secrets, 'has'>
  readonly #known = new Map<string, boolean>()
  readonly #asked = new Map<string, Promise<boolean>>()

  constructor(secrets: Pick<Secrets, 'has'>) {
    this.#secrets = secrets
  }

  /** Returns the answer; false for now when it is not known yet. */
  has(name: string): boolean {
    const known = this.#known.get(name)
    if (known !== undefined || this.#asked.has(name)) return known ?? false
    const answer = this.#secrets.has(name)
    if (typeof answer === 'boolean') {
      this.#known.set(name, answer)
      return answer
    }
    // Planning may throw before the answer is awaited.
    answer.catch(() => {})
    this.#asked.set(name, answer)
    return false
  }

  /**
   * Awaits the answers that were not known.
   * @returns whether there were any, so that what was made without them must be made again
   */
  async settle(): Promise<boolean> {
    const asked = [...this.#asked]
    const answers = await Promise.all(asked.map(([, answer]) => answer))
    for (const [index, [name]] of asked.entries()) this.#known.set(name, answers[index] === true)
    this.#asked.clear()
    return asked.length > 0
  }
}

/** Plans until the answer about every secret that the plan depends on was known: once when all answers are synchronous. */
export async function planWithSecrets(answers: SecretAnswers, plan: () => Plan): Promise<Plan> {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const planned = plan()
    if (!(await answers.settle())) return planned
  }
  throw new Error(`a plan asked for secrets in more than ${MOST_ROUNDS} rounds`)
}
