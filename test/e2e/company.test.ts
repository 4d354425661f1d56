import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'
import { type SmtpReceiver, smtpReceiver } from '../platform/inbox/smtp-receiver.ts'
import { type Started, startProcess } from '../started-process.ts'

/**
 * Two organisations and their people, as they work: over HTTP and in the terminal, with a model server, the service that
 * the agent calls, and a mail server. Each test continues where the one before it has ended.
 */

const models = new LLMock({ port: 0, host: '127.0.0.1' })
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
const AGENT = '5f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d77'
const SECRETS = { acme: 'acme-crm-Hq73Lx0Pz9RtKw', globex: 'globex-crm-Yc58Vm2Ks1WdQe' }

let root = ''
let smtp: SmtpReceiver
let up: Started
let url = ''
const tokens: Record<string, string> = {}
/** Refunds as the service got them: with which key, and for how much. */
const refunds: { readonly key: string; readonly amount: number }[] = []
const crm = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    refunds.push({ key: String(request.headers.authorization), ...JSON.parse(body) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"refunded":true}')
  })
})
let crmUrl = ''
let modelUrl = ''

function definition(): string {
  return JSON.stringify({
    sc_standard: 'SC-006',
    agent_id: AGENT,
    agent: {
      name: 'Clerk',
      version: '1.0.0',
      goal: 'Refund what is due.',
      model: { provider: 'openai', preferred: 'test-model', base_url: `${modelUrl}/v1` },
      tools: [
        {
          name: 'refund',
          description: 'Pays money back.',
          protocol: 'http',
          endpoint: `${crmUrl}/refund`,
          parameters_schema: {
            type: 'object',
            properties: { amount: { type: 'number', maximum: 100 } },
            required: ['amount'],
            additionalProperties: false,
          },
          auth: { type: 'bearer', env_var: 'CRM_KEY' },
        },
      ],
      compliance: { human_in_the_loop: { enabled: true }, audit_log: true },
    },
  })
}

/** Starts the platform with the home and data of a machine. */
async function startOn(machine: string): Promise<void> {
  const home = join(root, machine)
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'config.yaml'),
    `allow_hosts: ["127.0.0.1"]\nproviders:\n  openai:\n    base_urls: ["${modelUrl}/v1"]\n` +
      `private_hosts: ["${new URL(crmUrl).host}"]\n` +
      `environment_secrets: { OPENAI_API_KEY: [acme, globex] }\n` +
      `mail: { host: 127.0.0.1, port: ${smtp.port}, from: clerk@acme.example, public_url: "https://wb.acme.example" }\n`,
  )
  up = startProcess(['up', '--json', '--port', '0', '--lease', '1'], {
    env: {
      ...process.env,
      WAYBILL_HOME: home,
      OPENAI_API_KEY: 'sk-test-0123456789abcdefghijklmnop',
      DATABASE_URL: undefined,
    },
  })
  for (let waited = 0; up.out() === '' && waited < 600; waited++) {
    if (up.child.exitCode !== null) assert.fail(up.out() + up.err())
    await sleep(50)
  }
  const ready = JSON.parse(up.out()) as { url: string; token_file: string; ready?: boolean }
  assert.equal(ready.ready, true, up.out() + up.err())
  url = ready.url
  tokens.installer ??= readFileSync(ready.token_file, 'utf8').trim()
}

async function stop(): Promise<void> {
  up.child.kill('SIGTERM')
  await up.ended
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is what the tests check
  readonly json: any
}

