import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'

/**
 * A platform as the draft describes one, with a canonical form, hashes and signatures of its own. It imports nothing of
 * the product, so that what both ends agree on is the text and not the code.
 */

export type Value = string | number | boolean | null | readonly Value[] | Members
export interface Members {
  readonly [name: string]: Value
}

/** RFC 8785, for values without numbers that need more than JavaScript's own text. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = value as Members
  const names = Object.keys(members).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name] as Value)}`).join(',')}}`
}

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')

export interface TokenOptions {
  readonly claims?: Members
  readonly header?: Members
  /** Claims that are left out. */
  readonly without?: readonly string[]
  readonly by?: KeyObject
}

export class ForeignPlatform {
  readonly name: string
  readonly #private: KeyObject
  readonly #jwk: Members

  constructor(name: string) {
    this.name = name
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    this.#private = privateKey
    this.#jwk = publicKey.export({ format: 'jwk' }) as unknown as Members
  }

  get jwks(): Members {
    return { keys: [this.#jwk] }
  }

  /** RFC 7638. */
  get kid(): string {
    const { crv, kty, x } = this.#jwk as Record<string, string>
    return createHash('sha256').update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).digest('base64url')
  }

  /** What the draft asks for, and nothing else. */
  token(state: Members, { claims = {}, header = {}, without = [], by }: TokenOptions = {}): string {
    const now = Math.floor(Date.now() / 1000)
    const all: Record<string, Value> = {
      iat: now,
      exp: now + 900,
      jti: randomUUID(),
      state_id: state.state_id as Value,
      agent_id: state.agent_id as Value,
      ...claims,
    }
    for (const name of without) delete all[name]
    const head = { alg: 'EdDSA', kid: this.kid, ...header }
    const signed = `${base64url(JSON.stringify(head))}.${base64url(JSON.stringify(all))}`
    return `${signed}.${base64url(sign(null, Buffer.from(signed), by ?? this.#private))}`
  }

  /** The members that the draft requires, and a conversation. */
  state(agentId: string, members: Members = {}): Members {
    return {
      sc_standard: 'SC-006',
      state_id: randomUUID(),
      agent_id: agentId,
      checkpoint_at: new Date().toISOString(),
      status: 'migrating',
      conversation: [{ role: 'user', content: 'Go' }],
      ...members,
    }
  }

  /** Adds provenance and checksum, as §8.1 says. */
  document(state: Members, token?: string): Members {
    const provenance = {
      source_platform: this.name,
      ...(token !== undefined && { migration_token: token }),
    }
    const checked = { ...state, provenance: { ...provenance, ...(state.provenance as Members | undefined) } }
    return { ...checked, provenance: { ...checked.provenance, checksum: sha256(canonical(checked)) } }
  }

  /** A document with a token for it. */
  handedOver(state: Members, options: TokenOptions = {}): Members {
    return this.document(state, this.token(state, options))
  }

  /**
   * The lines of §8.3.
   * @param between the messages between the first and the last one
   * @param covered what the checksum covers: the state as this platform has it
   */
  stream(
    state: Members,
    between: readonly Members[],
    covered: Members,
    options: StreamOptions = {},
  ): string[] {
    const { state_id, agent_id, run_id } = state
    const checksum = options.checksum ?? sha256(canonical(covered))
    const token = this.token(state, options)
    const init = {
      type: 'handoff_init',
      state_id: state_id as Value,
      agent_id: agent_id as Value,
      ...(run_id !== undefined && { run_id }),
      source_platform: this.name,
      migration_token: token,
      ...options.init,
    }
    const lines: Members[] = [init, ...between, { type: 'handoff_complete', checksum }]
    return lines.map((line) => `${JSON.stringify(line)}\n`)
  }
}

export interface StreamOptions extends TokenOptions {
  readonly init?: Members
  readonly checksum?: string
}

/** What a receiver knows of a document after the checks of §8.2 step 4. @throws Error that names the check */
export function receive(document: Members, jwks: Members, now = Date.now()): { readonly claims: Members } {
  const provenance = document.provenance as Record<string, Value>
  const { checksum, ...unchecked } = provenance
  if (checksum !== sha256(canonical({ ...document, provenance: unchecked }))) throw new Error('checksum')
  const [head = '', payload = '', signature = ''] = String(provenance.migration_token).split('.')
  const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, string>
  if (alg !== 'EdDSA') throw new Error('alg')
  const jwk = (jwks.keys as readonly Record<string, string>[]).find(
    ({ crv, kty, x }) =>
      createHash('sha256').update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).digest('base64url') === kid,
  )
  if (jwk === undefined) throw new Error('kid')
  const key = { key: { crv: jwk.crv, kty: jwk.kty, x: jwk.x } as never, format: 'jwk' } as const
  if (!verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')))
    throw new Error('signature')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Members
  const { iat, exp, state_id, agent_id } = claims
  if (Number(exp) - Number(iat) > 900 || Number(exp) * 1000 <= now) throw new Error('time')
  if (state_id !== document.state_id || agent_id !== document.agent_id) throw new Error('binding')
  return { claims }
}
