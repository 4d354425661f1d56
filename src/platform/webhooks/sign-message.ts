import { createHmac, randomBytes } from 'node:crypto'
import type { JsonObject } from '../../document/json.ts'
import type { WebhookSignature } from './webhook.ts'

/** The keys of the installation for messages to receivers. They are files: the database contains none of them. */
export interface MessageKeys {
  /** Returns the thumbprint of the key that is used now. @throws AUDIT_KEY_WRONG */
  current(): string
  /** Signs with Ed25519 and the current key. @throws AUDIT_KEY_WRONG */
  sign(message: Uint8Array): Buffer
  /**
   * Derives a secret of 32 bytes from a private key.
   * @param key its thumbprint
   * @throws AUDIT_KEY_WRONG if this machine does not have the key
   */
  secret(key: string, salt: string, purpose: string): Buffer
  /** Returns the public keys that verify signatures, as a JSON Web Key Set. */
  jwks(): JsonObject
}

/** What the secret of a webhook is derived from. */
export interface SecretSource {
  readonly org: string
  readonly webhook: string
  readonly salt: string
  /** Thumbprint of the private key. */
  readonly key: string
}

/** Returns a source for a new secret of a webhook. */
export function newSecretSource(keys: MessageKeys): Pick<SecretSource, 'salt' | 'key'> {
  return { salt: randomBytes(32).toString('base64url'), key: keys.current() }
}

/** Returns a secret as receivers configure it: `whsec_` and base64. @throws AUDIT_KEY_WRONG */
export function secretText(keys: MessageKeys, source: SecretSource): string {
  return `whsec_${secretOf(keys, source).toString('base64')}`
}

export interface Message {
  readonly id: string
  readonly body: string
  readonly signature: WebhookSignature
  /** Of the secrets, the current one first; unused for `v1a`. */
  readonly secrets: readonly SecretSource[]
}

/**
 * Returns the headers of one attempt to send a message (Standard Webhooks). The time is that of the attempt, so that
 * receivers can refuse old messages.
 * @throws AUDIT_KEY_WRONG
 */
export function messageHeaders(keys: MessageKeys, message: Message, now: Date): Record<string, string> {
  const { id, body, signature, secrets } = message
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures =
    signature === 'v1a'
      ? [keys.sign(signed)]
      : secrets.map((source) => createHmac('sha256', secretOf(keys, source)).update(signed).digest())
  return {
    'content-type': 'application/json',
    'user-agent': 'waybill',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((one) => `${signature},${one.toString('base64')}`).join(' '),
  }
}

function secretOf(keys: MessageKeys, { org, webhook, salt, key }: SecretSource): Buffer {
  return keys.secret(key, salt, JSON.stringify(['webhook', org, webhook]))
}
