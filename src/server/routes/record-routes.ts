import { WaybillError } from '../../document/issue.ts'
import { type Call, OPERATORS, READERS, type Route } from '../../http/route.ts'
import { id, PAGE, pageOf, removed } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import { PAGE_LIMIT } from '../../run/record/page-cursor.ts'
import type { MemoryFilter } from '../../run/record/records.ts'
import { shownItem } from '../../run/record/shown-item.ts'
import { withSignedHead } from '../../session/export-audit.ts'
import { numberAfter } from '../../session/logged-runs.ts'
import { auditKeysOf, logText, verifyHomeAudit } from '../../session/verify-audit.ts'
import { parseEntry } from '../../trust/audit-chain.ts'
import { auditEntry, auditVerdict, memoryItem } from '../schemas/record-schemas.ts'

const MEMORY_FILTER = {
  agent_id: id('Only items of this agent.'),
  user: id('Only items of this user.'),
  session: id('Only items of this session.'),
  key: id('Only items with this name.'),
}

/** Memory and the audit log of the organisation. */
export const RECORD_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/memory',
    name: 'listMemory',
    summary: 'Lists memory items.',
    tag: 'memory',
    access: READERS,
    query: { ...PAGE, ...MEMORY_FILTER },
    answers: { 200: { description: 'A page of items.', schema: pageOf(memoryItem) } },
    async handle({ tenant, query }) {
      const { items, next } = await tenant.home.memory.page(memoryFilter(query), Date.now(), query)
      return {
        status: 200,
        json: { items: items.map((item) => ({ definition: item.definition, ...shownItem(item) })), next },
      }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/memory',
    name: 'forgetMemory',
    summary: 'Deletes the memory items that the query selects, permanently.',
    tag: 'memory',
    access: OPERATORS,
    query: MEMORY_FILTER,
    answers: { 200: { description: 'The number of items that were deleted.', schema: removed } },
    async handle({ tenant, query }) {
      const filter = memoryFilter(query)
      if (Object.keys(filter).length === 0) throw selectsAll()
      return { status: 200, json: { removed: await tenant.home.memory.forget(filter) } }
    },
  },
  {
    method: 'GET',
    path: '/v1/audit',
    name: 'readAudit',
    summary: 'Returns entries of the audit log, oldest first.',
    tag: 'audit',
    access: READERS,
    query: {
      ...PAGE,
      cursor: { type: 'string', pattern: '^[1-9][0-9]{0,14}$', description: '`next` of the previous page.' },
    },
    answers: { 200: { description: 'A page of entries.', schema: pageOf(auditEntry) } },
    async handle({ tenant, query }) {
      const { limit = PAGE_LIMIT, cursor = '0' } = query as {
        readonly limit?: number
        readonly cursor?: string
      }
      const lines = await tenant.home.audit.lines(Number(cursor), limit)
      const items = lines.map(parseEntry).filter((entry) => entry !== null)
      const next = lines.length < limit ? null : String(numberAfter(lines, Number(cursor)))
      return { status: 200, json: { items, next } }
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/export',
    name: 'exportAudit',
    summary: 'Returns the whole audit log as NDJSON with a signed head, like `waybill audit export`.',
    tag: 'audit',
    access: READERS,
    answers: { 200: { description: 'The log.', mediaTypes: ['application/x-ndjson'] } },
    async handle({ tenant: { home } }) {
      const bytes = Buffer.from(withSignedHead(home, await logText(home)))
      return { status: 200, bytes, mediaType: 'application/x-ndjson' }
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/verify',
    name: 'verifyAudit',
    summary: 'Verifies the audit log: each entry, the chain, its head, and the records that it refers to.',
    tag: 'audit',
    access: READERS,
    answers: { 200: { description: 'The result.', schema: auditVerdict } },
    async handle({ tenant: { home } }) {
      return { status: 200, json: await verifyHomeAudit(home, auditKeysOf(home)) }
    },
  },
]

function memoryFilter(query: Call['query']): MemoryFilter {
  const { limit: _limit, cursor: _cursor, ...filter } = query
  return filter as MemoryFilter
}

function selectsAll(): WaybillError {
  return new WaybillError('QUERY_INVALID', {
    fault: 'usage',
    message: 'the query selects no items',
    hint: 'give at least one of agent_id, user, session and key',
  })
}
