import type { Json } from '../../document/issue.ts'
import { featureLevel } from '../../spec/aah/feature-level.ts'
import { openCard } from '../../spec/agentcard/open-card.ts'
import type { Task } from '../../spec/iap/generated/task.ts'
import { withTaskDefaults } from '../../spec/iap/with-task-defaults.ts'
import type { Kind } from '../../spec/kinds.ts'
import { isObject, itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { count } from '../terminal/amounts.ts'
import { fact, type Inspection, type Line, present, section, tally } from './inspection.ts'

/** What there is to tell of each kind but agent definitions. Documents may be broken: what is sound is told. */
export const INSPECTORS: Readonly<Record<Exclude<Kind, 'aaif.agent'>, (value: Json) => Inspection>> = {
  'aaif.state': inspectState,
  'aaif.manifest': inspectManifest,
  'aaif.conformance-report': inspectReport,
  'aaif.registry': inspectRegistry,
  'aaif.handoff-stream': inspectStream,
  agentcard: inspectCard,
  aah: inspectEnvelope,
  'iap.task': inspectTask,
  'iap.result': inspectResult,
}

const texts = (items: readonly Json[], member: string): readonly string[] =>
  items.flatMap((item) => textAt(item, member) ?? [])

function inspectState(value: Json): Inspection {
  const provenance = objectAt(value, 'provenance')
  const pending = itemsAt(value, 'pending_tool_calls')
  const facts = present({
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
    pending_tool_calls: texts(pending, 'tool_name'),
    subagents: texts(itemsAt(value, 'subagent_states'), 'alias'),
    variables: Object.keys(objectAt(value, 'variables')),
    has_token: textAt(provenance, 'migration_token') !== undefined,
    has_checksum: textAt(provenance, 'checksum') !== undefined,
    resumable_here: isObject(memberOf(value, 'x-waybill')),
  })
  const error = objectAt(value, 'error')
  return {
    facts,
    headline: `a run that is ${textAt(value, 'status') ?? 'in no known state'}`,
    sections: [
      section('Run', [
        fact('agent id', facts.agent_id),
        fact('state id', facts.state_id),
        fact('run id', facts.run_id),
        fact('taken at', facts.checkpoint_at),
        fact('round', facts.iteration),
        fact('from', facts.source_platform),
        fact('to', facts.target_platform),
        fact('error', textAt(error, 'message')),
        fact('waits for', textAt(objectAt(value, 'approval_request'), 'trigger_description')),
      ]),
      section('Holds', [
        fact('conversation', tally(texts(itemsAt(value, 'conversation'), 'role'))),
        fact('memory', tally(texts(itemsAt(value, 'memory_snapshot'), 'scope'))),
        fact('calls under way', tally(texts(pending, 'tool_name'))),
        fact('sub-agents', tally(texts(itemsAt(value, 'subagent_states'), 'status'))),
      ]),
      section('Migration', [
        fact(
          'token',
          facts.has_token === true
            ? 'present; the receiver verifies it'
            : 'none: it cannot be imported elsewhere',
        ),
        fact('checksum', facts.has_checksum === true ? 'present; verified before it is restored' : 'none'),
      ]),
    ],
  }
}

function inspectManifest(value: Json): Inspection {
  const platform = objectAt(value, 'platform')
  const capabilities = objectAt(platform, 'capabilities')
  const [name, version] = [textAt(platform, 'name'), textAt(platform, 'version')]
  const offers = Object.entries(capabilities).map(([area, flags]): [string, string[]] => [
    area,
    isObject(flags)
      ? Object.entries(flags).flatMap(([key, flag]) => (flag === true ? [key] : listed(key, flag)))
      : [],
  ])
  const intake = textAt(objectAt(platform, 'intake_endpoint'), 'url')
  const facts = present({
    name,
    version,
    vendor: textAt(platform, 'vendor'),
    level: textAt(platform, 'aaif_conformance_level'),
    aaif_versions_supported: itemsAt(platform, 'aaif_versions_supported'),
    capabilities: offers.flatMap(([area, names]) => names.map((one) => `${area}.${one}`)),
    intake_endpoint: intake,
    manifest_url: textAt(platform, 'manifest_url'),
    expires_at: textAt(platform, 'manifest_expires_at'),
  })
  return {
    facts,
    headline: `${name ?? 'a platform'} ${version ?? ''}`.trim(),
    sections: [
      section('Platform', [
        fact('vendor', facts.vendor),
        fact('conformance level', facts.level),
        fact('takes AAIF', itemsAt(platform, 'aaif_versions_supported').join(', ')),
        fact('definitions go to', intake),
        fact('published at', facts.manifest_url),
        fact('expires', facts.expires_at),
      ]),
      section(
        'Offers',
        offers.map(([area, names]) => fact(area, names.join(', '))),
      ),
    ],
  }
}

/** Lists of a manifest, such as its vaults, and flags that stand one level deeper. */
function listed(key: string, value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => `${key}=${String(item)}`)
  if (isObject(value))
    return Object.entries(value).flatMap(([inner, flag]) =>
      flag === true ? [`${key}.${inner}`] : listed(inner, flag),
    )
  return []
}

