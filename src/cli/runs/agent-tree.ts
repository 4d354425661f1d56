import type { RunStore, StoredRun } from '../../run/record/run-store.ts'
import { resultOf } from '../../run/result.ts'

/** A sub-agent that took part in a run, and those that worked for it. */
export interface AgentNode {
  readonly alias: string
  readonly run_id: string
  readonly status: string
  readonly subagents?: readonly AgentNode[]
}

/** Who worked for whom. A sub-agent that was asked for and whose run never began has no branches. */
export function agentTree(store: RunStore, { plan, state }: StoredRun): readonly AgentNode[] {
  return resultOf(plan, state).subagents.map((node): AgentNode => {
    const branches = branchesOf(store, node.run_id)
    return branches.length === 0 ? node : { ...node, subagents: branches }
  })
}

function branchesOf(store: RunStore, runId: string): readonly AgentNode[] {
  try {
    return agentTree(store, store.read(runId))
  } catch {
    // Never begun, or damaged; its own `runs show` says which.
    return []
  }
}
