import { isObject } from '../../document/json.ts'
import type { RunSums } from '../../session/run-sums.ts'
import { objectOf } from './remote-records.ts'
import type { ServerClient } from './server-client.ts'

/** How many runs are asked for, since each is a request; a longer list shows only these sums. */
const ASKED = 50

/** Returns what the first runs of a list of a server used, by their ids. */
export async function sumsThere(
  server: ServerClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunSums>> {
  const asked = ids.slice(0, ASKED).map(async (id) => [id, await sumsOf(server, id)] as const)
  return new Map(await Promise.all(asked))
}

async function sumsOf(server: ServerClient, id: string): Promise<RunSums> {
  const view = await server.send('GET', `/v1/runs/${encodeURIComponent(id)}`).catch(() => null)
  const { model = null, usage = null } = objectOf(view)
  const { duration_ms, cost_usd } = objectOf(usage)
  return {
    model: isObject(model) ? `${String(model.provider)}/${String(model.model)}` : null,
    ...(typeof duration_ms === 'number' && { duration_ms }),
    cost_usd: typeof cost_usd === 'number' ? cost_usd : null,
  }
}
