import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { Kind } from '../../spec/kinds.ts'
import type { Inspection } from './inspection.ts'

/** Describes one document. The document may be invalid: invalid members are omitted. */
export type Inspect = (value: Json, issues: readonly Issue[]) => Inspection

/** Returns the function that describes documents of a kind. Only the module of that kind is loaded. */
export async function inspectorOf(kind: Kind): Promise<Inspect> {
  switch (kind) {
    case 'aaif.agent':
      return (await import('./inspect-agent.ts')).inspectAgent
    case 'aaif.state':
      return (await import('./inspect-state.ts')).inspectState
    case 'aaif.manifest':
      return (await import('./inspect-manifest.ts')).inspectManifest
    case 'aaif.conformance-report':
      return (await import('./inspect-report.ts')).inspectReport
    case 'aaif.registry':
      return (await import('./inspect-registry.ts')).inspectRegistry
    case 'aaif.handoff-stream':
      return (await import('./inspect-stream.ts')).inspectStream
    case 'agentcard':
      return (await import('./inspect-card.ts')).inspectCard
    case 'aah':
      return (await import('./inspect-envelope.ts')).inspectEnvelope
    case 'iap.task':
      return (await import('./inspect-task.ts')).inspectTask
    case 'iap.result':
      return (await import('./inspect-result.ts')).inspectResult
  }
}
