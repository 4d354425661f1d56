import { createHash } from 'node:crypto'
import { exactText } from '../../document/exact-numbers.ts'
import { WaybillError } from '../../document/issue.ts'
import type { AgentView } from '../../platform/agents/agent.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { RunView } from '../../platform/records/run-view.ts'
import type { Asks } from '../../run/unsettled.ts'
import { OPENAI_LABEL } from './openai-models.ts'
import type { ChatRequest } from './read-chat-request.ts'

/** One wait for a run, in milliseconds; it is repeated. */
const WAIT_MS = 30_000

const ENDED: ReadonlySet<RunView['status']> = new Set([
  'completed',
  'failed',
  'refused',
  'cancelled',
  'damaged',
])
/** The run continues only when a person acts. */
const STANDS: ReadonlySet<RunView['status']> = new Set(['awaiting_approval', 'paused', 'set_aside'])

export interface ChatRunOptions {
  /** How long after the end of a run the same request is answered by it, in milliseconds. */
  readonly sameRunMs: number
  /** Of the header `Idempotency-Key`. */
  readonly key?: string
  readonly signal: AbortSignal
}

/**
 * Starts the run of a chat completion. Official clients repeat a request without saying so: the same body of the same
 * principal is the same run while that run continues, and shortly after its end. Later it is a new run.
 * @returns the run id
 */
export async function startChatRun(
  tenant: Tenant,
  agent: AgentView,
  { input, history, user }: ChatRequest,
  body: Uint8Array,
  { sameRunMs, key, signal }: ChatRunOptions,
): Promise<string> {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const { body: answer } = await tenant.requests.once(
    {
      operation: 'openai',
      key: key ?? bodyHash,
      bodyHash,
      ...(key === undefined && {
        stale: (stored) => hasEndedBefore(tenant, runIdOf(stored.body), Date.now() - sameRunMs),
      }),
    },
    async (runId) => {
      const { run_id } = await tenant.runs.start(
        agent.agent_id,
        {
          input,
          version: OPENAI_LABEL,
          ...(history.length > 0 && { history }),
          ...(user !== undefined && { user }),
        },
        runId,
      )
      return { status: 202, body: JSON.stringify({ run_id }) }
    },
    signal,
  )
  return runIdOf(answer)
}

function runIdOf(body: string): string {
  return (JSON.parse(body) as { readonly run_id: string }).run_id
}

async function hasEndedBefore({ runs }: Tenant, runId: string, time: number): Promise<boolean> {
  try {
    const { status, updated_at } = await runs.read(runId)
    return ENDED.has(status) && Date.parse(updated_at) < time
  } catch (error) {
    // A run that was removed.
    if (error instanceof WaybillError && error.code === 'RUN_NOT_FOUND') return true
    throw error
  }
}

/** Waits until a run has ended or a person must act; null if that takes longer (milliseconds). */
export async function settledRun(
  { runs }: Tenant,
  runId: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<RunView | null> {
  const end = performance.now() + withinMs
  for (;;) {
    const left = Math.ceil(end - performance.now())
    const run = await runs.settled(runId, Math.max(0, Math.min(WAIT_MS, left)), signal)
    if (ENDED.has(run.status) || STANDS.has(run.status)) return run
    if (left <= 0 || signal.aborted) return null
  }
}

/** Returns the answer of a run as text: its output; null if the run has none. */
export function answerOf(run: RunView): string | null {
  if (run.status !== 'completed') return null
  const { output = null } = run
  return typeof output === 'string' ? output : exactText(output)
}

/** What a server asks is not repeated here: a chat is not a place to answer it. */
const WAITS_FOR: Readonly<Record<Asks, (tool: string) => string>> = {
  approval: (tool) => `the call of ${tool} needs approval`,
  input: (tool) => `the server of ${tool} asks a person something before it makes the call`,
  unknown: (tool) => `it is not known whether the call of ${tool} took effect`,
}

/**
 * Returns what is shown instead of an answer while only a person can continue the run; null for other runs.
 * @param baseUrl of this server, for the command
 */
export function waitingText(run: RunView, baseUrl: string): string | null {
  const about = `Run ${run.run_id}.`
  const then = 'Then send the same message again to get the answer. A message in this chat decides nothing.'
  switch (run.status) {
    case 'awaiting_approval': {
      const calls = (run.waiting ?? []).map(({ tool, asks }) => WAITS_FOR[asks](tool))
      const reason = calls.length === 0 ? 'a call of a sub-agent needs a decision' : calls.join(', and ')
      const command = `waybill approvals show ${run.run_id} --server ${baseUrl}`
      return `This answer waits for a person: ${reason}. Decide with \`${command}\`. ${then} ${about}`
    }
    case 'paused':
      return `This answer waits, because a person has paused the run. Resume the run. ${then} ${about}`
    default:
      return null
  }
}
