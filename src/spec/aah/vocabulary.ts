/** The values that AAH 0.3 defines. Lists marked open also accept `x-` values, and readers pass on all others. */

/** Supported versions; patch versions such as 0.3.0 are supported as well (§2.1). */
export const AAH_VERSIONS = ['0.1', '0.2', '0.3'] as const
export type AahVersion = (typeof AAH_VERSIONS)[number]

/** Open (§3). */
export const ARTIFACT_TYPES = [
  'document/markdown',
  'document/text',
  'document/html',
  'document/sectioned',
  'code/python',
  'code/javascript',
  'code/typescript',
  'code/generic',
  'data/json',
  'data/yaml',
  'data/csv',
  'image/screenshot',
  'image/diagram',
  'image/generated',
  'structured/spec',
  'structured/analysis',
  'structured/plan',
  'structured/review',
  'structured/experiment',
  'structured/feature',
] as const

/** The media type whose body is an object (§5). */
export const STRUCTURED = 'application/vnd.aah.structured+json'

/** Open (§2.4). */
export const MEDIA_TYPES = [
  'text/markdown',
  'text/plain',
  'text/html',
  'text/x-python',
  'text/javascript',
  'text/typescript',
  'application/json',
  'text/yaml',
  'text/csv',
  'application/x-ndjson',
  'image/png',
  'image/jpeg',
  'image/svg+xml',
  STRUCTURED,
] as const

/** Open (§2.5.1). */
export const SECTION_TYPES = ['overview', 'research', 'spec', 'roadmap', 'task', 'decision'] as const

export const TASK_STATUSES = ['pending', 'in_progress', 'blocked', 'done'] as const
export const OUTPUT_TYPES = ['pr', 'doc', 'artifact', 'deployment'] as const
export const APPROVAL_STATUSES = ['draft', 'needs_approval', 'approved', 'needs_changes'] as const

export const RETENTIONS = ['ephemeral', '7d', '30d', '90d', 'permanent'] as const
export const VISIBILITIES = ['private', 'team', 'organization', 'public'] as const
export const LIFECYCLE_STATUSES = [
  'draft',
  'active',
  'needs_approval',
  'final',
  'superseded',
  'archived',
] as const
export const ROUTING_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

/** The form of custom artifact and section types: `x-custom` or `x-custom/mytype` (§2.5.1, §3). */
export const EXTENSION_TYPE = /^x-[a-z0-9-]+(?:\/[a-z0-9][a-z0-9._+-]*)?$/

/** Lower-case letters, digits and hyphens (§4.2). */
export const SECTION_ID = '^[a-z0-9-]+$'
