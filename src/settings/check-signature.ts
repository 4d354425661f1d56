import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import { policyFor, type SignaturePolicies, type SignatureState } from '../policy/signature-policy.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { TrustedKey } from '../trust/trust-store.ts'
import { verifyEmbedded } from '../trust/verify.ts'

/** Checks signatures with the trusted keys and the own keys of this home. */
export function signatureChecker(
  trust: { keys(): readonly TrustedKey[] },
  policies: SignaturePolicies,
): (definition: AgentDefinition, source: string | undefined) => SignatureState {
  let keys: readonly TrustedKey[] | undefined
  return (definition, source) => {
    const policy = policyFor(source, policies)
    // Most files are unsigned, so keys are read only when needed.
    if (definition.provenance?.signature === undefined) {
      return { policy, status: 'unsigned', reason: 'it is not signed' }
    }
    keys ??= trust.keys()
    const { status, signer, reason } = verifyEmbedded(asJson(definition), keys)
    return { policy, status, ...defined({ signer }), reason }
  }
}
