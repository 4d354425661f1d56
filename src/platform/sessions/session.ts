import {
  answer,
  anything,
  id,
  integer,
  moment,
  nullable,
  request,
  type Typed,
  text,
  typed,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import { type PlatformStatus, RUN_STATUSES, type RunView } from '../records/run-view.ts'
import { onBusy, type SessionStarts, waitSeconds } from '../runs/run.ts'

export const newSession = request(
  {
    agent_id: id('The agent that the conversation is with.'),
    // Also of the agent's memory.
    session: id('The name of the session; default: a new id.'),
    user: id('The user who talks to the agent.'),
  },
  ['agent_id'],
)
export type NewSession = Typed<typeof newSession>

export const message = request(
  {
    input: anything('The message.'),
    on_busy: onBusy,
    wait_seconds: waitSeconds('The request waits this long for the end of the turn; default 0.'),
  },
  ['input'],
)
export type Message = Omit<Typed<typeof message>, 'wait_seconds'>

export const sessionView = answer(
  'A conversation.',
  {
    session: text('Names the session.'),
    agent_id: text('The agent.'),
    user: text('The user.'),
    run_id: nullable(text('The run that holds the conversation.')),
    status: typed<PlatformStatus | null>({
      enum: [...RUN_STATUSES, null],
      description: 'The status of that run.',
    }),
    queued: integer('Messages that wait for their turn.', 0),
    created_at: moment('When the session was created.'),
    run: typed<RunView>({
      type: 'object',
      description: 'With `wait_seconds`: the run, after the turn has ended in time.',
    }),
  },
  ['session', 'agent_id', 'run_id', 'status', 'queued', 'created_at'],
)
export type SessionView = Typed<typeof sessionView>

/** Conversations. A session has at most one active run. Throws SESSION_NOT_FOUND where that applies. */
export interface Sessions extends SessionStarts {
  list(page: Page): Promise<PageOf<SessionView>>
  read(session: string): Promise<SessionView>
  /**
   * Creates a session; the same request again returns it.
   * @throws AGENT_NOT_FOUND; SESSION_EXISTS if it belongs to another agent or user
   */
  create(request: NewSession): Promise<SessionView>
  /**
   * Sends a message. It never answers an open question.
   * @param messageId given by the idempotency key of the request, so that a repeated request is the same message
   * @throws SESSION_BUSY with `on_busy: reject` while a turn is active
   */
  send(session: string, message: Message, messageId?: string): Promise<SessionView>
}
