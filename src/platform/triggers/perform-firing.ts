import { createHash } from 'node:crypto'
import type pg from 'pg'
import { compileCondition } from '../../condition/index.ts'
import { sha256 } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Principal } from '../../session/principal.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { giveCommand } from '../engine/commands.ts'
import { PLATFORM } from '../engine/leg.ts'
import { causersOf } from '../people/causers.ts'
import { findMember, type HeldMember } from '../people/organisation-parts.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { TenantRuns } from '../runs/runs.ts'
import type { TenantSessions } from '../sessions/tenant-sessions.ts'
import { disableTrigger } from './claim-firings.ts'
import { isBehind, setState } from './firing-state.ts'
import type { TriggerKind } from './trigger.ts'
import { type FiringRow, findTrigger, runIdOf, settingsIn, type TriggerRow } from './trigger-rows.ts'
import { overlapOf } from './trigger-settings.ts'

export interface FiringParts {
  readonly engine: pg.Pool
  readonly nextEntry: EntryMaker
  /** Opens the runs of an organisation for the member on whose behalf they are started. */
  readonly runsOf: (principal: Principal) => Pick<TenantRuns, 'begin' | 'read'>
  /** Opens its sessions in the same way. */
  readonly sessionsOf: (principal: Principal) => Pick<TenantSessions, 'deliver'>
}

/** A firing whose conditions hold. */
interface Ready {
  readonly trigger: TriggerRow
  readonly principal: Principal
  readonly input: Json
}

/** Triggers whose slots the platform names. */
const OWN_SLOTS: ReadonlySet<TriggerKind> = new Set(['schedule', 'event', 'agent_handoff'])

/** After this many attempts that failed for a reason of the installation, a firing is given up. */
const MOST_ATTEMPTS = 20

/** Thrown to undo a transaction: another process has started the run, or the firing was given up. */
const SETTLED = Symbol('the firing is settled')

/**
 * Starts the run of a firing that this process has claimed, or records why not. May be repeated after a crash: the id of
 * the run follows from the firing, which is settled in the transaction that stores the run.
 */
export async function performFiring(parts: FiringParts, firing: FiringRow): Promise<void> {
  try {
    const payload = await completePayload(parts, firing)
    const ready = await inOrganisation(parts.engine, firing.org, (sql) =>
      prepare(sql, parts, firing, payload),
    )
    if (ready !== undefined) await start(parts, firing, ready)
  } catch (error) {
    if (error === SETTLED) return
    const known = error instanceof WaybillError ? error : undefined
    // The claim ends by itself, and another attempt follows.
    const mayPass = known === undefined || known.fault === 'failed'
    if (mayPass && firing.attempts < MOST_ATTEMPTS) throw error
    const why = known === undefined ? messageOf(error) : `${known.code}: ${known.message}`
    await inOrganisation(parts.engine, firing.org, (sql) => setState(sql, firing, 'failed', why))
  }
}

async function prepare(
  sql: Sql,
  parts: FiringParts,
  firing: FiringRow,
  payload: JsonObject,
): Promise<Ready | undefined> {
  const { org } = firing
  const trigger = await findTrigger(sql, org, firing.trigger, true)
  const settle = async (...[state, why]: [Parameters<typeof setState>[2], string]) => {
    await setState(sql, firing, state, why)
    return undefined
  }
  if (trigger === undefined) return settle('skipped', 'the trigger was removed')
  if (!trigger.enabled && firing.acts_for === null) return settle('skipped', 'the trigger is disabled')
  const user = originalText(firing.acts_for ?? trigger.acts_for)
  const member = await operatorIn(sql, org, user)
  if (typeof member === 'string') {
    if (firing.acts_for === null) await disable(sql, parts, trigger, member)
    return settle('refused', member)
  }
  const settings = settingsIn(trigger)
  if (settings.filter !== undefined) {
    const { outcome, reason } = compileCondition(settings.filter, 'typed').evaluate(payload)
    if (outcome === 'false') return settle('skipped', 'its filter does not match')
    if (outcome === 'unevaluable') return settle('skipped', `its filter cannot be evaluated: ${reason}`)
  }
  const principal: Principal = { organisation: org, user, ...member }
  const overlap = trigger.kind === 'message' ? 'allow' : overlapOf(trigger.kind, settings)
  if (overlap !== 'allow') {
    const behind = await isBehind(sql, firing, overlap === 'cancel_previous')
    if (behind.waits && overlap === 'skip') return settle('skipped', 'a run of an earlier firing is active')
    if (behind.full) return settle('skipped', 'too many earlier firings wait')
    if (behind.waits) {
      await setState(sql, firing, 'queued', 'waits for the end of an earlier run')
      for (const runId of behind.cancels) await giveCommand(sql, org, runId, { type: 'cancel' }, user)
      return undefined
    }
  }
  return { trigger, principal, input: settings.input ?? payload }
}

