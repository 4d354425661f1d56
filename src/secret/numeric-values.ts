/** Shorter numbers are common. */
const SHORTEST = 6

/** Secrets that a JSON number may be: a number has no leading zeros, and loses digits after the first 15. */
export class NumericValues {
  readonly #byDigits = new Map<string, string>()
  readonly #byNumber = new Map<number, string>()

  /** Adds a secret if it consists of digits, with or without signs and a dot. */
  add(name: string, value: string): void {
    if (!/^[-+.\de]+$/.test(value)) return
    const digits = value.replaceAll(/\D/g, '').replace(/^0+/, '')
    if (digits.length < SHORTEST) return
    if (!this.#byDigits.has(digits)) this.#byDigits.set(digits, name)
    const number = Number(digits)
    if (!Number.isSafeInteger(number) && Number.isFinite(number) && !this.#byNumber.has(number))
      this.#byNumber.set(number, name)
  }

  /** Returns the name of the secret that the digits of a number contain. */
  nameOf(value: number): string | undefined {
    if (this.#byDigits.size === 0) return undefined
    const rounded = this.#byNumber.get(Math.abs(value))
    if (rounded !== undefined) return rounded
    const digits = String(value).replaceAll(/\D/g, '')
    if (digits.length < SHORTEST) return undefined
    for (const [one, name] of this.#byDigits) if (digits.includes(one)) return name
    return undefined
  }
}
