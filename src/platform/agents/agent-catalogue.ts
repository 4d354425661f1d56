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
import { sql, written } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { Store } from '../records/store.ts'
import { type AgentStatus, type Agents, type AgentView, LABEL } from './agent.ts'
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
  readonly activated?: ((on: Sql, activation: Activation) => Promise<void>) | undefined
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
  const audit = (on: Sql, kind: string, fact: Omit<AuditFact, 'at' | 'kind'>) =>
    appendAudit(on, org, options.nextEntry, [{ at: new Date().toISOString(), kind, ...fact, by: user }])
  /** Announces the active version of an agent. @param version null: none is active */
  const declare = async (on: Sql, agent_id: string, version: string | null) => {
    const stored =
      version === null
        ? undefined
        : await findVersion<StoredVersion & { readonly uploaded_by: string }>(
            on,
            org,
            originalText(agent_id),
            version,
            `${VERSION_COLUMNS}, uploaded_by`,
          )
    await options.activated?.(on, {
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
      return store.write(async (on) => {
        await on.query(
          'INSERT INTO waybill.agents (org, agent_id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
          [org, upload.agent_id, storedText(upload.name)],
        )
        const { active } = await lockAgent(on, org, upload.agent_id)
        // A draft of what waits for a review would pass the review by.
        const drafts = draft && options.review !== true && !upload.isDeprecated
        const known = await knownVersion(on, org, upload, drafts)
        if (known !== undefined && known !== 'draft') return { created: false, agent: viewOf(known) }
        const status = known ?? statusOf(upload, options.review === true)
        const version =
          known === 'draft' ? upload.digest : (upload.version ?? (await nextCount(on, org, upload.agent_id)))
        const { agent_id, digest, definition } = upload
        await on.query(sql`
          INSERT INTO waybill.agent_versions
            (org, agent_id, version, digest, definition, media_type, body, status, report, uploaded_by)
          VALUES (${org}, ${agent_id}, ${version}, ${digest}, ${definition}, ${mediaType}, ${Buffer.from(body)}, ${status},
            ${JSON.stringify(upload.report)}, ${storedText(user)})`)
        if (status === 'active') {
          await makeActive(on, org, upload.agent_id, active, version, upload.name)
          await declare(on, upload.agent_id, version)
        }
        await audit(on, 'definition.imported', {
          agent_id: upload.agent_id,
          definition: upload.definition,
          safety_level: upload.safety_level,
          source: 'upload',
          version,
          status,
          signature: upload.signature.status,
          ...defined({ signer: upload.signature.signer }),
        })
        return { created: true, agent: viewOf(await findVersion(on, org, upload.agent_id, version)) }
      })
    },

    list: (request) =>
      page(async (limit, after) => {
        const of = request.name === undefined ? sql`true` : sql`a.name = ${storedText(request.name)}`
        const from =
          after === undefined
            ? sql`true`
            : sql`(${MICROSECONDS}, a.agent_id COLLATE "C")
                < (${after.created_at}::bigint, ${storedText(after.run_id)}::text COLLATE "C")`
        const { rows } = await store.read((on) =>
          on.query<VersionRow & Place>(sql`
            SELECT ${written(VIEW_COLUMNS)}, ${MICROSECONDS} AS place FROM waybill.agents AS a
            CROSS JOIN LATERAL (
              SELECT * FROM waybill.agent_versions AS one
              WHERE one.org = a.org AND one.agent_id = a.agent_id AND one.status <> 'draft'
              ORDER BY (one.version = a.active) DESC NULLS LAST, one.n DESC LIMIT 1) AS v
            WHERE a.org = ${org} AND ${from} AND ${of}
            ORDER BY ${MICROSECONDS} DESC, a.agent_id COLLATE "C" DESC LIMIT ${limit}`),
        )
        return rows
      }, request),

    read: async (agentId, version) =>
      viewOf(await store.read((on) => findVersion(on, org, agentId, version))),

    versions: (agentId, request) =>
      page(async (limit, after) => {
        const { rows } = await store.read(async (on) => {
          await findVersion(on, org, agentId)
          const from = after === undefined ? sql`true` : sql`v.n < ${after.created_at}::bigint`
          return on.query<VersionRow & Place>(sql`
            SELECT ${written(VIEW_COLUMNS)}, v.n AS place FROM ${written(JOINED)}
            WHERE a.org = ${org} AND a.agent_id = ${storedText(agentId)} AND ${from} ORDER BY v.n DESC LIMIT ${limit}`)
        })
        return rows
      }, request),

    async definition(agentId, version, accepted) {
      const found = await store.read((on) =>
        findVersion<StoredVersion>(on, org, agentId, version, VERSION_COLUMNS),
      )
      const stored = encodingOfMediaType(found.media_type)
      const wanted = wantedEncoding(accepted, stored)
      if (wanted === undefined || wanted === stored) return { body: found.body, mediaType: found.media_type }
      const value = asJson(await reader.content(found))
      return { body: encodeDocument(value, wanted), mediaType: mediaTypeOf(wanted, 'aaif.agent') }
    },

    activate: (agentId, version) =>
      store.write(async (on) => {
        const { active } = await lockAgent(on, org, agentId)
        const target =
          version === undefined
            ? await newestVersion(on, org, agentId)
            : await findVersion(on, org, agentId, version)
        if (target.version === active) return viewOf(target)
        assertReleased(target)
        const { agent_id, version: next } = target
        await makeActive(on, org, agent_id, active, next, reportOf(target).name)
        await setStatus(on, org, target, 'active')
        await declare(on, agent_id, next)
        await audit(on, 'definition.activated', {
          agent_id,
          version: next,
          ...(active !== null && { before: active }),
        })
        return viewOf(await findVersion(on, org, agentId, next))
      }),

    deprecate: (agentId, version) =>
      store.write(async (on) => {
        const { active } = await lockAgent(on, org, agentId)
        if (version === undefined && active === null)
          throw notActive(`agent ${agentId} has no active version`)
        const target = await findVersion(on, org, agentId, version)
        if (target.status === 'deprecated') return viewOf(target)
        assertReleased(target)
        await setStatus(on, org, target, 'deprecated')
        if (target.version === active) {
          await on.query(
            'UPDATE waybill.agents SET active = NULL, updated_at = now() WHERE org = $1 AND agent_id = $2',
            [org, target.agent_id],
          )
          await declare(on, target.agent_id, null)
        }
        await audit(on, 'definition.deprecated', { agent_id: target.agent_id, version: target.version })
        return viewOf(await findVersion(on, org, agentId, target.version))
      }),

    label: (agentId, label, version) => {
      assertLabel(label)
      return store.write(async (on) => {
        const { agent_id, labels } = await lockAgent(on, org, agentId)
        const target = version === null ? undefined : await findVersion(on, org, agentId, version)
        if (target !== undefined) assertReleased(target)
        if (ownMember(labels, label) !== target?.version) {
          const { [label]: before, ...others } = labels
          const next = target === undefined ? others : { ...others, [label]: target.version }
          await on.query(
            'UPDATE waybill.agents SET labels = $3, updated_at = now() WHERE org = $1 AND agent_id = $2',
            [org, agent_id, JSON.stringify(next)],
          )
          await audit(on, 'definition.labelled', {
            agent_id,
            label,
            ...defined({ version: target?.version, before }),
          })
        }
        return viewOf(await findVersion(on, org, agentId, target?.version))
      })
    },
  }
}

