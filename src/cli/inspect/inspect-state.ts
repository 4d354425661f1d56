import { defined } from '../../document/defined.ts'
import { isObject, type Json } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, section, tally, textsAt } from './inspection.ts'

/** Describes the saved state of a run: identity, contents and whether it can be migrated (AAIF §8). */
export function inspectState(value: Json): Inspection {
  const provenance = objectAt(value, 'provenance')
  const pending = itemsAt(value, 'pending_tool_calls')
  const facts = defined({
    state_id: textAt(value, 'state_id'),
    agent_id: textAt(value, 'agent_id'),
    run_id: textAt(value, 'run_id'),
    version: textAt(value, 'agent_version'),
    checkpoint_at: textAt(value, 'checkpoint_at'),
    status: textAt(value, 'status'),
    iteration: memberOf(value, 'iteration'),
    source_platform: textAt(provenance, 'source_platform'),
    target_platform: textAt(provenance, 'target_platform'),
    messages: itemsAt(value, 'conversation').length,
    memory_items: itemsAt(value, 'memory_snapshot').length,
    pending_tool_calls: textsAt(pending, 'tool_name'),
    subagents: textsAt(itemsAt(value, 'subagent_states'), 'alias'),
    variables: Object.keys(objectAt(value, 'variables')),
    has_token: textAt(provenance, 'migration_token') !== undefined,
    has_checksum: textAt(provenance, 'checksum') !== undefined,
    resumable_here: isObject(memberOf(value, 'x-waybill')),
  })
  const error = objectAt(value, 'error')
  return {
    facts,
    headline: `saved state of a run: ${textAt(value, 'status') ?? 'unknown status'}`,
    sections: [
      section('Run', [
        fact('agent id', facts.agent_id),
        fact('state id', facts.state_id),
        fact('run id', facts.run_id),
        fact('checkpoint at', facts.checkpoint_at),
        fact('round', facts.iteration),
        fact('from', facts.source_platform),
        fact('to', facts.target_platform),
        fact('error', textAt(error, 'message')),
        fact('waits for', textAt(objectAt(value, 'approval_request'), 'trigger_description')),
      ]),
      section('Holds', [
        fact('conversation', tally(textsAt(itemsAt(value, 'conversation'), 'role'))),
        fact('memory', tally(textsAt(itemsAt(value, 'memory_snapshot'), 'scope'))),
        fact('pending calls', tally(textsAt(pending, 'tool_name'))),
        fact('sub-agents', tally(textsAt(itemsAt(value, 'subagent_states'), 'status'))),
      ]),
      section('Migration', [
        fact(
          'token',
          facts.has_token === true
            ? 'present; the receiver verifies it'
            : 'none: the state cannot be migrated',
        ),
        fact(
          'checksum',
          facts.has_checksum === true ? 'present; verified before the state is restored' : 'none',
        ),
      ]),
    ],
  }
}
