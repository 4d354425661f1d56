import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type AgentDefinition, type Plan, type PlanOptions, planRun } from 'waybill'
import { createGuardedFetch } from '../../../src/adapters/net/guarded-fetch.ts'
import { createOpenApiTool } from '../../../src/adapters/openapi/openapi-tool.ts'
import { environmentSecrets } from '../../../src/adapters/secrets/environment-secrets.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { readInside } from '../../../src/document/read-inside.ts'
import type { PlannedTool } from '../../../src/plan/plan.ts'
import type { ToolPort } from '../../../src/run/ports.ts'
import { loopback } from '../model-fixture.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An API that records requests and answers `{"ok":true}`, or the answer of the test. */
export async function apiServer(
  t: TestContext,
  answer: (response: ServerResponse, received: Received) => void = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const entry = { method, path: url, headers, body: Buffer.concat(chunks).toString('latin1') }
    received.push(entry)
    answer(response, entry)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

export function documentOf(paths: JsonObject, more: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...more }
}

/** A document as a file in a folder of its own. */
export function folderWith(t: TestContext, files: Readonly<Record<string, Json | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-openapi-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

export function agentWith(...tools: readonly JsonObject[]): AgentDefinition {
  const declared = tools.map((tool) => ({ description: 'An API.', protocol: 'openapi', ...tool }))
  return {
    sc_standard: 'SC-006',
    agent: { name: 'A', goal: 'B.', tools: declared },
  } as unknown as AgentDefinition
}

/** The plan of an agent with one openapi tool named `api`, whose document is `api.json`. */
export function planApi(
  t: TestContext,
  document: Json | string,
  { tool = {}, ...options }: PlanOptions & { readonly tool?: JsonObject } = {},
): Promise<Plan> {
  const folder = folderWith(t, { 'api.json': document })
  return planRun(agentWith({ name: 'api', endpoint: 'api.json', ...tool }), {
    folder,
    allowHosts: ['127.0.0.1'],
    env: {},
    ...options,
  })
}

export function toolOf(plan: Plan, name: string): PlannedTool {
  const found = plan.tools.find((tool) => tool.name === name)
  if (found === undefined) throw new Error(`${name} is not among ${plan.tools.map((tool) => tool.name)}`)
  return found
}

export function apiPort(
  env: Record<string, string> = {},
  secretGrants: readonly { readonly name: string; readonly host: string }[] = [],
): ToolPort {
  return createOpenApiTool({
    fetch: createGuardedFetch({ grants: loopback }),
    grants: loopback,
    secrets: environmentSecrets(env),
    secretGrants,
    readFile: (path) => readInside('/', path, 1 << 25),
  })
}

export function callApi(tool: PlannedTool, args: JsonObject, port: ToolPort = apiPort()): Promise<Json> {
  return port.call(
    { tool, args, key: 'run:1', headers: { traceparent: '00-trace' } },
    { signal: new AbortController().signal },
  )
}
