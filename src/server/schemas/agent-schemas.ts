import { oneOf, type Schema, text } from '../../spec/schema-builder.ts'
import { answer, id, list, moment, request } from './building.ts'
import { issues } from './problem-schema.ts'

export const agentView: Schema = answer('A version of an agent.', {
  agent_id: text('The `agent_id` of the definition.'),
  name: text('The name of the agent.'),
  version: text('The version of the definition.'),
  digest: text('`sha256:` of the bytes as they were uploaded.'),
  media_type: text('The media type of the uploaded bytes.'),
  status: oneOf(['pending', 'active', 'inactive', 'deprecated'], 'New runs use the active version.'),
  labels: list(text('A name for the version.')),
  levels: { type: 'object', description: 'The conformance levels that the definition reaches.' },
  negotiation: { type: 'object', description: 'What the platform does about the required capabilities.' },
  issues,
  uploaded_by: text('The user who uploaded it.'),
  created_at: moment('When it was uploaded.'),
})

export const versionChoice: Schema = request({
  version: id('A version or a label.'),
})

export const labelTarget: Schema = request({ version: id('The version that the label names.') }, ['version'])
