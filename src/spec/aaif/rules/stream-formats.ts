import type { Finding } from '../../../document/finding.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { suggest } from '../../../document/suggest.ts'
import type { HandoffMessage } from '../generated/handoff-message.ts'
import { HANDOFF_MESSAGES, handoffMessageSchema } from '../handoff-message.schema.ts'
import { checkAddress, checkTime, checkUuid } from './format-checks.ts'
import { checkScVersion } from './unusual-values.ts'

/** Checks the formats of a message that the schema accepts; pointers are relative to the message. */
export function* checkMessageFormats(message: HandoffMessage): Iterable<Finding> {
  switch (message.type) {
    case 'handoff_init':
      yield* checkUuid('/state_id', message.state_id)
      yield* checkUuid('/agent_id', message.agent_id)
      yield* checkUuid('/run_id', message.run_id)
      yield* checkTime('/checkpoint_at', message.checkpoint_at)
      return yield* checkScVersion(message, 'SPEC-Q-10')
    case 'context_chunk':
      for (const [index, { timestamp }] of message.messages.entries()) {
        yield* checkTime(`/messages/${index}/timestamp`, timestamp)
      }
      return
    case 'memory_item':
      return yield* checkTime('/captured_at', message.captured_at)
    case 'pending_tool':
      yield* checkTime('/submitted_at', message.submitted_at)
      return yield* checkAddress('/callback_url', message.callback_url)
    case 'subagent_ref':
      yield* checkUuid('/agent_id', message.agent_id)
      return yield* checkUuid('/state_id', message.state_id)
    case 'pipeline_state':
    case 'handoff_complete':
    case 'handoff_error':
      return
  }
}

/** Warns about unknown members that are probably typing errors; readers ignore unknown members. */
export function* checkMessageMembers(message: HandoffMessage): Iterable<Finding> {
  const { $defs } = handoffMessageSchema
  const schema = $defs[HANDOFF_MESSAGES[message.type] as keyof typeof $defs]
  const known = Object.keys(schema.properties as object)
  for (const name of Object.keys(message)) {
    if (known.includes(name) || Object.hasOwn(STATE_MEMBERS, name)) continue
    const meant = suggest(name, known)
    if (meant === undefined) continue
    yield {
      severity: 'info',
      code: 'MEMBER_LIKELY_MISTYPED',
      pointer: appendStep('', name),
      mark: 'key',
      message: `${message.type} has no member "${name.slice(0, 60)}"; readers ignore it`,
      hint: `did you mean "${meant}"?`,
      rule: 'SPEC-W-01',
    }
  }
}

/** Members of the state that a sender may add to handoff_init, so that sender and receiver build the same state. */
const STATE_MEMBERS = { status: true, agent_version: true, sc_version: true }
