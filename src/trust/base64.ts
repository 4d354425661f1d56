/**
 * Decodes strict Base64 (RFC 4648 §4, with padding) or base64url (§5, without padding). Node skips invalid characters,
 * so that several texts would decode to one signature: only the text that encoding returns is accepted.
 */
export function decodeBase64(text: string, alphabet: 'base64' | 'base64url' = 'base64'): Buffer | undefined {
  const bytes = Buffer.from(text, alphabet)
  return bytes.toString(alphabet) === text ? bytes : undefined
}
