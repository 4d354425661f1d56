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
