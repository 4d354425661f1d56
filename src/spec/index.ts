/** `waybill/spec`: the kinds of documents, their types, schemas and rules. */
export { artifactEnvelopeSchema } from './aah/artifact-envelope.schema.ts'
export { asResponseTo, type Recipient, recipientOf, responseStatus } from './aah/artifact-routing.ts'
export { acceptFetchedBody } from './aah/content-bytes.ts'
export { featureLevel } from './aah/feature-level.ts'
export type { ArtifactEnvelope, Section } from './aah/generated/artifact-envelope.ts'
export { parseArtifactEnvelope } from './aah/parse-artifact-envelope.ts'
export { type RenderingHints, renderingHintsOf } from './aah/rendering-hints.ts'
export { approvalOf, decideApproval, requestApproval } from './aah/section-approval.ts'
export { inDisplayOrder } from './aah/section-order.ts'
export {
  draftSections,
  RECOMMENDED_SECTIONS,
  type SectionTemplate,
  type TemplateOptions,
} from './aah/section-templates.ts'
export { findTaskReferences, renderTaskReferences, tasksOf } from './aah/task-references.ts'
export { validateArtifactEnvelope } from './aah/validate-artifact-envelope.ts'
export { withEnvelopeDefaults } from './aah/with-envelope-defaults.ts'
export { newArtifactId, writeArtifactEnvelope } from './aah/write-artifact-envelope.ts'
export { agentSchema } from './aaif/agent.schema.ts'
export { type ConformanceLevel, conformanceLevels, type LevelReport } from './aaif/conformance-levels.ts'
export { conformanceReportSchema } from './aaif/conformance-report.schema.ts'
export type { AgentDefinition } from './aaif/generated/agent.ts'
export type { ConformanceReport } from './aaif/generated/conformance-report.ts'
export type { HandoffMessage } from './aaif/generated/handoff-message.ts'
export type { PlatformManifest } from './aaif/generated/manifest.ts'
export type { Registry, RegistryEntry } from './aaif/generated/registry.ts'
export type { AgentState } from './aaif/generated/state.ts'
export { handoffMessageSchema } from './aaif/handoff-message.schema.ts'
export { manifestSchema } from './aaif/manifest.schema.ts'
export { parseAgentDefinition } from './aaif/parse-agent-definition.ts'
export { parseAgentState } from './aaif/parse-agent-state.ts'
export { parseConformanceReport } from './aaif/parse-conformance-report.ts'
export { parsePlatformManifest } from './aaif/parse-platform-manifest.ts'
export { parseRegistry } from './aaif/parse-registry.ts'
export { parseHandoffStream, readHandoffStream } from './aaif/read-handoff-stream.ts'
export { registrationGaps } from './aaif/registries/registration-policies.ts'
export { registryOf } from './aaif/registries/registry-of.ts'
export { registrySchema } from './aaif/registry.schema.ts'
export { stateSchema } from './aaif/state.schema.ts'
export { validateAgentDefinition } from './aaif/validate-agent-definition.ts'
export { validateAgentState } from './aaif/validate-agent-state.ts'
export { validateConformanceReport } from './aaif/validate-conformance-report.ts'
export { validateHandoffStream } from './aaif/validate-handoff-stream.ts'
export { validatePlatformManifest } from './aaif/validate-platform-manifest.ts'
export { validateRegistry } from './aaif/validate-registry.ts'
export {
  adviseVersion,
  type CardChange,
  type ChangeLevel,
  type VersionAdvice,
} from './agentcard/advise-version.ts'
export { agentCardSchema } from './agentcard/agent-card.schema.ts'
export { authSchemeOf, claimedTrustTierOf } from './agentcard/declared.ts'
export type { AgentCard, Capability } from './agentcard/generated/agent-card.ts'
export { mintAgentId, timeOfAgentId } from './agentcard/mint-agent-id.ts'
export { parseAgentCard } from './agentcard/parse-agent-card.ts'
export {
  fromMcpTool,
  fromOpenAiFunction,
  type McpTool,
  type OfferedTool,
  type OpenAiFunction,
  toMcpTools,
  toOpenAiFunctions,
} from './agentcard/tool-definitions.ts'
export { validateAgentCard } from './agentcard/validate-agent-card.ts'
export { embedAgentCard, encodeAgentCard } from './agentcard/write-agent-card.ts'
export type { TaskResult } from './iap/generated/result.ts'
export type { Task } from './iap/generated/task.ts'
export { breachesOfOutput } from './iap/output-form.ts'
export { parseResult, parseTask } from './iap/parse-task.ts'
export { resultSchema } from './iap/result.schema.ts'
export { resultFor, type TaskOutcome } from './iap/result-for.ts'
export { taskSchema } from './iap/task.schema.ts'
export { validateResult } from './iap/validate-result.ts'
export { validateTask } from './iap/validate-task.ts'
export { withTaskDefaults } from './iap/with-task-defaults.ts'
export { moveLargeContext, writeTask } from './iap/write-task.ts'
export { rulesOf } from './rule-catalogue.ts'
export type { RuleEntry } from './rule-entry.ts'
