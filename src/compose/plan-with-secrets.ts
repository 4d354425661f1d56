import type { SecretUse } from '../policy/secret-grant.ts'
import type { Secrets } from '../run/ports.ts'

/** Limit of planning rounds. Each round asks for new names; a plan usually needs two rounds, more only if names depend on others. */
const MOST_ROUNDS = 16

/** Tells planning, which is synchronous, whether secrets are set. Asynchronous answers are awaited between two rounds. */
export class SecretAnswers {
  readonly #secrets: Pick<Secrets, 'has'>
  /** By name and target. */
  readonly #known = new Map<string, boolean>()
  readonly #asked = new Map<string, Promise<boolean>>()

  constructor(secrets: Pick<Secrets, 'has'>) {
    this.#secrets = secrets
  }

  /** Returns the answer, or false if it is not known yet. */
  has(name: string, to?: SecretUse): boolean {
    const key = JSON.stringify([name, to?.url.origin, to?.stored_only])
    const known = this.#known.get(key)
    if (known !== undefined || this.#asked.has(key)) return known ?? false
    const answer = this.#secrets.has(name, to)
    if (typeof answer === 'boolean') {
      this.#known.set(key, answer)
      return answer
    }
    // Planning may throw before the answer is awaited, so a rejection must not be unhandled.
    answer.catch(() => {})
    this.#asked.set(key, answer)
    return false
  }

  /**
   * Awaits the unknown answers.
   * @returns whether there were any: then the plan must be made again
   */
  async settle(): Promise<boolean> {
    const asked = [...this.#asked]
    const answers = await Promise.all(asked.map(([, answer]) => answer))
    for (const [index, [key]] of asked.entries()) this.#known.set(key, answers[index] === true)
    this.#asked.clear()
    return asked.length > 0
  }
}

/** Plans until all answers about secrets are known: once if all answers are synchronous. */
export async function planWithSecrets<T>(answers: SecretAnswers, plan: () => T): Promise<T> {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const planned = plan()
    if (!(await answers.settle())) return planned
  }
  throw new Error(`a plan asked for secrets in more than ${MOST_ROUNDS} rounds`)
}
