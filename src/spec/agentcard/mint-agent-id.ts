import { randomBytes } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'

/** Crockford's Base32: digits and letters without I, L, O and U, in the order of their values. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const MAX_TIME = 2 ** 48 - 1
const RANDOM_BYTES = 10

/**
 * Creates an agent_id (AgentCard §2.1): a ULID of 48 bits of time and 80 random bits, unique without a registry. The
 * random part always comes from the secure generator of the system: ULID libraries increment it within a millisecond,
 * which makes ids predictable and is forbidden here.
 * @param atMs Unix time in milliseconds.
 * @param random the source of random bytes; must be secure, except in tests.
 * @throws AGENT_ID_TIME for a time that does not fit into 48 bits.
 */
export function mintAgentId(
  atMs: number = Date.now(),
  random: (size: number) => Uint8Array = randomBytes,
): string {
  if (!Number.isInteger(atMs) || atMs < 0 || atMs > MAX_TIME) {
    throw new WaybillError('AGENT_ID_TIME', {
      fault: 'usage',
      message: `${atMs} is not a time that a ULID can store (whole milliseconds since 1970)`,
      hint: 'pass a Unix time in milliseconds, such as Date.now()',
      rule: 'CARD-2.1-01',
    })
  }
  let bits = BigInt(atMs)
  for (const byte of random(RANDOM_BYTES)) bits = (bits << 8n) | BigInt(byte)
  let id = ''
  for (let place = 0; place < 26; place++, bits >>= 5n) id = ALPHABET[Number(bits & 31n)] + id
  return id
}

/** Returns the time at which an agent_id was created, in Unix milliseconds; undefined if it is not a ULID. */
export function timeOfAgentId(id: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return undefined
  let time = 0
  for (const character of id.slice(0, 10)) time = time * 32 + ALPHABET.indexOf(character)
  return time
}
