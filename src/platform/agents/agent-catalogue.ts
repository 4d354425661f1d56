import { defined } from '../../document/defined.ts'
import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson } from '../../document/json.ts'
import { encodingOfMediaType, mediaTypeOf } from '../../document/media-types.ts'
import { ownMember } from '../../document/own-member.ts'
import { PAGE_LIMIT, readCursor, writeCursor } from '../../run/record/page-cursor.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import { auditingRefusal } from '../../session/audit-refusal.ts'
import type { Home } from '../../session/home.ts'
import type { Principal } from '../../session/principal.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import type { AuditFact, EntryMaker } from '../../trust/audit-chain.ts'
import type { Database } from '../database/open-database.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { Store } from '../records/store.ts'
import type { AgentStatus, Agents, AgentView } from './agent.ts'
import {
  findVersion,
  JOINED,
  lockAgent,
  notActive,
  reportOf,
  setStatus,
  type VersionRow,
  VIEW_COLUMNS,
  viewOf,
} from './agent-rows.ts'
import { type DefinitionReader, readerInThisThread } from './definition-reader.ts'
import type { InstalledFunctions, Upload, UploadRules } from './read-upload.ts'
import { type StoredVersion, VERSION_COLUMNS } from './stored-version.ts'

export interface CatalogueOptions extends UploadRules {
  /** Default: this thread. */
  readonly reader?: DefinitionReader
  /** The functions that the operator has installed. */
  readonly functions?: InstalledFunctions | undefined
  /** New versions are pending until a person activates them. */
  readonly review?: boolean
  /** Makes the entries of the organisation's audit log. */
  readonly nextEntry: EntryMaker
  /** Called in the transaction that changes which version of an agent is active. */
  readonly activated?: ((sql: Sql, activation: Activation) => Promise<void>) | undefined
}

/** Which version of an agent is active now. */
export interface Activation {
  readonly org: string
  /** As stored. */
  readonly agent_id: string
  /** Who has activated the version. */
  readonly user: string
  /** Who has made it: who uploaded the version, and who activated it. */
  readonly makers: readonly string[]
  /** Absent: no version is active any more. */
  readonly definition?: AgentDefinition
}

/** The agents of an organisation without their plans. */
export interface Catalogue extends Omit<Agents, 'plan' | 'planUpload'> {
  /** Examines an upload without storing it. @throws as `upload` */
  examined(body: Uint8Array, mediaType: string): Promise<StoredVersion>
}

const LARGEST_PAGE = 1000

/** A label begins with a letter, so that it is never mistaken for a version. */
export const LABEL = /^[A-Za-z][A-Za-z0-9._-]{0,62}$/

/**
 * Returns the agents of the organisation of a principal. Versions that an agent has had are never changed or removed: an
 * upload adds one, and activation only decides which one new runs use.
 */
