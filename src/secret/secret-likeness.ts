/** Names of credentials. `max_tokens`, `token_url` and `secret_name` do not match. */
const CREDENTIAL_NAME =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secret|secret_key|client_secret|token|api_?key|access_?key|private_key|auth_?key|signing_key|encryption_key|bearer|credentials?|authorization)$/
const HARMLESS_NAME =
  /(?:next|page|continuation|cursor|sync|migration|stop|eos|bos|pad|unk|mask)_?(?:page_)?token$/
const PASSWORD_NAME = /(?:^|_)(?:password|passwd|passphrase|pwd)$/
const HINT_NAME =
  /(?:^|_)(?:key|auth|cookie|session|session_id|sid|pin|otp|seed|salt|dsn|connection_string|webhook)$/

export function isCredentialName(name: string): boolean {
  const words = snake(name)
  return CREDENTIAL_NAME.test(words) && !HARMLESS_NAME.test(words)
}

export function isPasswordName(name: string): boolean {
  return PASSWORD_NAME.test(snake(name))
}

/** Names that may contain credentials, but also other values. */
export function mayHoldCredential(name: string): boolean {
  return HINT_NAME.test(snake(name))
}

/** `apiKey`, `X-API-Key` and `api.key` are the same name. */
function snake(name: string): string {
  if (name.length > 64) return ''
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]/g, '_')
    .toLowerCase()
}

/**
 * Returns true for the name of an environment variable, of a stored secret or of a constant: words, not random
 * characters.
 */
export function looksLikeName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && text.split('_').every(isWord)
}

/**
 * Returns true if a text looks random: mixed letters and digits, many different characters, not words and numbers
 * joined by separators. Always false below `minLength`.
 */
export function looksRandom(text: string, minLength: number): boolean {
  if (text.length < minLength || /\s/.test(text) || /\$\{|\{\{|[<>…]|\.\.\.|\*{3}/.test(text)) return false
  if (/xxxx|your|example|placeholder|change_?-?me|redacted/i.test(text)) return false
  if (!/[A-Za-z]/.test(text)) return false
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false
  if (text.split(/[^A-Za-z0-9]+/).every(isWord)) return false
  return bitsPerCharacter(text) >= (text.length < 16 ? 2.5 : 3)
}

/** Matches a part of a written name: `prod`, `Berlin`, `HTTPServer`, `v2`, `2026`, `gpt4o`. */
function isWord(part: string): boolean {
  if (part === '' || /^\d{1,8}$/.test(part)) return true
  if (part.length > 24) return false
  return /^(?:[A-Z]?[a-z]*|[A-Z]+|[A-Z]{2,}[a-z]+)\d{0,4}$/.test(part) || isCamel(part)
}

/** `getUserByName`: humps of at least three letters. Random letters change case more often. */
function isCamel(part: string): boolean {
  if (!/^[A-Za-z]+\d{0,2}$/.test(part)) return false
  const humps = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  return part.length / humps.length >= 3.5
}

/** Returns the Shannon entropy of the characters, in bits per character. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length)
  return bits
}
