import type { Code } from '../../document/codes.ts'
import { messageOf } from '../../document/message-of.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { type SecretGrant, secretUse } from '../../policy/secret-grant.ts'
import { type Secrets, ToolFailure } from '../../run/ports.ts'

/** Headers that a tool may not set: they control the destination and the framing of a request. */
const RESERVED =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|cookie|idempotency-key|proxy-.*)$/i

/**
 * Adds the credential of a tool to a request, if the operator granted that secret to that host (AAIF §4.4 auth).
 * @returns the secret, so that it can be removed from errors; undefined when the tool needs none
 * @throws ToolFailure, always unsent, that names the secret and never its value
 */
export async function authorizeTool(
  tool: Pick<PlannedTool, 'name' | 'auth'>,
  url: URL,
  headers: Headers,
  secrets: Secrets,
  grants: readonly SecretGrant[],
): Promise<string | undefined> {
  const { auth } = tool
  if (auth === undefined) return undefined
  const refuse = (code: Code, why: string) =>
    new ToolFailure(code, `${tool.name} was not called: ${why}`, 'unsent')
  const use = secretUse(auth.secret, url, grants)
  if (use === null) {
    throw refuse(
      'SECRET_NOT_GRANTED',
      `${auth.secret} may not be sent to ${url.host}; grant the pair if it is intended`,
    )
  }
  const secret = await secrets.get(auth.secret, use).catch((error: unknown) => {
    throw refuse('SECRET_UNAVAILABLE', messageOf(error))
  })
  if (secret === undefined) throw refuse('SECRET_MISSING', `the secret ${auth.secret} is not set`)
  if (!/^[\x20-\x7e]+$/.test(secret) || secret.trim() !== secret) {
    throw refuse(
      'SECRET_UNUSABLE',
      `${auth.secret} contains characters that a header cannot contain, such as a line break`,
    )
  }
  switch (auth.type) {
    case 'bearer':
      headers.set('authorization', `Bearer ${secret}`)
      break
    case 'basic':
      // USER:PASSWORD, as RFC 7617 joins them.
      headers.set('authorization', `Basic ${Buffer.from(secret, 'utf8').toString('base64')}`)
      break
    case 'api_key': {
      const name = auth.header ?? 'X-API-Key'
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || RESERVED.test(name)) {
        throw refuse('TOOL_AUTH_HEADER_INVALID', `a key may not be sent in the header "${name}"`)
      }
      headers.set(name, secret)
      break
    }
  }
  return secret
}
