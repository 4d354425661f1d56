/**
 * Statements as templates: ``sql`SELECT ${columns} FROM waybill.webhooks WHERE org = ${org}` ``. A statement in a
 * statement becomes part of its text; every other value becomes a parameter, so that no value is ever read as SQL.
 */
export class Statement {
  readonly #parts: readonly string[]
  readonly #given: readonly unknown[]
  /** With `$1`, `$2` and so on. Members of its own, which the driver copies. */
  readonly text: string
  readonly values: unknown[] = []

  constructor(parts: readonly string[], given: readonly unknown[]) {
    this.#parts = parts
    this.#given = given
    this.text = this.#write(this.values)
  }

  /** @param values gets the values of the parameters, after those that it has */
  #write(values: unknown[]): string {
    return this.#parts.reduce((text, part, index) => {
      const value = this.#given[index - 1]
      if (value instanceof Statement) return text + value.#write(values) + part
      return `${text}$${values.push(value)}${part}`
    })
  }
}

export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  return new Statement(parts, values)
}

/** SQL that is written in our source, such as the name of a column. Never a value from outside. */
export function written(text: string): Statement {
  return new Statement([text], [])
}

/** Statements one after another, such as conditions. */
export function joined(statements: readonly Statement[], between: string): Statement {
  const inner = Array.from({ length: Math.max(0, statements.length - 1) }, () => between)
  return new Statement(statements.length === 0 ? [''] : ['', ...inner, ''], statements)
}

/** A statement that the server prepares once for a connection. @param name the same one for the same text */
export function prepared(name: string, { text, values }: Statement) {
  return { name, text, values }
}
