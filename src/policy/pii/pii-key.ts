/** State of an operator's key: set and usable. */
export type PiiKeyState = 'missing' | 'invalid' | 'present'

/** Checks the value of an operator's key. */
export function piiKeyState(value: string | undefined): PiiKeyState {
  if (value === undefined || value === '') return 'missing'
  return readPiiKey(value) === null ? 'invalid' : 'present'
}

/**
 * Reads an operator's key: 32 bytes, written in Base64 or as 64 hexadecimal digits.
 * @returns null for other values: a passphrase could be guessed
 */
export function readPiiKey(text: string): Buffer | null {
  const trimmed = text.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : null
  return bytes?.length === 32 ? bytes : null
}
