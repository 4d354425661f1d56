import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ownMember } from '../../document/own-member.ts'
import type { MessageKeys } from '../webhooks/sign-message.ts'
import type { HookFormat, HookMessage } from './trigger.ts'

/** What the secret of a hook is derived from. */
export interface HookSecret {
  readonly org: string
  readonly trigger: string
  readonly salt: string
  /** Thumbprint of the private key. */
  readonly key: string
}

/** How much the clocks of sender and receiver may differ, in seconds (Standard Webhooks). */
export const TOLERANCE_SECONDS = 300

/** A longer id is not accepted: it is a key of a table. */
const ID = /^[\u0021-\u007E]{1,200}$/

/** More signatures than a sender has secrets cost time only. */
const MOST_SIGNATURES = 8

/** Returns a source for a new secret. */
export function newHookSecret(keys: MessageKeys): Pick<HookSecret, 'salt' | 'key'> {
  return { salt: randomBytes(32).toString('base64url'), key: keys.current() }
}

/** Returns a secret as senders configure it. @throws AUDIT_KEY_WRONG */
export function hookSecretText(keys: MessageKeys, source: HookSecret, format: HookFormat): string {
  const secret = secretOf(keys, source)
  return format === 'standard' ? `whsec_${secret.toString('base64')}` : secret.toString('base64url')
}

/**
 * Verifies the signature of a message over its bytes, in constant time.
 * @param secrets those that are valid; none for an unknown hook, which then takes as long
 * @returns the id of the message, or null if it is not signed correctly, too old or from the future
 */
export function verifiedId(
  keys: MessageKeys,
  secrets: readonly HookSecret[],
  format: HookFormat,
  { headers, bytes }: Pick<HookMessage, 'headers' | 'bytes'>,
  now: Date,
): string | null {
  const header = (name: string) => {
    const value = ownMember(headers, name)
    return typeof value === 'string' ? value : undefined
  }
  const known = secrets.map((source) => secretOf(keys, source))
  // Of a hook without secrets, one that no sender can know.
  const used = known.length > 0 ? known : [randomBytes(32)]
  const id = header(format === 'standard' ? 'webhook-id' : 'x-github-delivery') ?? ''
  const signed = format === 'standard' ? `${id}.${header('webhook-timestamp') ?? ''}.` : ''
  const expected = used.map((secret) =>
    createHmac('sha256', format === 'standard' ? secret : secret.toString('base64url'))
      .update(signed)
      .update(bytes)
      .digest(),
  )
  const given =
    format === 'standard'
      ? standardSignatures(header('webhook-signature'))
      : githubSignature(header('x-hub-signature-256'))
  let matches = false
  for (const signature of given)
    for (const one of expected)
      if (signature.length === one.length && timingSafeEqual(signature, one)) matches = true
  const inTime = format === 'github' || isInTime(header('webhook-timestamp'), now)
  return matches && known.length > 0 && inTime && ID.test(id) ? id : null
}

/** `v1,BASE64 v1,BASE64`: one for each secret that the sender has. */
function standardSignatures(text = ''): readonly Buffer[] {
  return text
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))
}

function githubSignature(text = ''): readonly Buffer[] {
  return /^sha256=[0-9a-f]{64}$/.test(text) ? [Buffer.from(text.slice(7), 'hex')] : []
}

function isInTime(text: string | undefined, now: Date): boolean {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return false
  return Math.abs(now.getTime() / 1000 - Number(text)) <= TOLERANCE_SECONDS
}

function secretOf(keys: MessageKeys, { org, trigger, salt, key }: HookSecret): Buffer {
  return keys.secret(key, salt, JSON.stringify(['trigger', org, trigger]))
}
