import type { Records, StoredRun } from '../../run/record/records.ts'
import { resultOf } from '../../run/result.ts'

/** A sub-agent of a run, with its own sub-agents. */
export interface AgentNode {
  readonly alias: string
  readonly run_id: string
  readonly status: string
  readonly subagents?: readonly AgentNode[]
}

type Runs = Pick<Records, 'runs'>

/** Returns the tree of sub-agents. A sub-agent whose run never started has no branches. */
export function agentTree(records: Runs, { plan, state }: StoredRun): Promise<readonly AgentNode[]> {
  return Promise.all(
    resultOf(plan, state).subagents.map(async (node): Promise<AgentNode> => {
      const branches = await branchesOf(records, node.run_id)
      return branches.length === 0 ? node : { ...node, subagents: branches }
    }),
  )
}

async function branchesOf(records: Runs, runId: string): Promise<readonly AgentNode[]> {
  try {
    return await agentTree(records, await records.runs.read(runId))
  } catch {
    // Never started, or damaged: `runs show` of its id reports which.
    return []
  }
}
