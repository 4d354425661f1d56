import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Child, startChild } from './child.ts'
import type { ServerAddress, ServerConfig } from './server-process.ts'
import type { Site } from './site.ts'
import { residentMb } from './usage.ts'

export interface RouteCost {
  readonly name: string
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Answers with another status than success, and failed connections. */
  readonly refused: number
}

export interface Api {
  readonly routes: readonly RouteCost[]
  /** Resident memory of the server before the first request, and its maximum. */
  readonly idle_mb: number
  readonly loaded_mb: number
}

/** The parts of autocannon's result that are used. Latencies are in milliseconds. */
interface Shot {
  readonly requests: { readonly average: number }
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
}

const AUTOCANNON = fileURLToPath(import.meta.resolve('autocannon'))
const CONNECTIONS = 20

const DEFINITION = {
  sc_standard: 'SC-006',
  agent_id: '6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6',
  agent: { name: 'Bench', goal: 'Answer.', model: { provider: 'openai', preferred: 'gpt-4o-mini' } },
}

/** Measures requests to the server, without a worker: runs are planned, stored and queued, and not driven. */
export async function measureApi(site: Site, { seconds }: { readonly seconds: number }): Promise<Api> {
  const prepared = await site.prepared()
  let server: Child | undefined
  try {
    server = await startChild('server-process.ts', { databaseUrl: prepared.ownerUrl } satisfies ServerConfig)
    const { pid } = server
    const address = await server.ask<ServerAddress>({})
    const idle_mb = residentMb(pid)
    const agent = await posted<{ agent_id: string }>(address, '/v1/agents', DEFINITION)
    await posted(address, `/v1/agents/${agent.agent_id}/activate`, {})
    const start = `/v1/agents/${agent.agent_id}/runs`
    const { run_id } = await posted<{ run_id: string }>(address, start, { input: 'go' })
    let loaded_mb = idle_mb
    const watch = setInterval(() => {
      loaded_mb = Math.max(loaded_mb, residentMb(pid))
    }, 100)
    try {
      const routes = [
        await shoot('GET /v1/runs/{run}', address, seconds, `/v1/runs/${run_id}`),
        await shoot('POST /v1/agents/{agent}/runs', address, seconds, start, { input: 'go' }),
      ]
      return { routes, idle_mb, loaded_mb }
    } finally {
      clearInterval(watch)
    }
  } finally {
    await server?.kill()
    await prepared.drop()
  }
}

async function posted<T>({ url, token }: ServerAddress, path: string, body: object): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function shoot(
  name: string,
  { url, token }: ServerAddress,
  seconds: number,
  path: string,
  body?: object,
): Promise<RouteCost> {
  const args = [AUTOCANNON, '--json', '-c', String(CONNECTIONS), '-d', String(seconds)]
  args.push('-H', `authorization=Bearer ${token}`)
  if (body !== undefined)
    args.push('-m', 'POST', '-H', 'content-type=application/json', '-b', JSON.stringify(body))
  const { stdout } = await promisify(execFile)(process.execPath, [...args, `${url}${path}`], {
    timeout: (seconds + 30) * 1_000,
  })
  const shot = JSON.parse(stdout) as Shot
  return {
    name,
    per_second: shot.requests.average,
    p50_ms: shot.latency.p50,
    p99_ms: shot.latency.p99,
    refused: shot.non2xx + shot.errors + shot.timeouts,
  }
}
