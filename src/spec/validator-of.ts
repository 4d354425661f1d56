import { createRequire } from 'node:module'
import { lazyModule } from '../document/lazy-module.ts'
import type * as ArtifactEnvelope from './aah/validate-artifact-envelope.ts'
import type * as AgentDefinition from './aaif/validate-agent-definition.ts'
import type * as AgentState from './aaif/validate-agent-state.ts'
import type * as ConformanceReport from './aaif/validate-conformance-report.ts'
import type * as HandoffStream from './aaif/validate-handoff-stream.ts'
import type * as PlatformManifest from './aaif/validate-platform-manifest.ts'
import type * as Registry from './aaif/validate-registry.ts'
import type * as AgentCard from './agentcard/validate-agent-card.ts'
import type * as Result from './iap/validate-result.ts'
import type * as Task from './iap/validate-task.ts'
import type { Kind, Validate } from './kinds.ts'

const require = createRequire(import.meta.url)

/** Returns the validator of a kind; its module is loaded on first use. */
export function validatorOf(kind: Kind): Validate {
  return VALIDATORS[kind]()
}

const agentDefinition = lazyModule<typeof AgentDefinition>(() =>
  require('./aaif/validate-agent-definition.ts'),
)
const agentState = lazyModule<typeof AgentState>(() => require('./aaif/validate-agent-state.ts'))
const platformManifest = lazyModule<typeof PlatformManifest>(() =>
  require('./aaif/validate-platform-manifest.ts'),
)
const conformanceReport = lazyModule<typeof ConformanceReport>(() =>
  require('./aaif/validate-conformance-report.ts'),
)
const registry = lazyModule<typeof Registry>(() => require('./aaif/validate-registry.ts'))
const handoffStream = lazyModule<typeof HandoffStream>(() => require('./aaif/validate-handoff-stream.ts'))
const agentCard = lazyModule<typeof AgentCard>(() => require('./agentcard/validate-agent-card.ts'))
const artifactEnvelope = lazyModule<typeof ArtifactEnvelope>(() =>
  require('./aah/validate-artifact-envelope.ts'),
)
const task = lazyModule<typeof Task>(() => require('./iap/validate-task.ts'))
const result = lazyModule<typeof Result>(() => require('./iap/validate-result.ts'))

const VALIDATORS: Readonly<Record<Kind, () => Validate>> = {
  'aaif.agent': () => agentDefinition().validateAgentDefinition,
  'aaif.state': () => agentState().validateAgentState,
  'aaif.manifest': () => platformManifest().validatePlatformManifest,
  'aaif.conformance-report': () => conformanceReport().validateConformanceReport,
  'aaif.registry': () => registry().validateRegistry,
  'aaif.handoff-stream': () => handoffStream().validateHandoffStream,
  agentcard: () => agentCard().validateAgentCard,
  aah: () => artifactEnvelope().validateArtifactEnvelope,
  'iap.task': () => task().validateTask,
  'iap.result': () => result().validateResult,
}