async function start(
  parts: FiringParts,
  firing: FiringRow,
  { trigger, principal, input }: Ready,
): Promise<void> {
  const { org, slot } = firing
  const agentId = originalText(trigger.agent_id)
  const runId = runIdOf(firing)
  const causers = await causersOfFiring(parts, firing, trigger)
  const settled = async (on: Sql, started: string) => {
    const run = storedText(started)
    const { rowCount } = await on.query(
      sql`UPDATE waybill.firings AS f SET state = 'started', why = NULL, due_at = NULL, run_id = ${run},
         acts_for = ${storedText(principal.user)},
         active = EXISTS (SELECT FROM waybill.progress AS p WHERE p.org = ${org} AND p.run_id = ${run}
           AND p.status IN ('running', 'waiting', 'paused') AND p.phase NOT IN ('over', 'moved')),
         version = (SELECT version FROM waybill.runs WHERE org = ${org} AND run_id = ${run})
       WHERE org = ${org} AND trigger = ${firing.trigger} AND slot = ${slot} AND state IN ('pending', 'queued')`,
    )
    if (rowCount !== 1) throw SETTLED
    await appendAudit(on, org, parts.nextEntry, [
      {
        at: new Date().toISOString(),
        kind: 'trigger.fired',
        by: `trigger ${firing.trigger}`,
        on_behalf_of: principal.user,
        agent_id: agentId,
        // Who sends a message names it.
        slot: OWN_SLOTS.has(trigger.kind) ? originalText(slot) : `sha256:${sha256(originalText(slot))}`,
        run_id: started,
      },
    ])
  }
  if (trigger.kind === 'message') {
    const {
      from = '',
      text,
      data,
    } = input as { readonly from?: string; readonly text?: string; readonly data?: Json }
    const message = { input: text ?? data ?? '', from, session: sessionOf(firing, from), id: runId, causers }
    const started = await parts.sessionsOf(principal).deliver(agentId, message)
    return inOrganisation(parts.engine, org, (sql) => settled(sql, started))
  }
  let stored = false
  const also = async (sql: Sql) => {
    await settled(sql, runId)
    stored = true
  }
  await parts.runsOf(principal).begin(agentId, { input }, runId, also, {
    triggered: true,
    causers,
    derivedFrom: endedRunIn(firing),
  })
  // The run was stored by an earlier attempt, and its firing was then made again.
  if (!stored) await inOrganisation(parts.engine, org, (sql) => settled(sql, runId))
}

/** Returns who has caused a firing besides the member it acts for: the end of a run is caused by what caused the run. */
async function causersOfFiring(
  { engine }: FiringParts,
  { org, causers, payload }: FiringRow,
  { makers }: TriggerRow,
): Promise<readonly string[]> {
  const ended = endedRunIn({ payload })
  const before =
    ended.length === 0 ? [] : await inOrganisation(engine, org, (sql) => causersOf(sql, org, ended))
  return [...makers.map(originalText), ...causers.map(originalText), ...before]
}

/** Returns the run whose end has fired the trigger, as a list. */
function endedRunIn({ payload }: Pick<FiringRow, 'payload'>): readonly string[] {
  const { type, run_id } = JSON.parse(payload) as { readonly type?: Json; readonly run_id?: Json }
  return type === 'event' && typeof run_id === 'string' ? [run_id] : []
}

/** An event names the run that has ended; its output is read when it is needed, because it may be long. */
async function completePayload(parts: FiringParts, firing: FiringRow): Promise<JsonObject> {
  const payload = JSON.parse(firing.payload) as JsonObject
  const { type, event, run_id } = payload
  if (type !== 'event' || event !== 'run.ended' || typeof run_id !== 'string') return payload
  const platform: Principal = { organisation: firing.org, user: PLATFORM, roles: ['operator'] }
  const { output = null } = await parts.runsOf(platform).read(run_id)
  return { ...payload, output }
}

/** Returns the member who may start runs, or why not. */
async function operatorIn(sql: Sql, org: string, user: string): Promise<HeldMember | string> {
  const member = await findMember(sql, org, user).catch((error: unknown) => {
    if (error instanceof WaybillError && error.code === 'MEMBER_NOT_FOUND') return undefined
    throw error
  })
  if (member === undefined) return `it acts for ${user}, who is not a member of the organisation`
  if (member.roles.includes('operator') || member.roles.includes('admin')) return member
  return `it acts for ${user}, who does not have the role operator`
}

async function disable(sql: Sql, parts: FiringParts, { org, id }: TriggerRow, why: string): Promise<void> {
  await disableTrigger(sql, org, id, why)
  const at = new Date().toISOString()
  await appendAudit(sql, org, parts.nextEntry, [
    { at, kind: 'trigger.disabled', by: PLATFORM, trigger: id, why },
  ])
}

/** The session of a sender: the same for all messages to one trigger. */
function sessionOf({ org, trigger }: FiringRow, from: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([org, trigger, from]))
    .digest('hex')
  return `trigger-${hash.slice(0, 32)}`
}
