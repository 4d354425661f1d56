import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { type TestDatabase, testDatabase } from '../platform/postgres.ts'
import { type Received, serve } from '../server/served.ts'
import { Listener, ModelServer } from './world.ts'

/** What no tenant may see: in a file and the environment of the host, and in another organisation. */
export const PLANTED = {
  file: 'planted-in-a-file-Hq73Lx0Pz9Rt',
  variable: 'planted-in-the-environment-Yc58Vm2Ks1Wd',
  secret: 'planted-as-a-secret-Tg09Bn6Fe3Ua',
  run: 'planted-in-a-run-Kp41Zr8Xv2Ja',
  key: 'sk-planted-provider-key-Lw92Ud5Ho7',
}

export const VICTIM = '11111111-1111-4111-8111-111111111111'
export const VICTIM_TOO = '33333333-3333-4333-8333-333333333333'
export const OWN = '22222222-2222-4222-8222-222222222222'

export interface TenantWorld {
  /** The attacker: admin of the organisation `eve`. */
  readonly eve: string
  readonly victim: string
  readonly admin: string
  readonly models: ModelServer
  /** A service of the host that is not granted to any tenant. */
  readonly inside: Listener
  /** A server of the attacker, which is granted, and redirects `/in` to the service. */
  readonly outside: Listener
  readonly file: string
  readonly names: { readonly run: string; readonly webhook: string; readonly cursor: string }
  readonly database: TestDatabase['database']
  send(
    method: string,
    path: string,
    more?: Parameters<Awaited<ReturnType<typeof serve>>['send']>[2],
  ): Promise<Received>
  /** Uploads a definition of the attacker and runs it. @returns all answers as text */
  attempt(agent: JsonObject, root?: JsonObject, says?: ModelServer['speaks']): Promise<string>
  /** What the other organisation has, apart from its audit log. */
  victimState(): Promise<string>
}

let world: Promise<TenantWorld> | undefined
let admin = ''
const endings: (() => unknown)[] = []

/** One platform with a worker for all attacks. */
export function tenantWorld(): Promise<TenantWorld> {
  world ??= open()
  return world
}

export async function closeTenantWorld(): Promise<void> {
  for (const end of endings.reverse()) await end()
}

async function open(): Promise<TenantWorld> {
  // The world lives as long as its file of tests.
  const t = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext
  const { ownerUrl, database } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-tenants-'))
  endings.push(() => rmSync(home, { recursive: true, force: true }))
  const models = (await new ModelServer().start()) as ModelServer
  const inside = await new Listener(() => ({ body: { text: 'inside' } })).start()
  const outside = await new Listener(({ path }) =>
    path.startsWith('/in')
      ? { status: 302, headers: { location: `${inside.url}/moved` } }
      : { body: { ok: true } },
  ).start()
  for (const one of [models, inside, outside]) endings.push(() => one.stop())
  const file = join(home, 'private.txt')
  writeFileSync(file, PLANTED.file)
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      private_hosts: [`127.0.0.1:${outside.port}`],
      providers: { openai: { base_urls: [`${models.url}/v1`] } },
      environment_secrets: { OPENAI_API_KEY: ['eve', 'victim'], HOST_ONLY: [] },
    }),
  )
  const opened = await openPlatform({
    home,
    data: home,
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: PLANTED.key, HOST_ONLY: PLANTED.variable, PATH: process.env.PATH },
    worker: { leaseMs: 1000, pollMs: 20 },
    keepToken: (token) => {
      admin = token
    },
    version: '9.9.9',
    log: () => {},
  })
  endings.push(() => opened.close())
  const served = await serve(t, opened.platform, { limits: { requestsPerSecond: 10_000, burst: 10_000 } })
  const send: TenantWorld['send'] = (method, path, more) => served.send(method as 'GET', path, more)
  const json = async (...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    if (answer.status >= 300) throw new Error(`${request[0]} ${request[1]}: ${answer.text}`)
    return answer.json
  }
  const tokens: string[] = []
  for (const organisation of ['eve', 'victim'])
    tokens.push(
      (
        await json('POST', '/v1/organisations', {
          token: admin,
          json: { organisation, admin: { user: organisation } },
        })
      ).admin_token.token,
    )
  const [eve = '', victim = ''] = tokens
  const upload = (token: string, definition: JsonObject) =>
    send('POST', '/v1/agents', { token, json: definition })
  const model = { provider: 'openai', preferred: 'test-model', base_url: `${models.url}/v1` }
  const definitionOf = (agent_id: string, agent: JsonObject, root: JsonObject = {}): JsonObject => ({
    sc_standard: 'SC-006',
    agent_id,
    ...root,
    agent: { name: 'Clerk', goal: 'Answer.', model, ...agent },
  })
  await upload(victim, definitionOf(VICTIM, { name: 'Victim', instructions: PLANTED.run }))
  await upload(victim, definitionOf(VICTIM_TOO, { name: 'Other', instructions: PLANTED.run }))
  await json('PUT', '/v1/secrets/CRM_KEY', {
    token: victim,
    json: { value: PLANTED.secret, hosts: [`127.0.0.1:${outside.port}`] },
  })
  const started = await json('POST', `/v1/agents/${VICTIM}/runs`, {
    token: victim,
    json: { input: PLANTED.run, user: 'carl', session: 'desk', wait_seconds: 20 },
  })
  const webhook = await json('POST', '/v1/webhooks', {
    token: victim,
    json: { url: `${outside.url}/hook` },
  }).catch(() => ({ id: 'none' }))
  await json('POST', `/v1/agents/${VICTIM}/runs`, { token: victim, json: { input: 'x', wait_seconds: 20 } })
  const { next } = await json('GET', '/v1/runs?limit=1', { token: victim })
  let version = 0
  return {
    eve,
    victim,
    admin,
    models,
    inside,
    outside,
    file,
    database,
    names: { run: started.run_id, webhook: webhook.id, cursor: next },
    send,
    async attempt(agent, root, says = () => 'Done.') {
      models.speaks = says
      const made = await upload(eve, definitionOf(OWN, { version: `1.0.${++version}`, ...agent }, root))
      if (made.status >= 300) return made.text
      const run = await send('POST', `/v1/agents/${made.json.agent_id}/runs`, {
        token: eve,
        json: { input: 'go', wait_seconds: 20 },
      })
      const id = run.status < 300 ? run.json.run_id : 'none'
      const events = await send('GET', `/v1/runs/${id}/record`, { token: eve })
      return [made.text, run.text, events.text].join('\n')
    },
    async victimState() {
      const lists = [
        'runs',
        'agents',
        'sessions',
        'memory',
        'secrets',
        'webhooks',
        'stops',
        'triggers',
        'tokens',
      ]
      const answers = await Promise.all(lists.map((list) => send('GET', `/v1/${list}`, { token: victim })))
      const people = await send('GET', '/v1/organisations/victim/members', { token: victim })
      return [...answers, people].map(({ text }) => text.replaceAll(/"used_at":[^,}]+/g, '')).join('\n')
    },
  }
}
