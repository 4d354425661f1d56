import type { RuleEntry } from '../rule-entry.ts'
import { coreRules } from './catalogue/agent-core.ts'
import { runRules } from './catalogue/agent-run.ts'
import { toolRules } from './catalogue/agent-tools.ts'

/** All rules for agent definitions. */
export const agentDefinitionRules: readonly RuleEntry[] = [...coreRules, ...toolRules, ...runRules]
