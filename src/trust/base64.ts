/**
 * Decodes Base64 (RFC 4648 §4, with padding) or base64url (§5, without) and nothing that merely resembles it.
 * Node skips what it does not know, so several texts would stand for one signature: only the one that encoding gives
 * back is taken.
 */
export function decodeBase64(text: string, alphabet: 'base64' | 'base64url' = 'base64'): Buffer | undefined {
  const bytes = Buffer.from(text, alphabet)
  return bytes.toString(alphabet) === text ? bytes : undefined
}
