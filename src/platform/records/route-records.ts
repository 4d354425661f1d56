import { merged, type RouteHistory, readRouteHistory } from '../../run/decide/route-history.ts'
import type { RouteRecords } from '../../run/record/records.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { StoreParts } from './store-parts.ts'

interface Row {
  readonly name: string
  readonly body: string
}

/** Measurements of model routes. They only help to choose a route, so an unreadable row counts as missing. */
export class PostgresRoutes implements RouteRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  read(): Promise<ReadonlyMap<string, RouteHistory>> {
    const { store } = this.#parts
    return store.read(async (sql) => {
      const { rows } = await sql.query<Row>('SELECT name, body FROM waybill.routes WHERE org = $1', [
        store.org,
      ])
      return historiesOf(rows)
    })
  }

  async merge(seen: ReadonlyMap<string, RouteHistory>): Promise<void> {
    if (seen.size === 0) return
    const { store } = this.#parts
    const names = [...seen.keys()].map(storedText)
    await store.write(
      async (sql) => {
        await sql.query(
          `INSERT INTO waybill.routes (org, name, body) SELECT $1, name, '' FROM unnest($2::text[]) AS r(name) ORDER BY name
         ON CONFLICT DO NOTHING`,
          [store.org, names],
        )
        // In one order, so that two processes do not wait for one another.
        const { rows } = await sql.query<Row>(
          'SELECT name, body FROM waybill.routes WHERE org = $1 AND name = ANY($2) ORDER BY name FOR UPDATE',
          [store.org, names],
        )
        const known = historiesOf(rows)
        const bodies = [...seen].map(([name, history]) => {
          const before = known.get(name)
          return JSON.stringify(before === undefined ? history : merged(before, history))
        })
        await sql.query(
          `UPDATE waybill.routes AS r SET body = n.body FROM unnest($2::text[], $3::text[]) AS n(name, body)
         WHERE r.org = $1 AND r.name = n.name`,
          [store.org, names, bodies],
        )
      },
      { durable: false },
    )
  }
}

function historiesOf(rows: readonly Row[]): ReadonlyMap<string, RouteHistory> {
  return new Map(
    rows.flatMap(({ name, body }) => {
      const history = readRouteHistory(body)
      return history === undefined ? [] : [[originalText(name), history] as const]
    }),
  )
}
