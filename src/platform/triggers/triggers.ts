import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor, readNumberCursor } from '../../run/record/page-cursor.ts'
import type { Principal } from '../../session/principal.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { causersIn } from '../people/causers.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import type { MessageKeys } from '../webhooks/sign-message.ts'
import { nextSlot } from './claim-firings.ts'
import { hookSecretText, newHookSecret } from './hook-signature.ts'
import type { FiringView, TriggerChange, TriggerKind, TriggerSettings, Triggers } from './trigger.ts'
import type { TriggerEngine } from './trigger-engine.ts'
import {
  findFiring,
  findTrigger,
  firingRows,
  firingView,
  insertFiring,
  readTriggerView,
  SETTING_COLUMNS,
  settingsIn,
  settingValues,
  type TriggerRow,
  triggerNotFound,
  triggerViews,
} from './trigger-rows.ts'
import { checkSettings } from './trigger-settings.ts'

/** The principal is who changes them. */
export interface TriggersParts extends Pick<OrganisationParts, 'app' | 'org' | 'principal' | 'audited'> {
  readonly keys: MessageKeys
  readonly firings: Pick<TriggerEngine, 'claimMs' | 'performNow'>
}

/** Returns SQL for the makers of a trigger with those whose request it is. */
function makersWith(principal: Principal) {
  const more = causersIn(principal).map(storedText)
  return sql`ARRAY(SELECT DISTINCT m FROM unnest(makers || ${more}::text[]) AS m ORDER BY m)`
}

/** Triggers of one organisation. */
const MOST = 500

/** How long an answer waits for the start of a run, in milliseconds. */
const START_MS = 2000

/** The triggers of an organisation. */
export function triggersOf(parts: TriggersParts): Triggers {
  const { app, org, principal, keys, audited } = parts
  const { user } = principal
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    list: ({ limit = PAGE_LIMIT, cursor, agent_id }) =>
      act(async (sql) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const views = await triggerViews(sql, org, { after, agentId: agent_id, limit: limit + 1 })
        return pageOfRows(
          views,
          limit,
          (view) => view,
          ({ id }) => [id],
        )
      }),

    read: (id) => act((sql) => readTriggerView(sql, org, id)),

    create: ({ agent_id, kind, enabled = true, ...given }, id = uuidv7()) =>
      act(async (on) => {
        const settings = checkSettings(kind, given)
        await assertAgent(on, org, agent_id)
        const source = kind === 'webhook' ? newHookSecret(keys) : undefined
        const by = storedText(user)
        const hook = kind === 'webhook' ? id : null
        const { rowCount } = await on.query(
          sql`INSERT INTO waybill.triggers AS t (org, id, agent_id, kind, ${SETTING_COLUMNS}, source, enabled, acts_for, created_by,
             makers, hook, salt, key, next_at)
           SELECT ${org}, ${id}, ${storedText(agent_id)}, ${kind}, ${settingValues(kind, settings)}, 'api', ${enabled}, ${by}, ${by},
             ${causersIn(principal).map(storedText)}, ${hook}, ${source?.salt ?? null}, ${source?.key ?? null},
             ${nextSlot(settings, new Date())}
           WHERE (SELECT count(*) FROM waybill.triggers WHERE org = ${org} AND source = 'api' AND id <> ${id}) < ${MOST}
           -- A request that is performed again after a crash: the first secret was never shown.
           ON CONFLICT (org, id) DO UPDATE SET salt = excluded.salt, key = excluded.key`,
        )
        if (rowCount === 0) throw tooMany()
        await audited(on, 'trigger.created', { trigger: id, agent_id, of: kind, enabled })
        const view = await readTriggerView(on, org, id)
        if (source === undefined) return view
        const { format = 'standard' } = settings
        return { ...view, secret: hookSecretText(keys, { org, trigger: id, ...source }, format) }
      }),

    change: (id, { enabled = true, ...given }) =>
      act(async (on) => {
        const row = await lockedTrigger(on, org, id)
        const settings = changedSettings(row, given)
        await on.query(
          sql`UPDATE waybill.triggers SET (${SETTING_COLUMNS}) = ROW(${settingValues(row.kind, settings)}), enabled = ${enabled},
             next_at = ${enabled ? nextSlot(settings, new Date()) : null},
             why = CASE WHEN ${enabled} THEN NULL WHEN enabled THEN ${`disabled by ${user}`} ELSE why END,
             -- The one who enables it answers for its runs.
             acts_for = CASE WHEN ${enabled} THEN ${storedText(user)} ELSE acts_for END, makers = ${makersWith(principal)}
           WHERE org = ${org} AND id = ${row.id}`,
        )
        await audited(on, 'trigger.changed', { trigger: id, enabled })
        return readTriggerView(on, org, id)
      }),

    remove: (id) =>
      act(async (sql) => {
        const row = await lockedTrigger(sql, org, id)
        if (row.source === 'definition') throw declared()
        await sql.query('DELETE FROM waybill.triggers WHERE org = $1 AND id = $2', [org, row.id])
        await sql.query('DELETE FROM waybill.firings WHERE org = $1 AND trigger = $2', [org, row.id])
        await audited(sql, 'trigger.removed', { trigger: id })
      }),

    firings: (id, { limit = PAGE_LIMIT, cursor }) =>
      act(async (sql) => {
        if ((await findTrigger(sql, org, id)) === undefined) throw triggerNotFound(id)
        const rows = await firingRows(sql, org, id, readNumberCursor(cursor), limit + 1)
        return pageOfRows(rows, limit, firingView, ({ n }) => [String(n)])
      }),

    async fire(id, payload, slot = uuidv7()) {
      const given = payload ?? { type: 'manual', at: new Date().toISOString() }
      return fireNow(parts, id, `manual ${slot}`, given, { actsFor: user })
    },

    renewSecret: (id, oldValidSeconds) =>
      act(async (on) => {
        const row = await lockedTrigger(on, org, id)
        if (row.kind !== 'webhook') throw wrongKind('webhook', 'has a secret')
        const source = newHookSecret(keys)
        await on.query(
          sql`UPDATE waybill.triggers SET old_salt = salt, old_key = key,
             old_until = clock_timestamp() + ${oldValidSeconds} * interval '1 second',
             -- Who knows the secret can fire it.
             salt = ${source.salt}, key = ${source.key}, makers = ${makersWith(principal)}
           WHERE org = ${org} AND id = ${row.id}`,
        )
        await audited(on, 'trigger.secret_renewed', { trigger: id, old_valid_seconds: oldValidSeconds })
        const { format = 'standard' } = settingsIn(row)
        const secret = hookSecretText(keys, { org, trigger: row.id, ...source }, format)
        return { ...(await readTriggerView(on, org, id)), secret }
      }),

    async message(id, { id: messageId = uuidv7(), ...message }) {
      if ((message.text === undefined) === (message.data === undefined)) throw ambiguousMessage()
      const payload = { type: 'message', id: messageId, ...message, at: new Date().toISOString() }
      return fireNow(parts, id, messageId, payload, { kind: 'message', user: message.from })
    },
  }
}

