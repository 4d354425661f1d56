import { createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from 'node:crypto'
import type { ReceivedMessage } from './webhooks-fixture.ts'

/** Verifies a message as the text of Standard Webhooks says, with the secret as a receiver knows it. */
export function isSigned({ headers, body }: ReceivedMessage, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (Math.abs(Number(at) - Date.now() / 1000) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  return signatures.split(' ').some((one) => {
    const [version, value = ''] = one.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Verifies a message with a published key. */
export function isSignedWithKey({ headers, body }: ReceivedMessage, key: JsonWebKey): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  const [version, signature = ''] = signatures.split(',')
  const publicKey = createPublicKey({ key, format: 'jwk' })
  return (
    version === 'v1a' &&
    verify(null, Buffer.from(`${id}.${at}.${body}`), publicKey, Buffer.from(signature, 'base64'))
  )
}
