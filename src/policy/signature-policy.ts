import { coversSource, readingsOf, type SourceReading } from './source-prefix.ts'

/** The operator's requirement for signatures of definitions from a source (AAIF §12). */
export type SignaturePolicy =
  /** Unsigned definitions, and those of unknown signers, are refused. */
  | 'require'
  /** The definition is run with a warning. The default. */
  | 'prefer'
  /** Signatures are not checked. */
  | 'ignore'

export interface SignaturePolicies {
  readonly default?: SignaturePolicy
  /** By a prefix of the path or URL, in whole parts; the longest match applies. */
  readonly sources?: Readonly<Record<string, SignaturePolicy>>
  /** For definitions that are uploaded to a platform, by the name of the user. */
  readonly uploaders?: Readonly<Record<string, SignaturePolicy>>
}

/** The result of checking the signature of a definition. */
export interface SignatureState {
  readonly policy: SignaturePolicy
  readonly status: 'valid' | 'invalid' | 'unsigned' | 'unknown_signer' | 'revoked' | 'not_permitted'
  readonly signer?: string
  readonly reason: string
}

export type SignatureVerdict =
  | { readonly verdict: 'fine' }
  | { readonly verdict: 'note'; readonly reason: string }
  | { readonly verdict: 'refuse'; readonly reason: string }

/**
 * Returns the policy for a source. A definition chooses how it writes the URL of a sub-agent, so the URL is compared in
 * several readings, and the strictest result applies.
 * @param source a URL, or an absolute path
 */
export function policyFor(source: string | undefined, policies: SignaturePolicies): SignaturePolicy {
  const byDefault = policies.default ?? 'prefer'
  if (source === undefined) return byDefault
  const prefixes = Object.entries(policies.sources ?? {}).flatMap(([prefix, policy]) =>
    readingsOf(prefix).map((reading) => ({ reading, policy })),
  )
  return strictest(
    readingsOf(source).map((reading) => {
      const covering = prefixes.filter((prefix) => coversSource(prefix.reading, reading))
      const longest = Math.max(...covering.map((prefix) => lengthOf(prefix.reading)))
      const decisive = covering.filter((prefix) => lengthOf(prefix.reading) === longest)
      return decisive.length === 0 ? byDefault : strictest(decisive.map(({ policy }) => policy))
    }),
  )
}

function lengthOf({ origin, path, query }: SourceReading): number {
  return origin.length + path.length + query.length
}

const BY_STRICTNESS = ['require', 'prefer', 'ignore'] as const

/** Returns the strictest of some policies, of which there is at least one. */
export function strictest(policies: readonly SignaturePolicy[]): SignaturePolicy {
  return BY_STRICTNESS.find((policy) => policies.includes(policy)) ?? 'require'
}

/**
 * Refuses, under every policy, a document that was changed after signing or whose key is revoked. Refuses a document
 * that is unsigned or of an unknown signer if a signature is required. A signature of an unknown signer may be over a
 * changed document, so it is also refused at strict and regulated.
 */
export function judgeSignature(
  { policy, status, reason }: SignatureState,
  strict: boolean,
): SignatureVerdict {
  if (policy === 'ignore' || status === 'valid') return { verdict: 'fine' }
  if (status === 'invalid' || status === 'revoked') return { verdict: 'refuse', reason }
  if (policy === 'require') return { verdict: 'refuse', reason: `a signature is required, but ${reason}` }
  if (strict && status !== 'unsigned') return { verdict: 'refuse', reason }
  return status === 'unsigned' ? { verdict: 'fine' } : { verdict: 'note', reason }
}
