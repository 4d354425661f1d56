import { answer, id, list, moment, oneOf, request, text } from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { issues } from './problem-schema.ts'
import { startMembers } from './run-schemas.ts'

export const agentView = answer('A version of an agent.', {
  agent_id: text('The `agent_id` of the definition.'),
  name: text('The name of the agent.'),
  version: text('The version of the definition.'),
  digest: text('`sha256:` of the bytes as they were uploaded.'),
  media_type: text('The media type of the uploaded bytes.'),
  status: oneOf(
    ['pending', 'active', 'inactive', 'deprecated', 'draft'],
    'New runs use the active version. A draft is known by its digest, and never becomes active.',
  ),
  labels: list(text('A name for the version.')),
  levels: {
    type: 'object',
    description:
      'For each conformance level, whether the definition reaches it (`met`), and with `?levels=true` what is missing.',
  },
  negotiation: { type: 'object', description: 'What the platform does about the required capabilities.' },
  issues,
  uploaded_by: text('The user who uploaded it.'),
  created_at: moment('When it was uploaded.'),
})

export const versionChoice = request({
  version: id('A version or a label.'),
})

export const labelTarget = request({ version: id('The version that the label names.') }, ['version'])

/** The answer to an upload. */
export const uploadedAgent: Schema = {
  ...agentView,
  properties: {
    ...(agentView.properties as Readonly<Record<string, Schema>>),
    plan: {
      type: ['object', 'null'],
      description:
        'What a run would lack: `ok`, `error`, and the models, tools, sub-agents and members of the definition that cannot be used, with the reasons; null if the definition is large, or planning takes longer than some seconds: `POST /v1/agents/AGENT/plan` plans it.',
    },
  },
}

export const agentPlan: Schema = {
  type: 'object',
  description: 'The plan of a run, as `waybill plan --json` prints it.',
  properties: {
    ok: {
      type: 'boolean',
      description: 'False: a run would be refused, or would fail before its first model request.',
    },
    plan_hash: text('Names the plan.'),
  },
  required: ['ok', 'plan_hash'],
}

export const planSettings = request({
  version: id('A version or a label; default: the active version.'),
  user: startMembers.user as Schema,
  session: id('The conversation that the run would belong to.'),
  budget: startMembers.budget as Schema,
  rehearse: startMembers.rehearse as Schema,
})
