import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition } from '../generated/agent.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** `format` is an annotation: published documents carry ids that are no UUIDs, so a mismatch only warns (SPEC-D-25). */
export function* checkFormats({ agent_id, agent, provenance }: AgentDefinition): Iterable<Finding> {
  if (agent_id !== undefined && !UUID.test(agent_id)) {
    yield mismatch(
      '/agent_id',
      'agent_id is not a UUID',
      'new agents get a UUID; keep this one as it is if others know it',
    )
  }
  const base = agent.model?.base_url
  if (base !== undefined && !URL.canParse(base)) {
    yield mismatch(
      '/agent/model/base_url',
      'base_url is not an absolute URL',
      'write it with its scheme, such as https://…',
    )
  }
  for (const member of ['created_at', 'updated_at'] as const) {
    const time = provenance?.[member]
    if (time !== undefined && !DATE_TIME.test(time)) {
      yield mismatch(
        `/provenance/${member}`,
        `${member} is not a date and time`,
        'write it like 2026-01-31T09:00:00Z',
      )
    }
  }
}

function mismatch(pointer: string, message: string, hint: string): Finding {
  return { severity: 'warning', code: 'FORMAT_MISMATCH', pointer, message, hint, rule: 'SPEC-D-25' }
}
