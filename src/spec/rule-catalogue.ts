import { createRequire } from 'node:module'
import { lazyModule } from '../document/lazy-module.ts'
import { suggest } from '../document/suggest.ts'
import type * as AahCatalogue from './aah/aah.catalogue.ts'
import type * as AgentCatalogue from './aaif/agent.catalogue.ts'
import type * as HandoffStreamCatalogue from './aaif/handoff-stream.catalogue.ts'
import type * as ManifestCatalogue from './aaif/manifest.catalogue.ts'
import type * as RegistryCatalogue from './aaif/registry.catalogue.ts'
import type * as ReportCatalogue from './aaif/report.catalogue.ts'
import type * as StateCatalogue from './aaif/state.catalogue.ts'
import type * as AgentCardCatalogue from './agentcard/agent-card.catalogue.ts'
import type * as ResultCatalogue from './iap/result.catalogue.ts'
import type * as TaskCatalogue from './iap/task.catalogue.ts'
import { KINDS, type Kind } from './kinds.ts'
import type { RuleEntry } from './rule-entry.ts'

const require = createRequire(import.meta.url)

/** Returns all rules for documents of a kind. The catalogue of a kind is loaded on first use. */
export function rulesOf(kind: Kind): readonly RuleEntry[] {
  return CATALOGUES[kind]()
}

/** Returns all rules of all kinds, in the order of the kinds. */
export function allRules(): readonly RuleEntry[] {
  return KINDS.flatMap(rulesOf)
}

/** Returns the entries of a rule id, one for each kind; ignores case. */
export function rulesNamed(id: string): readonly RuleEntry[] {
  const wanted = id.toLowerCase()
  return allRules().filter((rule) => rule.id.toLowerCase() === wanted)
}

/** Returns the most similar rule id. */
export function likelyRule(id: string): string | undefined {
  return suggest(id, [...new Set(allRules().map((rule) => rule.id))])
}

const agentCatalogue = lazyModule<typeof AgentCatalogue>(() => require('./aaif/agent.catalogue.ts'))
const stateCatalogue = lazyModule<typeof StateCatalogue>(() => require('./aaif/state.catalogue.ts'))
const manifestCatalogue = lazyModule<typeof ManifestCatalogue>(() => require('./aaif/manifest.catalogue.ts'))
const reportCatalogue = lazyModule<typeof ReportCatalogue>(() => require('./aaif/report.catalogue.ts'))
const registryCatalogue = lazyModule<typeof RegistryCatalogue>(() => require('./aaif/registry.catalogue.ts'))
const handoffStreamCatalogue = lazyModule<typeof HandoffStreamCatalogue>(() =>
  require('./aaif/handoff-stream.catalogue.ts'),
)
const agentCardCatalogue = lazyModule<typeof AgentCardCatalogue>(() =>
  require('./agentcard/agent-card.catalogue.ts'),
)
const aahCatalogue = lazyModule<typeof AahCatalogue>(() => require('./aah/aah.catalogue.ts'))
const taskCatalogue = lazyModule<typeof TaskCatalogue>(() => require('./iap/task.catalogue.ts'))
const resultCatalogue = lazyModule<typeof ResultCatalogue>(() => require('./iap/result.catalogue.ts'))

const CATALOGUES: Readonly<Record<Kind, () => readonly RuleEntry[]>> = {
  'aaif.agent': () => agentCatalogue().agentDefinitionRules,
  'aaif.state': () => stateCatalogue().agentStateRules,
  'aaif.manifest': () => manifestCatalogue().platformManifestRules,
  'aaif.conformance-report': () => reportCatalogue().conformanceReportRules,
  'aaif.registry': () => registryCatalogue().registryRules,
  'aaif.handoff-stream': () => handoffStreamCatalogue().handoffStreamRules,
  agentcard: () => agentCardCatalogue().agentCardRules,
  aah: () => aahCatalogue().artifactEnvelopeRules,
  'iap.task': () => taskCatalogue().taskRules,
  'iap.result': () => resultCatalogue().resultRules,
}
