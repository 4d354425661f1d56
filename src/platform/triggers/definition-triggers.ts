import { randomUUID } from 'node:crypto'
import type { Condition } from '../../condition/index.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { AgentDefinition, Trigger } from '../../spec/aaif/generated/agent.ts'
import type { Activation } from '../agents/agent-catalogue.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { nextSlot } from './claim-firings.ts'
import type { HookSecret } from './hook-signature.ts'
import type { TriggerKind, TriggerSettings } from './trigger.ts'
import { SETTING_COLUMNS, settingsIn, settingValues, type TriggerRow } from './trigger-rows.ts'
import { checkSettings } from './trigger-settings.ts'

/** A trigger of a definition that the platform can fire. */
export interface DeclaredTrigger {
  /** The same for the same trigger of the next version: its kind, and its path, event or position. */
  readonly name: string
  readonly kind: TriggerKind
  readonly settings: TriggerSettings
  /** Why it cannot start a run. */
  readonly why?: string
}

/** Returns the triggers of a definition. Files are not watched here, and a person needs no trigger. */
export function declaredTriggers({ agent }: AgentDefinition): readonly DeclaredTrigger[] {
  const counts = new Map<string, number>()
  return (agent.events?.triggers ?? []).flatMap((trigger): readonly DeclaredTrigger[] => {
    const { type } = trigger
    if (type === 'manual' || type === 'file_change') return []
    const named = `${type} ${trigger.webhook_path ?? trigger.event_name ?? ''}`
    const count = (counts.get(named) ?? 0) + 1
    counts.set(named, count)
    return [{ name: `${named} ${count}`, kind: type, ...settingsOf(type, trigger) }]
  })
}

function settingsOf(kind: TriggerKind, trigger: Trigger): Pick<DeclaredTrigger, 'settings' | 'why'> {
  const { schedule, event_name: event } = trigger
  const filter: Condition | undefined = trigger.filter
  const structured = typeof filter === 'string' ? undefined : filter
  const settings: TriggerSettings = {
    ...defined({ filter: structured }),
    ...(kind === 'schedule' && defined({ schedule })),
    ...(kind === 'event' && defined({ event })),
    ...(kind === 'webhook' && event !== undefined && { events: [event] }),
  }
  // Such a filter must not start a run (AAIF §5).
  if (typeof filter === 'string') return { settings, why: 'its filter is plain text and cannot be evaluated' }
  try {
    return { settings: checkSettings(kind, settings) }
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return { settings, why: error.message }
  }
}

/**
 * Makes the triggers of an agent those of its active version, in the transaction that activates it. One that the version
 * before has declared too keeps its id, URL, secret and firings, and stays disabled if a person has disabled it.
 * @param newSecret makes what the secret of a new webhook is derived from
 */
export async function declareTriggers(
  on: Sql,
  { org, agent_id, user, makers, definition }: Activation,
  newSecret: () => Pick<HookSecret, 'salt' | 'key'>,
): Promise<void> {
  const wanted = definition === undefined ? [] : declaredTriggers(definition)
  const { rows } = await on.query<TriggerRow & { readonly declared: string }>(
    `SELECT id, kind, settings, enabled, why, declared FROM waybill.triggers
     WHERE org = $1 AND agent_id = $2 AND source = 'definition' FOR UPDATE`,
    [org, agent_id],
  )
  const gone = rows
    .filter(({ declared }) => !wanted.some(({ name }) => name === declared))
    .map(({ id }) => id)
  await on.query('DELETE FROM waybill.triggers WHERE org = $1 AND id = ANY ($2)', [org, gone])
  await on.query('DELETE FROM waybill.firings WHERE org = $1 AND trigger = ANY ($2)', [org, gone])
  for (const one of wanted) {
    const before = rows.find(({ declared }) => declared === one.name)
    const wasDisabled = before !== undefined && !before.enabled
    const why = one.why ?? (wasDisabled && before.why?.startsWith('disabled by ') ? before.why : null)
    const isSame = before !== undefined && JSON.stringify(settingsIn(before)) === JSON.stringify(one.settings)
    // Random: it is also the name of a webhook in a public URL.
    const id = before?.id ?? randomUUID()
    const next = why === null ? nextSlot(one.settings, new Date()) : null
    const secret = one.kind === 'webhook' && before === undefined ? newSecret() : undefined
    const hook = one.kind === 'webhook' ? id : null
    const values = settingValues(one.kind, one.settings)
    const by = storedText(user)
    const more = makers.map(storedText)
    await on.query(
      sql`INSERT INTO waybill.triggers AS t (org, id, agent_id, kind, ${SETTING_COLUMNS}, source, declared, enabled, why, acts_for,
         created_by, makers, hook, salt, key, next_at)
       VALUES (${org}, ${id}, ${agent_id}, ${one.kind}, ${values}, 'definition', ${one.name}, ${why === null}, ${why}, ${by}, ${by},
         ${more}, ${hook}, ${secret?.salt ?? null}, ${secret?.key ?? null}, ${next})
       ON CONFLICT (org, id) DO UPDATE SET (${SETTING_COLUMNS}) = ROW(${values}), enabled = ${why === null}, why = ${why},
         acts_for = ${by}, makers = ARRAY(SELECT DISTINCT m FROM unnest(t.makers || ${more}::text[]) AS m ORDER BY m),
         next_at = CASE WHEN ${isSame} AND t.enabled AND ${why === null} THEN t.next_at ELSE ${next} END`,
    )
  }
}
