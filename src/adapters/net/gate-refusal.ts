/** A call that the endpoint gate refused. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal'
  readonly code: string
  readonly reason: string
  readonly hint: string
  /** Whether it is certain that nothing left this process; false only behind a redirect. */
  readonly unsent: boolean

  constructor(code: string, reason: string, hint: string, unsent = true) {
    super(`refused by the endpoint gate: ${reason}; ${hint}`)
    this.code = code
    this.reason = reason
    this.hint = hint
    this.unsent = unsent
  }
}

/** A response that went on for longer than anything this host is ready to hold. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
  readonly code = 'RESPONSE_TOO_LARGE'

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes`)
  }
}

/** The error of this class in an error's chain of causes, however deep a library wrapped it. */
export function causeOf<E extends Error>(
  error: unknown,
  type: abstract new (...args: never[]) => E,
): E | undefined {
  for (const link of causes(error)) if (link instanceof type) return link
  return undefined
}

/** The first system or transport error code (`ECONNREFUSED`, `UND_ERR_SOCKET`, …) in a chain of causes. */
export function networkCodeOf(error: unknown): string | undefined {
  for (const link of causes(error)) {
    const code = (link as { code?: unknown }).code
    if (
      typeof code === 'string' &&
      /^(E[A-Z]|UND_ERR|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
    ) {
      return code
    }
  }
  return undefined
}

const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether an error came before the first byte of a request had left. */
export function neverLeft(error: unknown): boolean {
  const code = networkCodeOf(error)
  return code !== undefined && NEVER_LEFT.has(code)
}

function* causes(error: unknown): Generator<object> {
  const seen = new Set<unknown>()
  for (let link = error; typeof link === 'object' && link !== null && !seen.has(link); ) {
    seen.add(link)
    yield link
    link = (link as { cause?: unknown }).cause
  }
}
