import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { encodingOfMediaType } from '../../document/media-types.ts'
import { ownMember } from '../../document/own-member.ts'
import { readDocument } from '../../document/read-document.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { MessageKeys } from '../webhooks/sign-message.ts'
import { type HookSecret, verifiedId } from './hook-signature.ts'
import type { HookMessage, Hooks, TriggerSettings } from './trigger.ts'
import type { TriggerEngine } from './trigger-engine.ts'
import { findFiring, firingView, insertFiring, settingsIn } from './trigger-rows.ts'

export interface HooksParts {
  /** Sees all organisations: the path of a hook does not name one. */
  readonly engine: pg.Pool
  readonly keys: MessageKeys
  readonly firings: Pick<TriggerEngine, 'claimMs' | 'performNow'>
}

interface HookRow {
  readonly org: string
  readonly id: string
  readonly settings: string
  readonly enabled: boolean
  readonly salt: string
  readonly key: string
  readonly old_salt: string | null
  readonly old_key: string | null
}

/** How long an answer waits for the start of a run, in milliseconds: senders wait for a few seconds only. */
const START_MS = 2000

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64

/** Takes signed messages for the webhooks of all organisations. */
export function hooksOf({ engine, keys, firings }: HooksParts): Hooks {
  return {
    async receive(message) {
      const row = await hookRow(engine, message.hook)
      const settings = row === undefined ? {} : settingsIn(row)
      const secrets = row === undefined || !row.enabled ? [] : secretsOf(row)
      const id = verifiedId(keys, secrets, settings.format ?? 'standard', message, new Date())
      if (row === undefined || !row.enabled || id === null) throw refused()
      const { org } = row
      const payload = payloadOf(id, settings, message)
      const why = unwanted(settings, payload, message)
      const stored = await inOrganisation(engine, org, (sql) =>
        insertFiring(sql, org, row.id, {
          slot: id,
          payload,
          claimMs: firings.claimMs,
          ...(why !== null && { state: 'skipped', why }),
        }),
      )
      if (stored && why === null) await firings.performNow(org, row.id, id, START_MS)
      const firing = await inOrganisation(engine, org, (sql) => findFiring(sql, org, row.id, id))
      if (firing === undefined) throw refused()
      return { repeated: !stored, firing: firingView(firing) }
    },
  }
}

async function hookRow(engine: pg.Pool, hook: string): Promise<HookRow | undefined> {
  if (!/^[\w-]{1,100}$/.test(hook)) return undefined
  const { rows } = await engine.query<HookRow>({
    name: 'hook-row',
    text: `SELECT org, id, settings, enabled, salt, key, CASE WHEN old_until > clock_timestamp() THEN old_salt END AS old_salt, old_key
      FROM waybill.triggers WHERE hook = $1`,
    values: [hook],
  })
  return rows[0]
}

function secretsOf({ org, id: trigger, salt, key, old_salt, old_key }: HookRow): readonly HookSecret[] {
  return [
    { org, trigger, salt, key },
    ...(old_salt === null || old_key === null ? [] : [{ org, trigger, salt: old_salt, key: old_key }]),
  ]
}

/** @throws BODY_UNREADABLE for JSON that cannot be read, or text that is not UTF-8 */
function payloadOf(
  id: string,
  { headers: wanted = [] }: TriggerSettings,
  { headers, bytes }: HookMessage,
): JsonObject {
  const chosen = ['content-type', 'x-github-event', ...wanted].flatMap((name): readonly [string, Json][] => {
    const value = ownMember(headers, name)
    return typeof value === 'string' ? [[name, value]] : []
  })
  const type = headers['content-type']
  const isJson = typeof type === 'string' && encodingOfMediaType(type) === 'json'
  const body = isJson ? jsonIn(bytes) : textIn(bytes)
  return { type: 'webhook', id, headers: Object.fromEntries(chosen), body, at: new Date().toISOString() }
}

function jsonIn(bytes: Uint8Array): Json {
  const { document, issues } = readDocument(bytes, {
    encoding: 'json',
    exactNumbers: true,
    maxDepth: MAX_DEPTH,
    maxBytes: MAX_BYTES,
  })
  if (document === undefined) throw unreadable(issues[0]?.message ?? 'it is not valid JSON')
  return document.value
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('it is neither JSON nor text in UTF-8')
  }
}

/** Returns why an event is not one of those that start runs. */
function unwanted(
  { events, format }: TriggerSettings,
  { body }: JsonObject,
  { headers }: HookMessage,
): string | null {
  if (events === undefined) return null
  const inBody = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  const type = format === 'github' ? headers['x-github-event'] : inBody
  if (typeof type === 'string' && events.includes(type)) return null
  return typeof type === 'string'
    ? `events of the type ${JSON.stringify(type.slice(0, 100))} start no run`
    : 'the message does not name the type of its event'
}

function refused(): WaybillError {
  return new WaybillError('HOOK_REFUSED', {
    fault: 'refused',
    message: 'there is no such hook, or the message is not signed as it expects',
    hint: 'compare URL, secret and format with those of the trigger, and the clock of the sender',
  })
}

function unreadable(why: string): WaybillError {
  return new WaybillError('BODY_UNREADABLE', {
    fault: 'usage',
    message: `the body cannot be read: ${why}`,
    hint: 'send JSON with `content-type: application/json`, or text',
  })
}
