import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Place, until, waybill } from '../cli/fixture.ts'
import { partsOf } from '../platform/inbox/smtp-receiver.ts'
import { standardHeaders } from '../platform/triggers-fixture.ts'
import { isSigned } from '../platform/verify-message.ts'
import { type Answer, CLERK, companySite, type Request, settled } from './company-site.ts'

const MODEL_KEY = 'acme-model-1Vb6Zq4Wc7y'
const OTHER_MODEL_KEY = 'globex-model-8Jn3Ts6Vd1x'
const ACME_KEY = 'acme-bank-7Qd2xKp9Lm4v'
const GLOBEX_KEY = 'globex-bank-5Wn8rTz3Hc6y'
const RUNS = `/v1/agents/${CLERK}/runs`

/** Sends a request that must succeed. */
async function ok(ask: Request, ...request: Parameters<Request>) {
  const { status, json } = await ask(...request)
  assert.ok(status < 300, `${request.slice(0, 2).join(' ')}: ${status} ${JSON.stringify(json)}`)
  return json
}

const refusal = ({ status, json }: Answer) => [status, json.code]

/**
 * Two organisations on one installation, as their people use it. At acme: the admin ada, the author aron, the operator
 * olga, the approvers ben and bea, the viewer vic, and the service account robot. At globex: the admin gus.
 */
