import { realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import {
  policyFor,
  type SignaturePolicies,
  type SignaturePolicy,
  type SignatureState,
  strictest,
} from '../policy/signature-policy.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { TrustedKey } from '../trust/trust-store.ts'
import { verifyEmbedded } from '../trust/verify.ts'

/** @param sources all URLs and absolute paths that the definition was found at; the strictest policy applies */
export type CheckSignature = (
  definition: AgentDefinition,
  ...sources: readonly (string | undefined)[]
) => SignatureState

/** Checks signatures with the trusted keys and the own keys of this home. */
export function signatureChecker(
  trust: { keys(): readonly TrustedKey[] },
  policies: SignaturePolicies,
): CheckSignature {
  let keys: readonly TrustedKey[] | undefined
  const byRealPath = withRealPaths(policies)
  return (definition, ...sources) => {
    const places =
      sources.length === 0 ? [undefined] : sources.flatMap((source) => [source, realPath(source)])
    const policy = strictest(places.map((place) => policyFor(place, byRealPath)))
    // Most files are unsigned, so keys are read only when needed.
    if (definition.provenance?.signature === undefined) {
      return { policy, status: 'unsigned', reason: 'it is not signed' }
    }
    keys ??= trust.keys()
    const { status, signer, reason } = verifyEmbedded(asJson(definition), keys)
    return { policy, status, ...defined({ signer }), reason }
  }
}

/** Checks the signature of a definition that was uploaded: it has no file, so the policy is that of its uploader. */
export function uploadChecker(
  trust: { keys(): readonly TrustedKey[] },
  { default: byDefault, uploaders = {} }: SignaturePolicies,
  uploader: string,
): (definition: AgentDefinition) => SignatureState {
  const own = Object.hasOwn(uploaders, uploader) ? uploaders[uploader] : byDefault
  return signatureChecker(trust, defined({ default: own }))
}

/** Adds the real path of each path, so that a folder has its policy under all its names. */
function withRealPaths(policies: SignaturePolicies): SignaturePolicies {
  const sources: Record<string, SignaturePolicy> = { ...policies.sources }
  for (const [prefix, policy] of Object.entries(policies.sources ?? {})) {
    const real = realPath(prefix)
    if (real === undefined || real === prefix) continue
    const other = ownMember(sources, real)
    sources[real] = other === undefined ? policy : strictest([policy, other])
  }
  return { ...policies, sources }
}

/** Returns the path without links; a URL and a path that does not exist unchanged. */
function realPath(source: string | undefined): string | undefined {
  if (source === undefined || !isAbsolute(source)) return source
  try {
    return realpathSync(source)
  } catch {
    return source
  }
}