async function send(
  who: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(tokens[who] !== undefined && { authorization: `Bearer ${tokens[who]}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) }
}

async function ok(...request: Parameters<typeof send>) {
  const answer = await send(...request)
  assert.ok(answer.status < 300, `${request[1]} ${request[2]}: ${JSON.stringify(answer.json)}`)
  return answer.json
}

/** A command of a person, in a folder of their own machine. */
async function type(who: string, argv: readonly string[]) {
  const home = join(root, `laptop-${who}`)
  mkdirSync(home, { recursive: true })
  const started = startProcess([...argv, '--server', url], {
    cwd: root,
    env: { ...process.env, WAYBILL_HOME: home, WAYBILL_TOKEN: tokens[who], DATABASE_URL: undefined },
  })
  const code = await started.ended
  return { code, out: started.out(), err: started.err() }
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return
    await sleep(50)
  }
  assert.fail(`it does not happen: ${what}\n${up.err()}`)
}

const questions = async (who: string) => (await ok(who, 'GET', '/v1/approvals')).items

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'waybill-company-'))
  // PostgreSQL of root runs as `nobody`, who must be able to pass through.
  chmodSync(root, 0o711)
  modelUrl = await models.start()
  smtp = await smtpReceiver({ after: () => {} })
  await new Promise<void>((resolve) => crm.listen(0, '127.0.0.1', resolve))
  crmUrl = `http://127.0.0.1:${(crm.address() as AddressInfo).port}`
  models.addFixture({
    match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
    response: { content: 'It is refunded.', usage },
  })
  models.addFixture({
    match: {},
    response: { toolCalls: [{ id: 'c1', name: 'refund', arguments: '{"amount":80}' }], usage },
  })
  writeFileSync(join(root, 'clerk.json'), definition())
  await startOn('first')
})

after(async () => {
  await stop()
  await models.stop()
  await smtp.stop()
  crm.closeAllConnections()
  crm.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

describe('two organisations and six people', () => {
  test('are set up by the installer and their admins, and each person gets a token', async () => {
    for (const [organisation, user] of [
      ['acme', 'ann'],
      ['globex', 'gil'],
    ] as const) {
      const made = await ok('installer', 'POST', '/v1/organisations', { organisation, admin: { user } })
      tokens[user] = made.admin_token.token
    }
    for (const [user, roles, more] of [
      ['bob', ['author', 'operator'], {}],
      ['dan', ['approver'], { mail: 'dan@acme.example' }],
      ['eve', ['approver', 'viewer'], { mail: 'eve@acme.example' }],
      ['fay', ['viewer'], {}],
      ['robot', ['operator', 'approver'], { kind: 'service' }],
    ] as const)
      await ok('ann', 'POST', '/v1/organisations/acme/members', { user, roles, ...more })
    for (const user of ['bob', 'dan', 'eve', 'fay', 'robot']) {
      const { code, out, err } = await type('ann', ['token', 'new', 'laptop', '--user', user, '--json'])
      assert.equal(code, 0, err)
      tokens[user] = JSON.parse(out).token
    }
    for (const [who, org] of [
      ['ann', 'acme'],
      ['gil', 'globex'],
    ] as const)
      await ok(who, 'PUT', '/v1/secrets/CRM_KEY', { value: SECRETS[org], hosts: [new URL(crmUrl).host] })
    await ok('ann', 'PUT', '/v1/approval-policies/refunds', {
      match: { tool: 'refund' },
      notify: { members: ['dan', 'eve'] },
      approvals_needed: 2,
      starter_may_decide: false,
    })
  })

  test('a run from the terminal waits; the approvers get mail that contains no token', async () => {
    const { code, out, err } = await type('bob', ['run', 'clerk.json', 'Refund order 7.', '--json'])
    assert.equal(code, 4, out + err)
    const { status, run_id } = JSON.parse(out)
    assert.equal(status, 'awaiting_approval')
    const listed = await type('fay', ['runs', 'list', '--json'])
    assert.equal(JSON.parse(listed.out).runs[0].run_id, run_id, listed.err)
    const shown = await type('fay', ['runs', 'show', run_id.slice(0, 23)])
    assert.match(shown.out, /on behalf of bob/)
    await until('mail', () => smtp.mails.length >= 2)
    const all = smtp.mails.map(({ raw }) => raw).join('\n')
    assert.deepEqual(smtp.mails.flatMap(({ to }) => to).sort(), ['dan@acme.example', 'eve@acme.example'])
    assert.match(all, /https:\/\/wb\.acme\.example\//)
    for (const secret of [...Object.values(tokens), ...Object.values(SECRETS)])
      assert.equal(all.includes(secret), false)
  })

  test('two people who did not start it must agree to the same arguments; then it is sent once', async () => {
    const [{ id, digest, run_id }] = await questions('eve')
    const decide = (who: string, body: object) =>
      send(who, 'POST', `/v1/approvals/${id}`, { digest, ...body })
    for (const [who, code] of [
      ['robot', 'PERSON_REQUIRED'],
      ['fay', 'ROLE_MISSING'],
      ['gil', 'RUN_NOT_FOUND'],
    ] as const)
      assert.equal((await decide(who, { verdict: 'approve' })).json.code, code, who)
    await ok('ann', 'POST', '/v1/organisations/acme/members', {
      user: 'bob',
      roles: ['author', 'operator', 'approver'],
    })
    tokens.bobToo = (
      await ok('bob', 'POST', '/v1/tokens', { roles: ['approver'] }).catch(() => ({ token: '' }))
    ).token
    assert.equal((await decide('bob', { verdict: 'approve' })).json.code, 'ROLE_MISSING')
    tokens.bobToo = (await ok('ann', 'POST', '/v1/tokens', { user: 'bob', roles: ['approver'] })).token
    assert.equal((await decide('bobToo', { verdict: 'approve' })).json.code, 'STARTER_MAY_NOT_DECIDE')
    const tooMuch = await decide('dan', { verdict: 'edit', arguments: { amount: 500 } })
    assert.deepEqual([tooMuch.status, tooMuch.json.code], [422, 'ARGUMENTS_REFUSED'])
    const vote = await decide('dan', { verdict: 'edit', arguments: { amount: 20 } })
    assert.equal(vote.status, 202, JSON.stringify(vote.json))
    assert.equal(refunds.length, 0)
    const second = await type('eve', ['approvals', 'edit', run_id, '--arguments', '{"amount":20}', '--json'])
    assert.equal(second.code, 0, second.err)
    await until(
      'the end of the run',
      async () => (await ok('bob', 'GET', `/v1/runs/${run_id}`)).status === 'completed',
    )
    assert.deepEqual(refunds, [{ key: `Bearer ${SECRETS.acme}`, amount: 20 }])
  })

  test('a signed message starts a run once; a browser signs in and denies it', async () => {
    const trigger = await ok('bob', 'POST', '/v1/triggers', { agent_id: AGENT, kind: 'webhook' })
    const { secret } =
      trigger.secret === undefined ? await ok('bob', 'POST', `/v1/triggers/${trigger.id}/secret`) : trigger
    const body = JSON.stringify({ order: 8 })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    const hook = String(trigger.path)
    const [first, again] = [
      await send('', 'POST', hook, body, headers),
      await send('', 'POST', hook, body, headers),
    ]
    assert.ok(first.status === 202 && again.status < 300, JSON.stringify([first.json, again.json]))
    assert.equal(first.json.run_id, again.json.run_id)
    assert.equal((await send('', 'POST', hook, `${body} `, headers)).status, 401)
    await until('its question', async () => (await questions('eve')).length === 1)
    const [question] = await questions('eve')
    assert.deepEqual([question.run_id, question.on_behalf_of], [first.json.run_id, 'bob'])
    const signed = await send('dan', 'POST', '/v1/browser-session')
    const cookie = String(signed.headers.get('set-cookie')).split(';')[0] ?? ''
    const path = `/v1/approvals/${question.id}`
    const deny = { verdict: 'deny', note: 'not ours' }
    assert.equal((await send('', 'POST', path, deny, { cookie })).json.code, 'CSRF_REFUSED')
    await ok('', 'POST', path, deny, { cookie, 'x-csrf-token': signed.json.csrf })
    await until(
      'the end',
      async () => (await ok('bob', 'GET', `/v1/runs/${question.run_id}`)).status === 'completed',
    )
    assert.equal(refunds.length, 1)
  })

  test('the other organisation works beside it, with its own secret; a stop of one does not stop the other', async () => {
    const stopped = await ok('bob', 'POST', '/v1/stop', { organisation: 'acme', reason: 'month end' })
    assert.equal(
      (await send('bob', 'POST', `/v1/agents/${AGENT}/runs`, { input: 'x' })).json.code,
      'RUNS_STOPPED',
    )
    assert.equal((await send('gil', 'GET', `/v1/agents/${AGENT}`)).status, 404)
    const { code, out, err } = await type('gil', ['run', 'clerk.json', 'Refund order 9.', '--json'])
    assert.equal(code, 4, out + err)
    const approved = await type('gil', ['approvals', 'approve', JSON.parse(out).run_id])
    assert.equal(approved.code, 0, approved.err)
    await until('the refund', () => refunds.length === 2)
    assert.deepEqual(refunds[1], { key: `Bearer ${SECRETS.globex}`, amount: 80 })
    await ok('bob', 'DELETE', `/v1/stops/${stopped.id}`)
  })

  test('a backup continues on an empty machine: the open question is answered there, and the log verifies', async () => {
    const { out } = await type('bob', ['run', 'clerk.json', 'Refund order 10.', '--json'])
    const { run_id } = JSON.parse(out)
    const command = async (machine: string, ...argv: string[]) => {
      const started = startProcess([...argv, '--json'], {
        env: { ...process.env, WAYBILL_HOME: join(root, machine), DATABASE_URL: undefined },
      })
      return { code: await started.ended, out: started.out(), err: started.err() }
    }
    const backup = join(root, 'backup')
    const taken = await command('first', 'backup', backup)
    assert.equal(taken.code, 0, taken.out + taken.err)
    await stop()
    const bare = await command('bare', 'restore', backup)
    assert.equal(bare.code, 0, bare.out + bare.err)
    const without = JSON.parse(bare.out)
    assert.ok(without.keys.missing.includes('keys/secrets/installation.key'))
    mkdirSync(join(root, 'second'))
    cpSync(join(root, 'first', 'keys'), join(root, 'second', 'keys'), { recursive: true })
    const restored = await command('second', 'restore', backup)
    assert.equal(restored.code, 0, restored.out + restored.err)
    const report = JSON.parse(restored.out)
    assert.deepEqual(
      [report.keys, report.questions, report.unsigned],
      [{ missing: [], different: [] }, 1, []],
    )
    await startOn('second')
    await until('the question', async () => (await questions('eve')).length === 1)
    for (const who of ['dan', 'eve']) {
      const { code, err } = await type(who, ['approvals', 'approve', run_id])
      assert.equal(code, 0, err)
    }
    await until('the end', async () => (await ok('bob', 'GET', `/v1/runs/${run_id}`)).status === 'completed')
    assert.deepEqual(refunds.at(-1), { key: `Bearer ${SECRETS.acme}`, amount: 80 })
    const verdict = await type('fay', ['audit', 'verify', '--json'])
    assert.equal(JSON.parse(verdict.out).ok, true, verdict.out)
    const kinds = JSON.stringify((await ok('fay', 'GET', '/v1/audit?limit=1000')).items)
    for (const kind of [
      'platform.restored',
      'secret.used',
      'session.opened',
      'question.voted',
      'stop.lifted',
    ])
      assert.ok(kinds.includes(kind), kind)
    for (const secret of [...Object.values(tokens), ...Object.values(SECRETS)])
      assert.equal(kinds.includes(secret), false)
  })
})
