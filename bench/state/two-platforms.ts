import { type MovingSite, movingSite } from '../../test/platform/moving-site.ts'
import { definitionOf } from '../../test/platform/organisation.ts'
import { startTestServer } from '../../test/platform/postgres.ts'
import { Closing } from './closing.ts'

export interface TwoPlatforms extends MovingSite {
  close(): Promise<void>
}

/**
 * Starts two platforms, each with its own process, database, keys and TLS, on one PostgreSQL server with fsync. Their
 * agent has a model whose context window is not known, so a conversation of any length is kept.
 */
export async function twoPlatforms(): Promise<TwoPlatforms> {
  const closing = new Closing()
  const server = await startTestServer('on')
  closing.context.after(() => server.stop())
  process.env.WAYBILL_TEST_POSTGRES = server.url
  const site = await movingSite(closing.context)
  const model = { provider: 'openai', preferred: 'bench-model', base_url: site.baseUrl }
  const tools = [{ name: 'look', description: 'Looks.', parameters_schema: { type: 'object' } }]
  for (const platform of [site.a, site.b])
    await platform.upload(definitionOf({ version: '1.0.0', model, tools }))
  return { ...site, close: () => closing.close() }
}
