import { randomUUID } from 'node:crypto'
import { WaybillError } from '../../../src/document/issue.ts'
import type { Typed } from '../../../src/http/schema.ts'
import { type Statement, sql } from '../../../src/platform/database/sql.ts'
import { inOrganisation, type Sql } from '../../../src/platform/database/tenant.ts'
import type { Opened } from '../../../src/platform/feature.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../../src/run/record/page-cursor.ts'
import type { Notes, noteView } from './note.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly user_id: string | null
  readonly created_at: Date
  readonly created_by: string
}

const NOTE = sql`id, title, user_id, created_at, created_by`

export function notesOf({ app, org, principal, audited }: Opened): Notes {
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  const one = async (on: Sql, id: string, statement: Statement) => {
    const { rows } = await on.query<Row>(statement)
    const [row] = rows
    if (row === undefined)
      throw new WaybillError('MEMORY_NOT_FOUND', { fault: 'usage', message: `there is no note ${id}` })
    return viewOf(row)
  }
  const read = (on: Sql, id: string) =>
    one(on, id, sql`SELECT ${NOTE} FROM waybill.notes WHERE org = ${org} AND id = ${id}`)
  return {
    list: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await on.query<Row>(
          sql`SELECT ${NOTE} FROM waybill.notes WHERE org = ${org} AND id > ${after} ORDER BY id LIMIT ${limit + 1}`,
        )
        return pageOfRows(rows, limit, viewOf, ({ id }) => [id])
      }),
    read: (id) => act((on) => read(on, id)),
    create: ({ title, user = null }, id = randomUUID()) =>
      act(async (on) => {
        const secret = randomUUID()
        await on.query(
          sql`INSERT INTO waybill.notes (org, id, title, user_id, secret, created_by)
              VALUES (${org}, ${id}, ${title}, ${user}, ${secret}, ${principal.user}) ON CONFLICT DO NOTHING`,
        )
        await audited(on, 'note.created', { note: id })
        return { ...(await read(on, id)), secret }
      }),
    change: (id, { title, user = null }) =>
      act((on) =>
        one(
          on,
          id,
          sql`UPDATE waybill.notes SET title = ${title}, user_id = ${user} WHERE org = ${org} AND id = ${id} RETURNING ${NOTE}`,
        ),
      ),
    remove: (id) =>
      act(async (on) => {
        await one(on, id, sql`DELETE FROM waybill.notes WHERE org = ${org} AND id = ${id} RETURNING ${NOTE}`)
      }),
  }
}

function viewOf({ user_id, created_at, ...row }: Row): Typed<typeof noteView> {
  return { ...row, created_at: created_at.toISOString(), ...(user_id !== null && { user: user_id }) }
}