/** Where a row is in its list. */
interface Place {
  readonly place: number
}

type PagePlace = ReturnType<typeof readCursor>

const MICROSECONDS = sql`(extract(epoch FROM a.created_at) * 1000000)::bigint`

function statusOf({ isDeprecated }: Upload, review: boolean): AgentStatus {
  if (isDeprecated) return 'deprecated'
  return review ? 'pending' : 'active'
}

/**
 * Returns the version with these bytes; `draft` if this version has other bytes and drafts are permitted.
 * @throws VERSION_EXISTS if this version has other bytes
 */
async function knownVersion(
  on: Sql,
  org: string,
  upload: Upload,
  drafts: boolean,
): Promise<VersionRow | 'draft' | undefined> {
  const { agent_id, digest, version } = upload
  const { rows } = await on.query<VersionRow>(sql`
    SELECT ${written(VIEW_COLUMNS)} FROM ${written(JOINED)}
    WHERE a.org = ${org} AND a.agent_id = ${agent_id}
      AND (v.digest = ${digest} AND (v.status <> 'draft' OR ${drafts}) OR v.version = ${version ?? null})
    ORDER BY v.digest = ${digest} DESC, v.status = 'draft' LIMIT 1`)
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
async function nextCount(on: Sql, org: string, agentId: string): Promise<string> {
  const { rows } = await on.query<{ next: string }>(
    String.raw`SELECT (coalesce(max(version::bigint), 0) + 1)::text AS next FROM waybill.agent_versions
     WHERE org = $1 AND agent_id = $2 AND version ~ '^\d{1,15}$'`,
    [org, agentId],
  )
  return rows[0]?.next ?? '1'
}

async function newestVersion(on: Sql, org: string, agentId: string): Promise<VersionRow> {
  const { rows } = await on.query<VersionRow>(
    `SELECT ${VIEW_COLUMNS} FROM ${JOINED} WHERE a.org = $1 AND a.agent_id = $2 AND v.status <> 'draft' ORDER BY v.n DESC LIMIT 1`,
    [org, storedText(agentId)],
  )
  return rows[0] ?? findVersion(on, org, agentId)
}

/** Points an agent at a version. The version that was active before becomes inactive. */
async function makeActive(
  on: Sql,
  org: string,
  agent_id: string,
  before: string | null,
  version: string,
  name: string,
): Promise<void> {
  if (before !== null) await setStatus(on, org, { agent_id, version: before }, 'inactive')
  await on.query(sql`
    UPDATE waybill.agents SET active = ${version}, name = ${storedText(name)}, updated_at = now()
    WHERE org = ${org} AND agent_id = ${agent_id}`)
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