export function agentCatalogue(
  { app }: Pick<Database, 'app'>,
  { organisation: org, user }: Principal,
  home: Pick<Home, 'audit' | 'trust'>,
  options: CatalogueOptions,
): Catalogue {
  const store = new Store(app, org, null)
  const { reader = readerInThisThread(options) } = options
  const audit = (sql: Sql, kind: string, fact: Omit<AuditFact, 'at' | 'kind'>) =>
    appendAudit(sql, org, options.nextEntry, [{ at: new Date().toISOString(), kind, ...fact, by: user }])
  /** Announces the active version of an agent. @param version null: none is active */
  const declare = async (sql: Sql, agent_id: string, version: string | null) => {
    const stored =
      version === null
        ? undefined
        : await findVersion<StoredVersion & { readonly uploaded_by: string }>(
            sql,
            org,
            originalText(agent_id),
            version,
            `${VERSION_COLUMNS}, uploaded_by`,
          )
    await options.activated?.(sql, {
      org,
      agent_id,
      user,
      makers: stored === undefined ? [user] : [user, originalText(stored.uploaded_by)],
      ...(stored !== undefined && { definition: await reader.content(stored) }),
    })
  }
  const page = async (
    query: (limit: number, after: PagePlace | undefined) => Promise<readonly (VersionRow & Place)[]>,
    { limit = PAGE_LIMIT, cursor }: Page,
  ): Promise<PageOf<AgentView>> => {
    const most = Math.min(Math.max(1, Math.trunc(limit)), LARGEST_PAGE)
    const place = cursor === undefined ? undefined : readCursor(cursor)
    const rows = await query(most + 1, place)
    const shown = rows.slice(0, most)
    const last = shown.at(-1)
    const more = rows.length > most && last !== undefined
    return {
      items: shown.map(viewOf),
      next: more ? writeCursor({ created_at: last.place, run_id: last.agent_id }) : null,
    }
  }

  const examine = (body: Uint8Array, mediaType: string): Promise<Upload> => {
    let content: AgentDefinition | undefined
    return auditingRefusal(
      { home, by: user, source: 'upload' },
      () => content,
      async () => {
        const read = await reader.examine(body, mediaType, { trust: home.trust, uploader: user })
        content = read.content
        await options.functions?.assertAllowed(org, content)
        return read
      },
    )
  }

  return {
    async examined(body, media_type) {
      const { agent_id, digest, definition } = await examine(body, media_type)
      const uploaded_by = storedText(user)
      const kept = { media_type, body: Buffer.from(body), uploaded_by }
      return { agent_id, version: digest, status: 'draft', digest, definition, ...kept }
    },

    async upload(body, mediaType, { draft = false } = {}) {
      const upload = await examine(body, mediaType)
      return store.write(async (sql) => {
        await sql.query(
          'INSERT INTO waybill.agents (org, agent_id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
          [org, upload.agent_id, storedText(upload.name)],
        )
        const { active } = await lockAgent(sql, org, upload.agent_id)
        // A draft of what waits for a review would pass the review by.
        const drafts = draft && options.review !== true && !upload.isDeprecated
        const known = await knownVersion(sql, org, upload, drafts)
        if (known !== undefined && known !== 'draft') return { created: false, agent: viewOf(known) }
        const status = known ?? statusOf(upload, options.review === true)
        const version =
          known === 'draft' ? upload.digest : (upload.version ?? (await nextCount(sql, org, upload.agent_id)))
        await sql.query(
          `INSERT INTO waybill.agent_versions
             (org, agent_id, version, digest, definition, media_type, body, status, report, uploaded_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [
            org,
            upload.agent_id,
            version,
            upload.digest,
            upload.definition,
            mediaType,
            Buffer.from(body),
            status,
            JSON.stringify(upload.report),
            storedText(user),
          ],
        )
        if (status === 'active') {
          await makeActive(sql, org, upload.agent_id, active, version, upload.name)
          await declare(sql, upload.agent_id, version)
        }
        await audit(sql, 'definition.imported', {
          agent_id: upload.agent_id,
          definition: upload.definition,
          safety_level: upload.safety_level,
          source: 'upload',
          version,
          status,
          signature: upload.signature.status,
          ...defined({ signer: upload.signature.signer }),
        })
        return { created: true, agent: viewOf(await findVersion(sql, org, upload.agent_id, version)) }
      })
    },

    list: (request) =>
      page(async (limit, after) => {
        const name = request.name === undefined ? null : storedText(request.name)
        const rows = await store.read((sql) =>
          sql.query<VersionRow & Place>(
            `SELECT ${VIEW_COLUMNS}, ${MICROSECONDS} AS place FROM waybill.agents AS a
             CROSS JOIN LATERAL (
               SELECT * FROM waybill.agent_versions AS one WHERE one.org = a.org AND one.agent_id = a.agent_id AND one.status <> 'draft'
               ORDER BY (one.version = a.active) DESC NULLS LAST, one.n DESC LIMIT 1) AS v
             WHERE a.org = $1 AND ($2::bigint IS NULL OR (${MICROSECONDS}, a.agent_id COLLATE "C") < ($2, $3 COLLATE "C"))
               AND ($5::text IS NULL OR a.name = $5)
             ORDER BY ${MICROSECONDS} DESC, a.agent_id COLLATE "C" DESC LIMIT $4`,
            [org, after?.created_at ?? null, storedText(after?.run_id ?? ''), limit, name],
          ),
        )
        return rows.rows
      }, request),

    read: async (agentId, version) =>
      viewOf(await store.read((sql) => findVersion(sql, org, agentId, version))),

    versions: (agentId, request) =>
      page(async (limit, after) => {
        const { rows } = await store.read(async (sql) => {
          await findVersion(sql, org, agentId)
          return sql.query<VersionRow & Place>(
            `SELECT ${VIEW_COLUMNS}, v.n AS place FROM ${JOINED}
             WHERE a.org = $1 AND a.agent_id = $2 AND ($3::bigint IS NULL OR v.n < $3) ORDER BY v.n DESC LIMIT $4`,
            [org, storedText(agentId), after?.created_at ?? null, limit],
          )
        })
        return rows
      }, request),

    async definition(agentId, version, accepted) {
      const found = await store.read((sql) =>
        findVersion<StoredVersion>(sql, org, agentId, version, VERSION_COLUMNS),
      )
      const stored = encodingOfMediaType(found.media_type)
      const wanted = wantedEncoding(accepted, stored)
      if (wanted === undefined || wanted === stored) return { body: found.body, mediaType: found.media_type }
      const value = asJson(await reader.content(found))
      return { body: encodeDocument(value, wanted), mediaType: mediaTypeOf(wanted, 'aaif.agent') }
    },

    activate: (agentId, version) =>
      store.write(async (sql) => {
        const { active } = await lockAgent(sql, org, agentId)
        const target =
          version === undefined
            ? await newestVersion(sql, org, agentId)
            : await findVersion(sql, org, agentId, version)
        if (target.version === active) return viewOf(target)
        assertReleased(target)
        const { agent_id, version: next } = target
        await makeActive(sql, org, agent_id, active, next, reportOf(target).name)
        await setStatus(sql, org, target, 'active')
        await declare(sql, agent_id, next)
        await audit(sql, 'definition.activated', {
          agent_id,
          version: next,
          ...(active !== null && { before: active }),
        })
        return viewOf(await findVersion(sql, org, agentId, next))
      }),

    deprecate: (agentId, version) =>
      store.write(async (sql) => {
        const { active } = await lockAgent(sql, org, agentId)
        if (version === undefined && active === null)
          throw notActive(`agent ${agentId} has no active version`)
        const target = await findVersion(sql, org, agentId, version)
        if (target.status === 'deprecated') return viewOf(target)
        assertReleased(target)
        await setStatus(sql, org, target, 'deprecated')
        if (target.version === active) {
          await sql.query(
            'UPDATE waybill.agents SET active = NULL, updated_at = now() WHERE org = $1 AND agent_id = $2',
            [org, target.agent_id],
          )
          await declare(sql, target.agent_id, null)
        }
        await audit(sql, 'definition.deprecated', { agent_id: target.agent_id, version: target.version })
        return viewOf(await findVersion(sql, org, agentId, target.version))
      }),

    label: (agentId, label, version) => {
      assertLabel(label)
      return store.write(async (sql) => {
        const { agent_id, labels } = await lockAgent(sql, org, agentId)
        const target = version === null ? undefined : await findVersion(sql, org, agentId, version)
        if (target !== undefined) assertReleased(target)
        if (ownMember(labels, label) !== target?.version) {
          const { [label]: before, ...others } = labels
          const next = target === undefined ? others : { ...others, [label]: target.version }
          await sql.query(
            'UPDATE waybill.agents SET labels = $3, updated_at = now() WHERE org = $1 AND agent_id = $2',
            [org, agent_id, JSON.stringify(next)],
          )
          await audit(sql, 'definition.labelled', {
            agent_id,
            label,
            ...defined({ version: target?.version, before }),
          })
        }
        return viewOf(await findVersion(sql, org, agentId, target?.version))
      })
    },
  }
}

/** Where a row is in its list. */
interface Place {
  readonly place: number
}

type PagePlace = ReturnType<typeof readCursor>

const MICROSECONDS = '(extract(epoch FROM a.created_at) * 1000000)::bigint'

function statusOf({ isDeprecated }: Upload, review: boolean): AgentStatus {
  if (isDeprecated) return 'deprecated'
  return review ? 'pending' : 'active'
}

/**
 * Returns the version with these bytes; `draft` if this version has other bytes and drafts are permitted.
 * @throws VERSION_EXISTS if this version has other bytes
 */
async function knownVersion(
  sql: Sql,
  org: string,
  upload: Upload,
  drafts: boolean,
): Promise<VersionRow | 'draft' | undefined> {
  const { agent_id, digest, version } = upload
  const { rows } = await sql.query<VersionRow>(
    `SELECT ${VIEW_COLUMNS} FROM ${JOINED}
     WHERE a.org = $1 AND a.agent_id = $2 AND (v.digest = $3 AND (v.status <> 'draft' OR $5) OR v.version = $4)
     ORDER BY v.digest = $3 DESC, v.status = 'draft' LIMIT 1`,
    [org, agent_id, digest, version ?? null, drafts],
  )
  const [known] = rows
  if (known === undefined || known.digest === digest) return known
  if (drafts) return 'draft'
  throw new WaybillError('VERSION_EXISTS', {
    message: `version ${version} of agent ${agent_id} was uploaded before, with other bytes (${known.digest})`,
    at: '/agent/version',
    hint: 'give the changed definition a new `agent.version`',
  })
}

/** Returns the number of the next version of an agent whose definitions name none. */
async function nextCount(sql: Sql, org: string, agentId: string): Promise<string> {
  const { rows } = await sql.query<{ next: string }>(
    String.raw`SELECT (coalesce(max(version::bigint), 0) + 1)::text AS next FROM waybill.agent_versions
     WHERE org = $1 AND agent_id = $2 AND version ~ '^\d{1,15}$'`,
    [org, agentId],
  )
  return rows[0]?.next ?? '1'
}

async function newestVersion(sql: Sql, org: string, agentId: string): Promise<VersionRow> {
  const { rows } = await sql.query<VersionRow>(
    `SELECT ${VIEW_COLUMNS} FROM ${JOINED} WHERE a.org = $1 AND a.agent_id = $2 AND v.status <> 'draft' ORDER BY v.n DESC LIMIT 1`,
    [org, storedText(agentId)],
  )
  return rows[0] ?? findVersion(sql, org, agentId)
}

/** Points an agent at a version. The version that was active before becomes inactive. */
async function makeActive(
  sql: Sql,
  org: string,
  agent_id: string,
  before: string | null,
  version: string,
  name: string,
): Promise<void> {
  if (before !== null) await setStatus(sql, org, { agent_id, version: before }, 'inactive')
  await sql.query(
    'UPDATE waybill.agents SET active = $3, name = $4, updated_at = now() WHERE org = $1 AND agent_id = $2',
    [org, agent_id, version, storedText(name)],
  )
}

/**
 * Returns the first accepted encoding.
 * @param accepted media types or ranges of them, in order of preference
 * @returns undefined: that of the stored bytes
 */
function wantedEncoding(accepted: readonly string[], stored: Encoding | undefined): Encoding | undefined {
  for (const type of accepted) {
    if (/^\s*(?:\*|application)\/\*/i.test(type)) return stored
    const encoding = encodingOfMediaType(type)
    if (encoding !== undefined) return encoding
  }
  return stored
}

/** @throws VERSION_IS_DRAFT */
function assertReleased({ status, agent_id, digest }: VersionRow): void {
  if (status !== 'draft') return
  throw new WaybillError('VERSION_IS_DRAFT', {
    message: `${digest} is a draft of agent ${originalText(agent_id)}, which has no version of its own`,
    hint: 'give the definition a new `agent.version`, and upload it with POST /v1/agents',
  })
}

/** @throws LABEL_INVALID */
function assertLabel(label: string): void {
  if (LABEL.test(label)) return
  throw new WaybillError('LABEL_INVALID', {
    fault: 'usage',
    message: `${JSON.stringify(label.slice(0, 100))} is not a valid label`,
    hint: 'use at most 63 letters, digits, ".", "_" and "-", and begin with a letter, such as "production"',
  })
}
