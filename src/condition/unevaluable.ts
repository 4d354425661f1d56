/** The reason why a condition cannot be evaluated. Thrown only inside this folder; callers receive it as a result. */
export class Unevaluable extends Error {
  override readonly name = 'Unevaluable'
  readonly hint: string | undefined

  constructor(reason: string, hint?: string) {
    super(reason)
    this.hint = hint
  }
}

/** The reason why a text or a rule is not a valid expression of its language. */
export class BadExpression extends Error {
  override readonly name = 'BadExpression'
  readonly place: ExpressionPlace
  readonly hint: string | undefined

  constructor(reason: string, place: ExpressionPlace = {}, hint?: string) {
    super(reason)
    this.place = place
    this.hint = hint
  }
}

/** Position in an expression: an offset in UTF-16 units in a text, or a JSON Pointer in a rule. */
export interface ExpressionPlace {
  readonly offset?: number | undefined
  readonly pointer?: string
}
