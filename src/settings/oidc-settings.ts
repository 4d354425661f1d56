import type { JsonObject } from '../document/json.ts'

/** Signature algorithms of tokens: with a public key only. */
const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'] as const

/** Never admin: an identity provider must not be able to take the installation over. */
const MAPPED_ROLES = ['viewer', 'author', 'operator', 'approver'] as const

/** An identity provider whose tokens are accepted, as the operator configures it. */
export interface OidcProvider {
  /** Compared exactly with the claim `iss`. */
  readonly issuer: string
  /** One of them must be in the claim `aud`. */
  readonly audience: string
  /** Default: all that use a public key. */
  readonly algorithms?: readonly (typeof ALGORITHMS)[number][]
  /** Where the keys are; default: what the discovery document of the issuer says. */
  readonly jwks_url?: string
  /** The claim that names the user; default `sub`. */
  readonly user_claim?: string
  /** The organisation of all users, or the claim that names it, and what its values mean. */
  readonly organisation: string | { readonly claim: string; readonly map: Readonly<Record<string, string>> }
  /** The claim with groups, and the roles that each of them gives. */
  readonly roles: {
    readonly claim: string
    readonly map: Readonly<Record<string, readonly (typeof MAPPED_ROLES)[number][]>>
  }
}

const text: JsonObject = { type: 'string', minLength: 1 }

/** The schema of the member `oidc` of the configuration. */
export const oidcSchema: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['issuer', 'audience', 'organisation', 'roles'],
    properties: {
      issuer: { type: 'string', pattern: '^https?://[^/?#]+[^?#]*$' },
      audience: text,
      algorithms: { type: 'array', minItems: 1, items: { enum: [...ALGORITHMS] } },
      jwks_url: { type: 'string', pattern: '^https?://[^/]' },
      user_claim: text,
      organisation: {
        oneOf: [
          text,
          {
            type: 'object',
            additionalProperties: false,
            required: ['claim', 'map'],
            properties: { claim: text, map: { type: 'object', additionalProperties: text } },
          },
        ],
      },
      roles: {
        type: 'object',
        additionalProperties: false,
        required: ['claim', 'map'],
        properties: {
          claim: text,
          map: {
            type: 'object',
            additionalProperties: { type: 'array', minItems: 1, items: { enum: [...MAPPED_ROLES] } },
          },
        },
      },
    },
  },
}

export const DEFAULT_ALGORITHMS: readonly string[] = ALGORITHMS
