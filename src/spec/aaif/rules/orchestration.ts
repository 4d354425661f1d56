import type { Finding } from '../../../document/finding.ts'
import { suggest } from '../../../document/suggest.ts'
import type { AgentDefinition, Orchestration, Subagent } from '../generated/agent.ts'

export function* checkOrchestration({ agent }: AgentDefinition): Iterable<Finding> {
  const { subagents = [], pipeline = [], consensus } = agent.orchestration ?? {}
  yield* checkAliases(subagents)
  yield* checkVotes(agent.orchestration ?? {})
  for (const [index, entry] of pipeline.entries()) yield* checkPipelineEntry(entry, index, subagents)
  if (consensus?.strategy === 'referee' && consensus.referee_agent === undefined) {
    yield {
      severity: 'error',
      code: 'REFEREE_MISSING',
      pointer: '/agent/orchestration/consensus/referee_agent',
      mark: 'parent',
      message: 'the strategy is referee, but referee_agent is missing',
      hint: 'add "referee_agent" with the alias or id of the agent that decides',
      rule: 'SPEC-D-11',
    }
  }
}

/**
 * Warns about a vote that the workers cannot reach. Only the plan knows all workers: the definition of a sub-agent may
 * give it another role, and a condition may exclude it.
 */
function* checkVotes({
  subagents = [],
  pipeline = [],
  parallel_execution,
  consensus,
}: Orchestration): Iterable<Finding> {
  const { strategy, min_votes = 1 } = consensus ?? {}
  if (strategy !== 'majority_vote' || parallel_execution !== true || pipeline.length > 0) return
  const workers = subagents.filter(({ role }) => role !== 'fallback' && role !== 'evaluator').length
  if (workers === 0 || min_votes <= workers) return
  yield {
    severity: 'warning',
    code: 'VOTES_UNREACHABLE',
    pointer: '/agent/orchestration/consensus/min_votes',
    message: `${min_votes} votes are needed, but at most ${workers} ${workers === 1 ? 'worker votes' : 'workers vote'}`,
    hint: 'lower min_votes, or add workers; a run of this definition is refused',
    rule: 'SPEC-D-11',
  }
}

function* checkAliases(subagents: readonly Subagent[]): Iterable<Finding> {
  const first = new Map<string, number>()
  for (const [index, { alias }] of subagents.entries()) {
    if (alias === undefined) continue
    const earlier = first.get(alias)
    if (earlier === undefined) {
      first.set(alias, index)
      continue
    }
    yield {
      severity: 'error',
      code: 'DUPLICATE_ALIAS',
      pointer: `/agent/orchestration/subagents/${index}/alias`,
      message: `subagent ${earlier} already has this alias`,
      hint: 'give each subagent a unique alias',
      rule: 'AAIF-4.3-03',
    }
  }
}

function* checkPipelineEntry(
  entry: string,
  index: number,
  subagents: readonly Subagent[],
): Iterable<Finding> {
  const pointer = `/agent/orchestration/pipeline/${index}`
  const fits = subagents.filter(({ alias, ref }) => alias === entry || ref === entry)
  if (fits.length === 1) return
  if (fits.length > 1) {
    yield {
      severity: 'error',
      code: 'PIPELINE_AMBIGUOUS',
      pointer,
      message: `this step matches ${fits.length} subagents`,
      hint: 'give the subagents unique aliases, and use an alias here',
      rule: 'AAIF-4.3-03',
    }
    return
  }
  const known = subagents.map(({ alias, ref }) => alias ?? ref)
  const meant = suggest(entry, known)
  yield {
    severity: 'error',
    code: 'PIPELINE_UNRESOLVED',
    pointer,
    message: 'this step is neither the alias nor the ref of a declared subagent',
    hint:
      meant !== undefined
        ? `did you mean "${meant}"?`
        : known.length > 0
          ? `declared subagents: ${known.slice(0, 20).join(', ')}`
          : 'declare it in orchestration.subagents',
    rule: 'AAIF-4.3-03',
  }
}
