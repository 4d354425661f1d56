import { randomBytes } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'

/** Crockford's Base32: digits and letters without I, L, O and U, in the order of their values. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const MAX_TIME = 2 ** 48 - 1
const RANDOM_BYTES = 10

/**
 * Mints an agent_id (AgentCard §2.1): a ULID of 48 bits of time and 80 random bits, which needs no registry to be
 * unique. The random part comes anew from the system's secure generator each time: the increment that ULID libraries
 * use inside a millisecond would let others predict ids, and is forbidden here.
 * @param atMs Unix time in milliseconds.
 * @param random the source of random bytes; a secure one, and another only to test.
 * @throws AGENT_ID_TIME for a time that 48 bits do not hold.
 */
export function mintAgentId(
  atMs: number = Date.now(),
  random: (size: number) => Uint8Array = randomBytes,
): string {
  if (!Number.isInteger(atMs) || atMs < 0 || atMs > MAX_TIME) {
    throw new WaybillError('AGENT_ID_TIME', {
      fault: 'usage',
      message: `${atMs} is no time in whole milliseconds since 1970 that a ULID can hold`,
      hint: 'give a Unix time in milliseconds, such as Date.now()',
      rule: 'CARD-2.1-01',
    })
  }
  let bits = BigInt(atMs)
  for (const byte of random(RANDOM_BYTES)) bits = (bits << 8n) | BigInt(byte)
  let id = ''
  for (let place = 0; place < 26; place++, bits >>= 5n) id = ALPHABET[Number(bits & 31n)] + id
  return id
}

/** When an agent_id was minted, in Unix milliseconds; undefined for what is no ULID. */
export function timeOfAgentId(id: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return undefined
  let time = 0
  for (const character of id.slice(0, 10)) time = time * 32 + ALPHABET.indexOf(character)
  return time
}