/** Stores a firing and performs it. @throws TRIGGER_NOT_FOUND, TRIGGER_DISABLED, TRIGGER_INVALID for another kind */
async function fireNow(
  { app, org, principal, firings }: TriggersParts,
  id: string,
  slot: string,
  payload: Json,
  { actsFor, kind, user }: { readonly actsFor?: string; readonly kind?: TriggerKind; readonly user?: string },
): Promise<FiringView> {
  const isNew = await inOrganisation(app, org, async (on) => {
    const row = await findTrigger(on, org, id)
    if (row === undefined) throw triggerNotFound(id)
    if (kind !== undefined && row.kind !== kind) throw wrongKind(kind, 'takes messages')
    if (kind === undefined && (row.kind === 'message' || row.kind === 'agent_handoff'))
      throw new WaybillError('TRIGGER_INVALID', {
        message: `a trigger of kind ${row.kind} cannot be fired by hand`,
        hint: 'send a message, or start a run with POST /v1/agents/ID/runs',
      })
    if (!row.enabled) throw disabled(row)
    const stored = await insertFiring(on, org, row.id, {
      slot,
      payload,
      claimMs: firings.claimMs,
      causers: causersIn(principal),
      ...defined({ user }),
    })
    if (stored && actsFor !== undefined)
      await on.query(
        sql`UPDATE waybill.firings SET acts_for = ${storedText(actsFor)}
         WHERE org = ${org} AND trigger = ${row.id} AND slot = ${storedText(slot)}`,
      )
    return stored
  })
  if (isNew) await firings.performNow(org, id, slot, START_MS)
  const row = await inOrganisation(app, org, (sql) => findFiring(sql, org, id, slot))
  if (row === undefined) throw triggerNotFound(id)
  return firingView(row)
}

/** Settings of a declared trigger follow from the definition; only whether it is enabled may change. */
function changedSettings(row: TriggerRow, given: TriggerChange): TriggerSettings {
  if (row.source === 'api') return checkSettings(row.kind, given)
  if (Object.values(given).some((value) => value !== undefined)) throw declared()
  const settings = settingsIn(row)
  // One that was disabled because of its settings cannot be enabled.
  return checkSettings(row.kind, settings)
}

async function lockedTrigger(sql: Sql, org: string, id: string): Promise<TriggerRow> {
  const row = await findTrigger(sql, org, id, true)
  if (row === undefined) throw triggerNotFound(id)
  return row
}

/** @throws AGENT_NOT_FOUND */
async function assertAgent(sql: Sql, org: string, agentId: string): Promise<void> {
  const { rowCount } = await sql.query('SELECT FROM waybill.agents WHERE org = $1 AND agent_id = $2', [
    org,
    storedText(agentId),
  ])
  if (rowCount === 0)
    throw new WaybillError('AGENT_NOT_FOUND', {
      fault: 'usage',
      at: '/agent_id',
      message: `there is no agent ${JSON.stringify(agentId.slice(0, 200))}`,
      hint: 'list the agents with GET /v1/agents',
    })
}

function disabled({ why }: TriggerRow): WaybillError {
  return new WaybillError('TRIGGER_DISABLED', {
    fault: 'refused',
    message: `the trigger is disabled${why === null ? '' : `: ${why}`}`,
    hint: 'enable it with PUT /v1/triggers/ID',
  })
}

function declared(): WaybillError {
  return new WaybillError('TRIGGER_DECLARED', {
    fault: 'refused',
    message: 'the trigger comes from the definition of its agent',
    hint: 'upload a version with another trigger; PUT with {"enabled": false} disables this one',
  })
}

function wrongKind(kind: TriggerKind, does: string): WaybillError {
  return new WaybillError('TRIGGER_INVALID', {
    message: `only a trigger of kind ${kind} ${does}`,
    hint: 'list the triggers with GET /v1/triggers',
  })
}

function ambiguousMessage(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    at: '/text',
    message: 'a message has either text or data',
    hint: 'send one of the two',
  })
}

function tooMany(): WaybillError {
  return new WaybillError('TRIGGER_LIMIT', {
    fault: 'refused',
    message: `the organisation has ${MOST} triggers, which is the limit`,
    hint: 'remove one that is not used',
  })
}
