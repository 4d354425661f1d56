import { merged, type RouteHistory, readRouteHistory } from '../../../run/decide/route-history.ts'
import type { RouteRecords } from '../../../run/record/records.ts'
import type { Queries } from './queries.ts'
import type { StoreParts } from './store-parts.ts'

/** Measurements of model routes. They only help to choose a route, so an unreadable row counts as missing. */
export class SqliteRoutes implements RouteRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  read(): Promise<ReadonlyMap<string, RouteHistory>> {
    return this.#parts.home.read(
      (q) => {
        const rows = q.all<{ name: string; body: string }>('SELECT name, body FROM routes')
        return new Map(
          rows.flatMap(({ name, body }) => {
            const history = readRouteHistory(body)
            return history === undefined ? [] : [[name, history] as const]
          }),
        )
      },
      () => new Map(),
    )
  }

  async merge(seen: ReadonlyMap<string, RouteHistory>): Promise<void> {
    if (seen.size === 0) return
    await this.#parts.group.write(
      ({ q }) => {
        for (const [name, history] of seen) {
          const known = knownOf(q, name)
          q.run(
            'INSERT INTO routes VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
            name,
            JSON.stringify(known === undefined ? history : merged(known, history)),
          )
        }
      },
      { durable: false },
    )
  }
}

function knownOf(q: Queries, name: string): RouteHistory | undefined {
  const row = q.get<{ body: string }>('SELECT body FROM routes WHERE name = ?', name)
  return row === undefined ? undefined : readRouteHistory(row.body)
}
