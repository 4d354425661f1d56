/** The HTTP server of the platform, without a worker and without limits of rate: see `startChild`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlatform } from '../../src/compose/open-platform.ts'
import { createServer } from '../../src/server/create-server.ts'
import { answer, configOf } from './child.ts'

export interface ServerConfig {
  /** Of the owner. */
  readonly databaseUrl: string
}

export interface ServerAddress {
  readonly url: string
  readonly token: string
}

const VERSION = '0.0.0-bench'
const { databaseUrl } = configOf<ServerConfig>()
const home = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
let token = ''
const log = (level: string, message: string) => process.stderr.write(`${level} ${message}\n`)
const { platform, manifest } = await openPlatform({
  home,
  data: home,
  databaseUrl,
  env: { OPENAI_API_KEY: 'not-used' },
  version: VERSION,
  keepToken: (created) => {
    token = created
  },
  log,
})
const unlimited = 1_000_000
const server = await createServer(platform, {
  version: VERSION,
  manifest,
  conformance: {},
  limits: { requestsPerSecond: unlimited, burst: unlimited, concurrentRequests: unlimited },
  log: ({ id, message }) => log('error', `${id} ${message}`),
})
const url = await server.listen({ host: '127.0.0.1', port: 0 })
answer((): ServerAddress => ({ url, token }))
