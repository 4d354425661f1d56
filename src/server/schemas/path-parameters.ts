import { id, type Members } from '../../http/schema.ts'
import { LABEL } from '../../platform/agents/agent.ts'
import { POLICY_NAME } from '../../platform/inbox/tenant-inbox.ts'
import { slug } from '../../platform/people/names.ts'
import { SECRET_NAME } from '../../platform/secrets/secret.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** Parameters of paths that have a narrower form than ids. The code that stores such a name checks the same pattern. */
const NAMES: Members = {
  label: { type: 'string', pattern: LABEL.source, description: 'Names the label, such as `production`.' },
  policy: { type: 'string', pattern: POLICY_NAME.source, description: 'Names the approval policy.' },
  name: { type: 'string', pattern: SECRET_NAME, description: 'Names the secret.' },
  organisation: slug('Names the organisation.'),
  team: slug('Names the team.'),
}

/** Returns the schema of a parameter of a path. */
export function pathParameter(name: string): Schema {
  return (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined) ?? id(`Names the ${name}.`)
}
