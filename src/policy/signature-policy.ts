/** What the operator asks of signatures on definitions from a source (AAIF §12). */
export type SignaturePolicy =
  /** Nothing unsigned or of an unknown signer is run. */
  | 'require'
  /** It is run, and said. The default. */
  | 'prefer'
  /** Signatures are not looked at. */
  | 'ignore'

export interface SignaturePolicies {
  readonly default?: SignaturePolicy
  /** By the beginning of a path or URL; the longest that fits counts. */
  readonly sources?: Readonly<Record<string, SignaturePolicy>>
}

/** What checking a definition's signature came to. */
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
 * A document that was changed after it was signed, or whose key is revoked, is refused whatever is preferred: the
 * author meant something else. One that is unsigned, or signed by somebody unknown, is refused where one is required.
 * A signature that nobody can check may stand over a changed document, so at strict and regulated it is refused too.
 */
export function judgeSignature(
  { policy, status, reason }: SignatureState,
  strict: boolean,
): SignatureVerdict {
  if (policy === 'ignore' || status === 'valid') return { verdict: 'fine' }
  if (status === 'invalid' || status === 'revoked') return { verdict: 'refuse', reason }
  if (policy === 'require') return { verdict: 'refuse', reason: `a signature is required, and ${reason}` }
  if (strict && status !== 'unsigned') return { verdict: 'refuse', reason }
  return status === 'unsigned' ? { verdict: 'fine' } : { verdict: 'note', reason }
}