test('two organisations and their people, from the first token to a restore on another machine', async (t) => {
  const site = await companySite(t)
  const { bank, hooks, smtp, as } = site
  await site.start('one')
  const tokens: Record<string, string> = { installer: site.adminToken() }
  const by = (name: string): Request => as(tokens[name] ?? assert.fail(name))
  const secrets = () => [...Object.values(tokens), MODEL_KEY, OTHER_MODEL_KEY, ACME_KEY, GLOBEX_KEY]
  const paid = () => bank.messages.map(({ headers, body }) => [headers.authorization, JSON.parse(body)])

  const desks = new Place(t, site.definition())
  /** What a person types, each at a machine of their own; without a token of the environment, after a login. */
  const type = (name: string, argv: readonly string[], { stdin = '', token = tokens[name] ?? '' } = {}) =>
    waybill(desks, argv, {
      stdin,
      env: { WAYBILL_HOME: join(desks.folder, name), ...(token !== '' && { WAYBILL_TOKEN: token }) },
    })
  const typed = async (...line: Parameters<typeof type>) => {
    const said = await type(...line)
    assert.equal(said.code, 0, `${line[1].join(' ')}: ${said.out}${said.err}`)
    return said
  }
  const server = () => ['--server', site.url()]

  /** Starts a run that asks, and returns it with its question. */
  const asking = async (name: string, input: string) => {
    const run = await ok(by(name), 'POST', RUNS, { input, wait_seconds: 20 })
    assert.equal(run.status, 'awaiting_approval', JSON.stringify(run))
    const { items } = await ok(by(name), 'GET', `/v1/approvals?run_id=${run.run_id}`)
    assert.equal(items.length, 1)
    return {
      run: run.run_id as string,
      path: `/v1/approvals/${encodeURIComponent(items[0].id)}`,
      ...items[0],
    }
  }

  await t.test('the installer creates organisations, and their admins the members', async () => {
    for (const [organisation, user] of [
      ['acme', 'ada'],
      ['globex', 'gus'],
    ] as const) {
      const body = { organisation, admin: { user } }
      tokens[user] = (await ok(by('installer'), 'POST', '/v1/organisations', body)).admin_token.token
    }
    for (const [user, roles, more] of [
      ['aron', ['author'], {}],
      ['olga', ['operator'], {}],
      ['ben', ['approver'], { mail: 'ben@acme.example' }],
      ['bea', ['approver'], { mail: 'bea@acme.example' }],
      ['vic', ['viewer'], {}],
      ['robot', ['operator', 'approver'], { kind: 'service' }],
    ] as const) {
      await ok(by('ada'), 'POST', '/v1/organisations/acme/members', { user, roles, ...more })
      tokens[user] = (await ok(by('ada'), 'POST', '/v1/tokens', { user })).token
    }
    assert.equal((await by('gus')('GET', '/v1/organisations/acme/members')).status, 404)
    assert.deepEqual((await ok(by('ben'), 'GET', '/v1/me')).roles, ['approver'])
  })

  await t.test('the admin of acme sets secrets in a terminal, that of globex over HTTP', async () => {
    const login = await typed('ada', ['login', site.url()], { stdin: `${tokens.ada}\n`, token: '' })
    const desk = { token: '' }
    for (const [name, value, other, host] of [
      ['OPENAI_API_KEY', MODEL_KEY, OTHER_MODEL_KEY, site.hosts.model],
      ['BANK_KEY', ACME_KEY, GLOBEX_KEY, site.hosts.bank],
    ] as const) {
      await typed('ada', ['secret', 'set', name, '--host', host], { ...desk, stdin: `${value}\n` })
      await ok(by('gus'), 'PUT', `/v1/secrets/${name}`, { value: other, hosts: [host] })
    }
    const listed = await typed('ada', ['secret', 'list'], desk)
    assert.match(listed.out, /^BANK_KEY +never +.* by ada +\S+$/m)
    const made = await typed('ada', ['token', 'new', 'desk', '--role', 'viewer', '--json', ...server()], desk)
    const { token } = JSON.parse(made.out)
    const { user, roles } = await ok(as(token), 'GET', '/v1/me')
    assert.deepEqual([user, roles], ['ada', ['viewer']])
    assert.equal((await as(token)('PUT', '/v1/secrets/X', { value: 'x', hosts: ['a.example'] })).status, 403)
    for (const text of [login, listed].flatMap(({ out, err }) => [out, err]))
      assert.ok(![ACME_KEY, MODEL_KEY, tokens.ada ?? '-'].some((secret) => text.includes(secret)), text)
  })

  await t.test('the author uploads; the admin says who is asked', async () => {
    const definition = site.definition()
    assert.equal((await by('olga')('POST', '/v1/agents', definition)).status, 403)
    await ok(by('aron'), 'POST', '/v1/agents', definition)
    assert.equal((await by('gus')('GET', `/v1/agents/${CLERK}`)).status, 404)
    const webhook = await ok(by('ada'), 'POST', '/v1/webhooks', { url: `${hooks.url}/acme`, runs: 'named' })
    tokens.webhook = webhook.secret
    const policy = {
      match: { tool: 'pay*' },
      notify: { members: ['ben', 'bea'], webhooks: [webhook.id] },
      approvals_needed: 2,
      starter_may_decide: false,
      remind_after_seconds: 1,
    }
    assert.equal((await by('olga')('PUT', '/v1/approval-policies/payments', policy)).status, 403)
    await ok(by('ada'), 'PUT', '/v1/approval-policies/payments', policy)
  })

  let payment: Awaited<ReturnType<typeof asking>>

  await t.test('approvers get mail and a reminder, and a webhook messages, without secrets', async () => {
    payment = await asking('olga', 'please pay carl')
    assert.deepEqual([payment.on_behalf_of, payment.arguments], ['olga', { to: 'carl', amount: 500 }])
    await until('a mail and a reminder for two people', () => smtp.mails.length === 4)
    const bea = ['bea@acme.example', 'bea@acme.example']
    const receivers = smtp.mails.flatMap(({ to }) => to).sort()
    assert.deepEqual(receivers, [...bea, 'ben@acme.example', 'ben@acme.example'])
    for (const mail of smtp.mails) {
      const { text } = partsOf(mail)
      assert.match(text, /"amount": 500/)
      assert.match(text, /waybill approvals approve .* --server https:\/\/wb\.acme\.example/)
      for (const secret of secrets()) assert.ok(!(mail.raw + text).includes(secret))
    }
    await until('the webhook of the policy', () => hooks.messages.length >= 2)
    const types = hooks.messages.map(({ body }) => JSON.parse(body).type)
    assert.deepEqual(types.sort(), ['question.opened', 'question.reminded'])
    for (const message of hooks.messages) assert.ok(isSigned(message, tokens.webhook ?? ''))
    const listed = await typed('vic', ['runs', 'list', '--json', ...server()])
    assert.equal(JSON.parse(listed.out).runs[0].run_id, payment.run)
    assert.match((await typed('vic', ['runs', 'show', payment.run, ...server()])).out, /on behalf of olga/)
  })

  await t.test(
    'two people who have not started it must agree to the same arguments; it is sent once',
    async () => {
      const decide = (name: string, verdict: object) => by(name)('POST', payment.path, verdict)
      const approve = { verdict: 'approve' }
      const member = { user: 'olga', roles: ['operator', 'approver'] }
      await ok(by('ada'), 'POST', '/v1/organisations/acme/members', member)
      assert.deepEqual(refusal(await decide('olga', approve)), [403, 'ROLE_MISSING'])
      tokens.olgaToo = (await ok(by('ada'), 'POST', '/v1/tokens', { user: 'olga' })).token
      assert.deepEqual(refusal(await decide('olgaToo', approve)), [403, 'STARTER_MAY_NOT_DECIDE'])
      assert.deepEqual(refusal(await decide('vic', approve)), [403, 'ROLE_MISSING'])
      assert.deepEqual(refusal(await decide('robot', approve)), [403, 'PERSON_REQUIRED'])
      assert.deepEqual(refusal(await decide('gus', approve)), [404, 'RUN_NOT_FOUND'])
      const edit = (amount: number) => {
        return { verdict: 'edit', arguments: { to: 'carl', amount }, digest: payment.digest }
      }
      assert.deepEqual(refusal(await decide('ben', edit(5000))), [422, 'ARGUMENTS_REFUSED'])
      const vote = await decide('ben', edit(50))
      assert.equal(vote.status, 202, JSON.stringify(vote.json))
      assert.deepEqual(paid(), [])
      // bea sees what ben has voted for, and an approval that does not say which arguments it means is refused.
      const listed = await typed('bea', ['approvals', 'list', ...server()])
      assert.match(listed.out, /1 of 2 votes, for edited arguments +pay /)
      const shown = await typed('bea', ['approvals', 'show', payment.run, ...server()])
      const [, digest = ''] = /1 of 2 votes: ben edit .*"amount":50.* (sha256:\w+)/.exec(shown.out) ?? []
      const unclear = await type('bea', ['approvals', 'approve', payment.run, ...server()])
      assert.equal(unclear.code, 1)
      assert.ok(unclear.err.includes(`--digest ${digest}`), unclear.err)
      await typed('bea', ['approvals', 'approve', payment.run, '--digest', digest, ...server()])
      const run = await settled(by('vic'), payment.run)
      assert.match(run.output, /a person has changed the arguments.*"amount":50}.*"paid":true/)
      assert.deepEqual(refusal(await decide('ben', edit(50))), [409, 'APPROVAL_DECIDED'])
      assert.deepEqual(paid(), [[`Bearer ${ACME_KEY}`, { to: 'carl', amount: 50 }]])
      const { votes, outcome, closed_by } = await ok(by('vic'), 'GET', payment.path)
      const given = votes.given.map((one: { by: string }) => one.by)
      assert.deepEqual([outcome, closed_by, given], ['edit', 'bea', ['ben', 'bea']])
      await until('four mails and two messages of the webhook are reported as sent', async () => {
        const { notified } = await ok(by('vic'), 'GET', payment.path)
        return notified.length === 6 && notified.every(({ state }: { state: string }) => state === 'sent')
      })
    },
  )

  await t.test('globex pays from a terminal with its own secret, and sees nothing of acme', async () => {
    const begun = await type('gus', ['run', 'agent.json', 'please pay dora', '--json', ...server()])
    assert.equal(begun.code, 4, begun.out + begun.err)
    const { run_id } = JSON.parse(begun.out)
    await typed('gus', ['approvals', 'approve', run_id, ...server()])
    await settled(by('gus'), run_id)
    assert.deepEqual(paid().at(-1), [`Bearer ${GLOBEX_KEY}`, { to: 'dora', amount: 500 }])
    assert.equal((await by('gus')('GET', `/v1/runs/${payment.run}`)).status, 404)
    assert.equal((await by('olga')('GET', `/v1/runs/${run_id}`)).status, 404)
    for (const path of ['/v1/runs', '/v1/approvals', '/v1/audit?limit=1000', '/v1/webhooks', '/v1/triggers'])
      assert.doesNotMatch(JSON.stringify(await ok(by('gus'), 'GET', path)), /carl|olga|acme/, path)
  })

  await t.test('an approver decides in a browser, with the value against forged requests', async () => {
    const question = await asking('olga', 'please pay eve')
    const session = await by('ben')('POST', '/v1/browser-session')
    const [cookie = ''] = String(session.headers.get('set-cookie')).split(';')
    const deny = (headers: Record<string, string>) =>
      as({ cookie, ...headers })('POST', question.path, { verdict: 'deny', note: 'we do not know her' })
    assert.deepEqual(refusal(await deny({})), [403, 'CSRF_REFUSED'])
    assert.equal((await deny({ 'x-csrf-token': session.json.csrf })).status, 200)
    assert.match((await settled(by('olga'), question.run)).output, /we do not know her/)
    assert.equal(paid().length, 2)
  })

  await t.test('a signed message starts one run, and the same message is the same run', async () => {
    const [declared] = (await ok(by('olga'), 'GET', '/v1/triggers')).items
    // Activated by the author, who may not start runs: the operator answers for them.
    assert.equal(declared.on_behalf_of, 'aron')
    await ok(by('olga'), 'PUT', `/v1/triggers/${declared.id}`, { enabled: true })
    const { secret, path } = await ok(by('olga'), 'POST', `/v1/triggers/${declared.id}/secret`, {})
    const body = '{"order":17}'
    const post = (headers: Record<string, string>) => as(headers)('POST', path, body)
    const first = await post(standardHeaders(secret, body))
    assert.equal(first.status, 202, JSON.stringify(first.json))
    const second = await post(standardHeaders(secret, body))
    assert.deepEqual([second.status, second.json.run_id], [200, first.json.run_id])
    assert.equal((await post(standardHeaders(secret, '{"order":18}'))).status, 401)
    const run = await settled(by('olga'), first.json.run_id)
    assert.deepEqual([run.output, run.on_behalf_of], ['noted', 'olga'])
  })

  await t.test('a stop of acme does not stop globex', async () => {
    const stop = await ok(by('ada'), 'POST', '/v1/stop', { organisation: 'acme', reason: 'wrong prices' })
    const hello = { input: 'hello', wait_seconds: 20 }
    assert.deepEqual(refusal(await by('olga')('POST', RUNS, hello)), [409, 'RUNS_STOPPED'])
    assert.equal((await ok(by('gus'), 'POST', RUNS, hello)).output, 'noted')
    assert.equal((await by('gus')('DELETE', `/v1/stops/${stop.id}`)).status, 404)
    await ok(by('ada'), 'DELETE', `/v1/stops/${stop.id}`)
    assert.equal((await ok(by('olga'), 'POST', RUNS, hello)).output, 'noted')
  })

  await t.test('a backup continues on an empty machine: the open question is decided there', async () => {
    const question = await asking('olga', 'please pay fred')
    assert.equal((await by('ben')('POST', question.path, { verdict: 'approve' })).status, 202)
    const folder = site.home('backup')
    const backup = await site.command('one', ['backup', folder, '--json'])
    assert.equal(backup.code, 0, backup.err)
    await site.stop()
    site.copyKeys('one', 'two')
    const restore = await site.command('two', ['restore', folder, '--continue', '--json'])
    assert.equal(restore.code, 0, restore.err)
    const restored = JSON.parse(restore.out)
    assert.deepEqual([restored.organisations, restored.questions], [3, 1], restore.out)
    assert.deepEqual(restored.keys, { missing: [], different: [] })

    await site.start('two')
    const [open] = (await ok(by('bea'), 'GET', '/v1/approvals')).items
    assert.deepEqual([open.id, open.digest], [question.id, question.digest])
    const { votes } = await ok(by('bea'), 'GET', question.path)
    assert.deepEqual(
      votes.given.map((one: { by: string }) => one.by),
      ['ben'],
    )
    await ok(by('bea'), 'POST', question.path, { verdict: 'approve' })
    assert.equal((await settled(by('olga'), question.run)).output, 'answered: {"paid":true}')
    assert.deepEqual(paid().slice(2), [[`Bearer ${ACME_KEY}`, { to: 'fred', amount: 500 }]])
    for (const name of ['vic', 'gus']) {
      const verified = await typed(name, ['audit', 'verify', '--json', ...server()])
      assert.equal(JSON.parse(verified.out).ok, true, verified.out)
    }
    const { items } = await ok(by('vic'), 'GET', '/v1/audit?limit=1000')
    const kinds = new Set(items.map(({ fact }: { fact: { kind: string } }) => fact.kind))
    for (const kind of [
      'platform.restored',
      'secret.used',
      'session.opened',
      'question.voted',
      'stop.lifted',
    ])
      assert.ok(kinds.has(kind), kind)
    for (const secret of secrets()) assert.ok(!JSON.stringify(items).includes(secret))
    await site.stop()

    const without = await site.command('three', ['restore', folder])
    assert.equal(without.code, 0, without.err)
    assert.match(without.out, /missing: keys\/secrets\/installation\.key: the secrets .* must be set again/)
    assert.match(without.out, /missing: keys\/audit.*cannot be continued/)
  })
})
