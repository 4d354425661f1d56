import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'
import { parseAgentState } from '../../spec/aaif/parse-agent-state.ts'
import {
  type ArrivedConversation,
  type ArrivingConversation,
  FittedConversation,
  WholeConversation,
} from '../../state/arriving-conversation.ts'
import { largestWindow, reservedTokens } from '../../state/fit-window.ts'
import { readWaybillMember } from '../../state/read-waybill-member.ts'
import { carriedReader } from '../../state/restore-messages.ts'
import { readHandoff } from '../../state/stream/read-handoff.ts'
import { ArrivingEvents } from './arriving-events.ts'
import { type KeptDocument, keptFor } from './kept-states.ts'
import type { KeptState, ReceivedState, ReceiveOptions } from './move.ts'
import { assertNoLoss } from './preflight.ts'
import {
  continuing,
  isOfSubagent,
  keep,
  otherContent,
  saidToBeOfSubagent,
  storeRestored,
  verifyToken,
} from './receive-state.ts'
import type { ReceiverParts, Verified } from './receiver.ts'

/**
 * Continues a state that arrives as a streaming handoff (AAIF §8.3). The conversation is handled while it arrives, in
 * bounded memory; the rest of the state is gathered. Nothing of it counts before all of it has arrived and is verified.
 */
export async function receiveStream(
  parts: ReceiverParts,
  input: AsyncIterable<Uint8Array>,
  options: Omit<ReceiveOptions, 'dryRun'> = {},
): Promise<ReceivedState | KeptState> {
  const { failOnLoss = false, resumes } = options
  const arriving: Arriving[] = []
  const subagents: Verified[] = []
  try {
    const { state, checksum } = await readHandoff(input, {
      async verifyInit({ migration_token, source_platform, ...init }, about) {
        const token = { token: migration_token, platform: source_platform, ...init }
        const proved = await verifyToken(parts, token)
        const begun = { document: dated(about), ...proved }
        if (saidToBeOfSubagent(begun, options) === true) {
          subagents.push(begun)
          return undefined
        }
        const one = await arrivingOf(parts, begun, defined({ resumes }))
        arriving.push(one)
        return one.take
      },
    })
    const [one] = arriving
    const begun = one?.verified ?? subagents[0]
    const digest = begun?.move?.claims.digest
    if (begun === undefined || (digest !== undefined && digest.toLowerCase() !== checksum))
      throw otherContent()
    const document = parseAgentState(dated(state) as unknown as JsonObject)
    const verified = { ...begun, document, checksum }
    if (await isOfSubagent(parts, verified, options)) return await keep(parts, verified, false)
    if (one === undefined) throw otherContent()
    const kept = await keptFor(parts, verified)
    const restored = await one.restored(document, kept)
    if (failOnLoss) assertNoLoss(restored.family.report)
    await one.events.settled()
    return await storeRestored(parts, verified, restored, kept, (sql) => one.events.moveTo(sql))
  } finally {
    for (const one of arriving) await one.close()
  }
}

/** A handoff whose token is verified. */
interface Arriving {
  readonly verified: Verified
  readonly events: ArrivingEvents
  /** Absent: the conversation is gathered, because it has to be completed as a whole. */
  readonly take?: (messages: readonly StateMessage[]) => Promise<void>
  restored(document: AgentState, kept: readonly KeptDocument[]): Promise<Restored>
  close(): Promise<void>
}

type Restored = Awaited<ReturnType<ReceiverParts['planner']['restored']>>

async function arrivingOf(
  parts: ReceiverParts,
  verified: Verified,
  how: Pick<ReceiveOptions, 'resumes'>,
): Promise<Arriving> {
  const { app, org, planner } = parts
  const { request, options } = await continuing(parts, verified, how)
  const receiving = await planner.receiving(request, options)
  const { version, program, at } = receiving
  const events = new ArrivingEvents(app, org, options.run_id)
  const { member } = readWaybillMember(verified.document)
  const window = largestWindow(program)
  let seq = 0
  const conversation: ArrivingConversation =
    window === undefined
      ? new WholeConversation((part) => events.add(receiving.event(part, ++seq)))
      : new FittedConversation(window, reservedTokens(program))
  // Names of personal data are replaced in the whole state at once: what one of them means depends on all others.
  const isGathered = member === undefined || receiving.handlesValues
  const read = isGathered ? undefined : carriedReader(member.messages, at)
  return {
    verified,
    events,
    ...(read !== undefined && {
      async take(messages: readonly StateMessage[]) {
        assertMessages(messages)
        await conversation.add(read(messages))
      },
    }),
    async restored(document, kept) {
      const arrived: ArrivedConversation | undefined = read === undefined ? undefined : conversation.arrived()
      const documents = kept.map((one) => one.document)
      return { ...(await receiving.restored(document, arrived, documents)), version }
    },
    async close() {
      receiving.close()
      // What cannot be removed now is removed by the retention.
      await events.discard().catch(() => {})
    },
  }
}

/** The first line need not say when the state was captured; a state needs it. */
function dated(state: Partial<AgentState>): AgentState {
  return { ...state, checkpoint_at: state.checkpoint_at ?? new Date().toISOString() } as AgentState
}

/** Checks messages as those of a whole state are checked. @throws the first error of the messages */
function assertMessages(messages: readonly StateMessage[]): void {
  parseAgentState({ ...BARE, conversation: messages } as unknown as JsonObject)
}

const BARE = {
  sc_standard: 'SC-006',
  state_id: '00000000-0000-4000-8000-000000000000',
  agent_id: '00000000-0000-4000-8000-000000000000',
  checkpoint_at: '2026-01-01T00:00:00Z',
  status: 'migrating',
} as const
