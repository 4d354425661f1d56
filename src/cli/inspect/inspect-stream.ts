import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, section, tally, textsAt } from './inspection.ts'

/** Describes a state stream: its messages by type, and whether it is complete (AAIF §8.3). */
export function inspectStream(value: Json): Inspection {
  const messages = Array.isArray(value) ? (value as readonly Json[]) : []
  const init = messages.find((message) => textAt(message, 'type') === 'handoff_init') ?? null
  const last = messages.at(-1) ?? null
  const end = textAt(last, 'type')
  const facts = defined({
    state_id: textAt(init, 'state_id'),
    agent_id: textAt(init, 'agent_id'),
    run_id: textAt(init, 'run_id'),
    source_platform: textAt(init, 'source_platform'),
    messages: messages.length,
    types: [...new Set(textsAt(messages, 'type'))],
    complete: end === 'handoff_complete',
  })
  return {
    facts,
    headline: 'state stream: a run that moves to another platform',
    sections: [
      section('Stream', [
        fact('agent id', facts.agent_id),
        fact('state id', facts.state_id),
        fact('from', facts.source_platform),
        fact('messages', tally(textsAt(messages, 'type'))),
        fact(
          'ends',
          end === 'handoff_complete' ? 'complete' : end === 'handoff_error' ? 'with an error' : 'incomplete',
        ),
      ]),
    ],
  }
}
