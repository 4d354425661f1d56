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
  /** By the prefix of a path or URL; the longest match applies. */
  readonly sources?: Readonly<Record<string, SignaturePolicy>>
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

export function policyFor(source: string | undefined, policies: SignaturePolicies): SignaturePolicy {
  const byDefault = policies.default ?? 'prefer'
  if (source === undefined) return byDefault
  const fitting = Object.entries(policies.sources ?? {})
    .filter(
      ([prefix]) => source === prefix || source.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
    )
    .sort(([a], [b]) => b.length - a.length)
  return fitting[0]?.[1] ?? byDefault
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