function inspectReport(value: Json): Inspection {
  const platform = objectAt(value, 'platform')
  const report = objectAt(value, 'report')
  const claims = itemsAt(value, 'claims').map((claim) => {
    const suite = objectAt(claim, 'test_suite')
    return {
      level: textAt(claim, 'level') ?? '?',
      direction: textAt(claim, 'direction') ?? '?',
      corpus: textAt(suite, 'corpus') ?? '?',
      passed: Number(memberOf(suite, 'passed') ?? 0),
      total: Number(memberOf(suite, 'total') ?? 0),
    }
  })
  const facts = present({
    name: textAt(platform, 'name'),
    version: textAt(platform, 'version'),
    generated_at: textAt(report, 'generated_at'),
    expires_at: textAt(report, 'expires_at'),
    attested_by: textAt(objectAt(value, 'attestation'), 'attested_by'),
    claims,
  })
  return {
    facts,
    headline: `what ${facts.name ?? 'a platform'} claims to conform to`,
    sections: [
      section('Report', [
        fact('made at', facts.generated_at),
        fact('expires', facts.expires_at),
        fact('attested by', facts.attested_by),
      ]),
      section(
        'Claims',
        claims.map(
          ({ level, direction, corpus, passed, total }): Line => ({
            mark: passed === total && total > 0 ? ['good', '✓'] : ['warn', '!'],
            text: `${level} as ${direction}`,
            note: `${passed} of ${total}: ${corpus}`,
          }),
        ),
      ),
    ],
  }
}

function inspectRegistry(value: Json): Inspection {
  const entries = itemsAt(value, 'entries')
  const facts = present({
    name: textAt(value, 'registry'),
    policy: textAt(value, 'registration_policy'),
    entries: entries.map((entry) => ({
      id: textAt(entry, 'id') ?? '?',
      status: textAt(entry, 'status') ?? '?',
    })),
  })
  return {
    facts,
    headline: `registry ${facts.name ?? '(no name)'}`,
    sections: [
      section('Registry', [
        fact('about', textAt(value, 'description')),
        fact('policy', facts.policy),
        fact('entries', tally(texts(entries, 'status'))),
      ]),
    ],
  }
}

function inspectStream(value: Json): Inspection {
  const messages = Array.isArray(value) ? (value as readonly Json[]) : []
  const init = messages.find((message) => textAt(message, 'type') === 'handoff_init') ?? null
  const last = messages.at(-1) ?? null
  const end = textAt(last, 'type')
  const facts = present({
    state_id: textAt(init, 'state_id'),
    agent_id: textAt(init, 'agent_id'),
    run_id: textAt(init, 'run_id'),
    source_platform: textAt(init, 'source_platform'),
    messages: messages.length,
    types: [...new Set(texts(messages, 'type'))],
    complete: end === 'handoff_complete',
  })
  return {
    facts,
    headline: 'a run on its way to another platform',
    sections: [
      section('Stream', [
        fact('agent id', facts.agent_id),
        fact('state id', facts.state_id),
        fact('from', facts.source_platform),
        fact('messages', tally(texts(messages, 'type'))),
        fact(
          'ends',
          end === 'handoff_complete'
            ? 'complete'
            : end === 'handoff_error'
              ? 'with an error'
              : 'in the middle',
        ),
      ]),
    ],
  }
}

function inspectCard(given: Json): Inspection {
  const { card } = openCard(given)
  const value: Json = card ?? given
  const endpoint = objectAt(value, 'endpoint')
  const capabilities = itemsAt(value, 'capabilities')
  const [name, version] = [textAt(value, 'name'), textAt(value, 'version')]
  const facts = present({
    name,
    version,
    agent_id: textAt(value, 'agent_id'),
    capabilities: texts(capabilities, 'id'),
    endpoint: textAt(endpoint, 'url'),
    protocol: textAt(endpoint, 'protocol'),
    auth: textAt(objectAt(endpoint, 'auth'), 'scheme') ?? 'none',
    trust_tier_claimed: memberOf(objectAt(value, 'metadata'), 'trust_tier'),
    goal_subscriptions: itemsAt(value, 'goal_subscriptions').length,
  })
  return {
    facts,
    headline: `${name ?? '(no name)'}${version === undefined ? '' : ` ${version}`}`,
    sections: [
      section('Card', [
        fact('says', textAt(value, 'description')),
        fact('agent id', facts.agent_id),
        fact('reached at', facts.endpoint),
        fact('by', facts.protocol),
        fact('sign-in', facts.auth),
        fact('claims to be trusted', facts.trust_tier_claimed),
      ]),
      section(
        'Can',
        capabilities.map((capability): Line => {
          const says = textAt(capability, 'description')
          return { text: textAt(capability, 'id') ?? '?', ...(says !== undefined && { note: says }) }
        }),
      ),
    ],
  }
}

