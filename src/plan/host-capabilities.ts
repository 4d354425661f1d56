/**
 * The capabilities (AAIF §7) of this host. The manifest and the conformance report advertise this list, and a plan
 * relies on the same one.
 */
export const HOST_CAPABILITIES: ReadonlySet<string> = new Set([
  'tool.function',
  'tool.http',
  'tool.mcp',
  'tool.openapi',
  'io.streaming',
  'io.async',
  'io.batch',
  'compliance.hitl',
  'compliance.audit_log',
  'compliance.data_residency',
  'condition.structured',
  'telemetry.otel',
  'orchestration.parallel',
  'orchestration.handoff',
  'orchestration.pipeline',
  'orchestration.consensus',
])
