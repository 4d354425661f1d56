import { loadSibling } from '../document/load-sibling.ts'
import { suggest } from '../document/suggest.ts'
import { KINDS, type Kind } from './kinds.ts'
import type { RuleEntry } from './rule-entry.ts'

/** Every rule by which documents of a kind are judged. The catalogue of a kind is loaded when it is first asked for. */
export function rulesOf(kind: Kind): readonly RuleEntry[] {
  const [path, name] = CATALOGUES[kind]
  return (loadSibling(import.meta.filename, path) as Record<string, readonly RuleEntry[]>)[name] ?? []
}

/** Every rule of every kind, in the order of the kinds. */
export function allRules(): readonly RuleEntry[] {
  return KINDS.flatMap(rulesOf)
}

/** The entries of an id, one for each kind that the rule is about; in any case of letters. */
export function rulesNamed(id: string): readonly RuleEntry[] {
  const wanted = id.toLowerCase()
  return allRules().filter((rule) => rule.id.toLowerCase() === wanted)
}

/** The id that was most likely meant. */
export function likelyRule(id: string): string | undefined {
  return suggest(id, [...new Set(allRules().map((rule) => rule.id))])
}

const CATALOGUES: Readonly<Record<Kind, readonly [path: string, name: string]>> = {
  'aaif.agent': ['./aaif/agent.catalogue', 'agentDefinitionRules'],
  'aaif.state': ['./aaif/state.catalogue', 'agentStateRules'],
  'aaif.manifest': ['./aaif/manifest.catalogue', 'platformManifestRules'],
  'aaif.conformance-report': ['./aaif/report.catalogue', 'conformanceReportRules'],
  'aaif.registry': ['./aaif/registry.catalogue', 'registryRules'],
  'aaif.handoff-stream': ['./aaif/handoff-stream.catalogue', 'handoffStreamRules'],
  agentcard: ['./agentcard/agent-card.catalogue', 'agentCardRules'],
  aah: ['./aah/aah.catalogue', 'artifactEnvelopeRules'],
  'iap.task': ['./iap/task.catalogue', 'taskRules'],
  'iap.result': ['./iap/result.catalogue', 'resultRules'],
}