function inspectEnvelope(value: Json): Inspection {
  const artifact = objectAt(value, 'artifact')
  const sections = itemsAt(value, 'sections')
  const content = objectAt(value, 'content')
  const lifecycle = objectAt(value, 'lifecycle')
  const needed = featureLevel(isObject(value) ? value : {})
  const name = textAt(artifact, 'title') ?? textAt(artifact, 'id')
  const facts = present({
    name,
    artifact_id: textAt(artifact, 'id'),
    type: textAt(artifact, 'type'),
    version: memberOf(artifact, 'version') === undefined ? undefined : String(memberOf(artifact, 'version')),
    aah_version: textAt(value, 'aah_version'),
    needs_reader: needed,
    by: textAt(objectAt(value, 'source'), 'agent_id'),
    media_type: textAt(content, 'media_type'),
    sections: sections.map((one) => ({
      id: textAt(one, 'id') ?? '?',
      type: textAt(one, 'type') ?? 'content',
      status: textAt(one, 'status') ?? 'draft',
    })),
    visibility: textAt(lifecycle, 'visibility') ?? 'private',
    retention: textAt(lifecycle, 'retention') ?? 'permanent',
    expires_at: textAt(lifecycle, 'expires_at'),
  })
  return {
    facts: facts as Inspection['facts'],
    headline: name ?? '(no id)',
    sections: [
      section('Artifact', [
        fact('type', facts.type),
        fact('id', facts.artifact_id),
        fact('by', facts.by),
        fact('holds', facts.media_type),
        fact('visible to', facts.visibility),
        fact('kept', textAt(lifecycle, 'expires_at') ?? facts.retention),
        fact('readers need AAH', needed),
      ]),
      section(
        'Sections',
        sections.map(
          (one): Line => ({
            text: textAt(one, 'heading') ?? textAt(one, 'id') ?? '?',
            note: [
              textAt(one, 'type'),
              textAt(one, 'status') ?? 'draft',
              textAt(one, 'decided_by') && `decided by ${textAt(one, 'decided_by')}`,
            ]
              .filter(Boolean)
              .join(', '),
          }),
        ),
      ),
    ],
  }
}

function inspectTask(value: Json): Inspection {
  const intent = textAt(objectAt(value, 'task'), 'intent')
  const given = new Set(isObject(value) ? Object.keys(value) : [])
  const complete = isObject(value) ? completed(value as unknown as Task) : undefined
  const constraints = objectAt(value, 'constraints')
  const assumed = ['iap_version', 'task_id', 'sender', 'delivery', 'output', 'on_failure'].filter(
    (member) => !given.has(member),
  )
  const facts = present({
    name: intent,
    task_id: textAt(value, 'task_id'),
    sender: textAt(objectAt(value, 'sender'), 'agent_id'),
    delivery: complete?.delivery.method,
    output: complete?.output.format,
    on_failure: complete?.on_failure.action,
    assumed,
    constraints,
    success_criteria: itemsAt(value, 'success_criteria'),
    parent_task_id: textAt(value, 'parent_task_id'),
  })
  return {
    facts: facts as Inspection['facts'],
    headline: intent ?? '(no intent)',
    sections: [
      section('Task', [
        fact('from', complete?.sender.agent_id),
        fact('id', facts.task_id),
        fact('answered', withNote(complete?.delivery.method, assumed.includes('delivery'))),
        fact('output', withNote(complete?.output.format, assumed.includes('output'))),
        fact('if it fails', withNote(complete?.on_failure.action, assumed.includes('on_failure'))),
      ]),
      section(
        'Within',
        Object.entries(constraints).map(([name, limit]) => fact(name, limit)),
      ),
      section(
        `Done when (${count(itemsAt(value, 'success_criteria').length, 'criterion', 'criteria')})`,
        itemsAt(value, 'success_criteria').map((text) => ({ text: String(text) })),
      ),
    ],
  }
}

/** Defaults are for sound tasks; of others nothing is assumed. */
function completed(task: Task) {
  try {
    return withTaskDefaults(task, () => '(none)')
  } catch {
    return undefined
  }
}

function withNote(value: string | undefined, assumed: boolean): string | undefined {
  return value === undefined ? undefined : `${value}${assumed ? ' (the default)' : ''}`
}

function inspectResult(value: Json): Inspection {
  const metadata = objectAt(value, 'metadata')
  const status = textAt(value, 'status')
  const facts = present({
    task_id: textAt(value, 'task_id'),
    status,
    error: memberOf(value, 'error'),
    criteria_met: itemsAt(value, 'criteria_met').length,
    criteria_unmet: itemsAt(value, 'criteria_unmet').length,
    agent_id: textAt(metadata, 'agent_id'),
    completed_at: textAt(metadata, 'completed_at'),
    tokens_used: memberOf(metadata, 'tokens_used'),
  })
  return {
    facts,
    headline: `a result: ${status ?? 'no status'}`,
    sections: [
      section('Result', [
        fact('of task', facts.task_id),
        fact('by', facts.agent_id),
        fact('at', facts.completed_at),
        fact('tokens', facts.tokens_used),
        fact('error', facts.error),
        fact('criteria', `${facts.criteria_met} met, ${facts.criteria_unmet} unmet`),
      ]),
    ],
  }
}
