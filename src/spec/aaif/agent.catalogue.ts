import type { RuleEntry } from '../rule-entry.ts'
import { coreRules } from './catalogue/agent-core.ts'
import { runRules } from './catalogue/agent-run.ts'
import { toolRules } from './catalogue/agent-tools.ts'

/** Every rule by which an agent definition is judged. */
export const agentDefinitionRules: readonly RuleEntry[] = [...coreRules, ...toolRules, ...runRules]
