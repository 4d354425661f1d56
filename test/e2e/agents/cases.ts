import type { AgentCase } from './case.ts'
import { DEEP_CASES } from './deep-cases.ts'
import { DELEGATION_CASES } from './delegation-cases.ts'
import { PIPELINE_CASES } from './pipeline-cases.ts'
import { ROUTER_CASES } from './router-cases.ts'
import { SWARM_CASES } from './swarm-cases.ts'

/** All cases of orchestration; `agents.test.ts` runs each, and `kill-agents.slow.test.ts` kills each. */
export const AGENT_CASES: readonly AgentCase[] = [
  ...PIPELINE_CASES,
  ...SWARM_CASES,
  ...ROUTER_CASES,
  ...DELEGATION_CASES,
  ...DEEP_CASES,
]
