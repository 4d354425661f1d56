import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import { checkAddress, checkTime, checkUuid } from './format-checks.ts'

/**
 * `format` is an annotation: published documents have ids that are not UUIDs, so a mismatch is only a warning
 * (SPEC-D-25).
 */
export function* checkFormats({ agent_id, agent, provenance }: AgentDefinition): Iterable<Finding> {
  yield* checkUuid('/agent_id', agent_id)
  yield* checkAddress('/agent/model/base_url', agent.model?.base_url)
  yield* checkTime('/provenance/created_at', provenance?.created_at)
  yield* checkTime('/provenance/updated_at', provenance?.updated_at)
}
