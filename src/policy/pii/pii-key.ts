/** Whether an operator's key is set and can be used. */
export type PiiKeyState = 'missing' | 'invalid' | 'present'

/** Judges the value of an operator's key. */
export function piiKeyState(value: string | undefined): PiiKeyState {
  if (value === undefined || value === '') return 'missing'
  return readPiiKey(value) === null ? 'invalid' : 'present'
}

/**
 * Reads an operator's key: 32 bytes, written in Base64 or as 64 hexadecimal digits.
 * @returns null when it is anything else: a passphrase would be guessed
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
