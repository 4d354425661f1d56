import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import type { JsonObject } from '../../src/document/json.ts'
import { until } from '../cli/fixture.ts'
import { smtpReceiver } from '../platform/inbox/smtp-receiver.ts'
import { receiver } from '../platform/webhooks-fixture.ts'
import { type Started, startProcess } from '../started-process.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is what the tests check
  readonly json: any
}

export type Request = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

export const CLERK = '5f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d11'
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }

/** A model that pays when it is asked to, and otherwise takes note. */
async function modelServer(t: TestContext) {
  const models = new LLMock({ port: 0, host: '127.0.0.1' })
  const url = await models.start()
  t.after(() => models.stop())
  models.addFixture({
    match: { predicate: ({ messages }) => messages.at(-1)?.role === 'tool' },
    response: ({ messages }) => ({ content: `answered: ${String(messages.at(-1)?.content)}`, usage }),
  })
  models.addFixture({
    match: { predicate: ({ messages }) => /please pay/.test(JSON.stringify(messages.at(-1))) },
    response: ({ messages }) => {
      const to = /please pay (\w+)/.exec(JSON.stringify(messages.at(-1)))?.[1]
      return {
        toolCalls: [{ id: 'call_1', name: 'pay', arguments: JSON.stringify({ to, amount: 500 }) }],
        usage,
      }
    },
  })
  models.addFixture({ match: {}, response: { content: 'noted', usage } })
  return url
}

/**
 * The installation of a company on this machine, with the servers that it reaches: a model, a bank that takes
 * payments, a receiver of webhooks, and a mail server.
 */
export async function companySite(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'waybill-company-'))
  // PostgreSQL of root has a user of its own, who enters the homes.
  chmodSync(root, 0o711)
  const modelUrl = await modelServer(t)
  const bank = await receiver(t)
  bank.behaves.set('/pay', (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}'),
  )
  const hooks = await receiver(t)
  const smtp = await smtpReceiver(t)
  const config = join(root, 'config.yaml')
  const providers = { openai: { base_urls: [`${modelUrl}/v1`] } }
  // The bank is for these two organisations, and for no other.
  const organisations = { acme: { private_hosts: [bank.host] }, globex: { private_hosts: [bank.host] } }
  const mail = {
    host: '127.0.0.1',
    port: smtp.port,
    from: 'clerk@acme.example',
    public_url: 'https://wb.acme.example',
  }
  writeFileSync(config, JSON.stringify({ allow_hosts: ['127.0.0.1'], providers, organisations, mail }))

  let up: Started | undefined
  let url = ''
  let tokenFile = ''
  const home = (name: string) => join(root, name)
  const environment = (name: string) => ({
    ...process.env,
    WAYBILL_HOME: home(name),
    DATABASE_URL: undefined,
    OPENAI_API_KEY: undefined,
  })
  const stop = async () => {
    up?.child.kill('SIGTERM')
    await up?.ended
    up = undefined
  }
  t.after(async () => {
    await stop()
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  return {
    bank,
    hooks,
    smtp,
    home,
    stop,
    url: () => url,
    /** The host and port of the model, and of the bank, as secrets name them. */
    hosts: { model: new URL(modelUrl).host, bank: bank.host },

    /** Starts `waybill up` with a home, as one machine. */
    async start(name: string): Promise<void> {
      const started = startProcess(['up', '--json', '--port', '0', '--lease', '1', '--config', config], {
        env: environment(name),
      })
      up = started
      for (const end = performance.now() + 30_000; started.out() === ''; ) {
        if (started.child.exitCode !== null || performance.now() > end) assert.fail(started.err())
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const ready = JSON.parse(started.out()) as { url: string; token_file: string; ready: boolean }
      assert.equal(ready.ready, true, started.out() + started.err())
      url = ready.url
      tokenFile = ready.token_file
    },
    adminToken: () => readFileSync(tokenFile, 'utf8').trim(),
    /** Runs a command on the machine of a home until its end. */
    async command(name: string, argv: readonly string[]) {
      const { ended, out, err } = startProcess(argv, { env: environment(name) })
      const code = await ended
      return { code, out: out(), err: err() }
    },
    copyKeys: (from: string, to: string) =>
      cpSync(join(home(from), 'keys'), join(home(to), 'keys'), { recursive: true }),

    /** Sends requests of one person or program. */
    as:
      (credential: string | Readonly<Record<string, string>>): Request =>
      async (method, path, body, headers = {}) => {
        const own = typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : credential
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { ...own, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        const text = await answer.text()
        return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) }
      },

    /** An agent that pays by the bank if people permit it, and takes orders by a webhook. */
    definition: (): JsonObject => ({
      sc_standard: 'SC-006',
      agent_id: CLERK,
      agent: {
        name: 'Clerk',
        version: '1.0.0',
        goal: 'Pay what is due.',
        model: { provider: 'openai', preferred: 'test-model', base_url: `${modelUrl}/v1` },
        tools: [
          {
            name: 'pay',
            description: 'Pays an amount.',
            protocol: 'http',
            endpoint: `${bank.url}/pay`,
            auth: { type: 'bearer', env_var: 'BANK_KEY' },
            parameters_schema: {
              type: 'object',
              properties: { to: { type: 'string' }, amount: { type: 'number', maximum: 1000 } },
              required: ['to', 'amount'],
            },
          },
        ],
        events: { triggers: [{ type: 'webhook', webhook_path: '/orders' }] },
        compliance: { human_in_the_loop: { enabled: true }, audit_log: true },
      },
    }),
  }
}

/** Waits until a run has a status, and returns it. */
export async function settled(ask: Request, runId: string, status = 'completed') {
  let run: Answer['json']
  const holds = async () => {
    run = (await ask('GET', `/v1/runs/${runId}`)).json
    return run.status === status
  }
  await until(`${runId}: ${status}`, holds).catch((error) =>
    assert.fail(`${error.message}: ${JSON.stringify(run)}`),
  )
  return run
}
