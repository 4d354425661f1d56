import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp-mailer.ts'
import { homeKeys } from '../../../src/compose/home-keys.ts'
import { defined } from '../../../src/document/defined.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { Planner } from '../../../src/platform/agents/planner.ts'
import { InboxWorker } from '../../../src/platform/inbox/inbox-worker.ts'
import type { MailSenderOptions } from '../../../src/platform/inbox/mail-sender.ts'
import { mailSettings } from '../../../src/settings/mail-settings.ts'
import {
  answered,
  Driven,
  newRun,
  planNamed,
  type RunOptions,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { entryMaker } from '../../../src/trust/audit-chain.ts'
import { serve } from '../../server/served.ts'
import { peopleSite } from '../people-fixture.ts'
import { addWorker, asWorker } from '../records/organisation.ts'
import { smtpReceiver } from './smtp-receiver.ts'

export const AGENT = 'agent-1'

/** Plans any run, without an agent. */
const planner: Planner = {
  newRun: async ({ agent_id }, first, { run_id = 'none', user, session, batch, on_behalf_of }) => {
    const plan = { ...planNamed(agent_id), limits: {} } as Plan
    const run = newRun(run_id, {
      agent_id,
      plan,
      ...(user !== undefined && { user }),
      ...(batch && { batch }),
    })
    return {
      run: { ...run, first, header: { ...run.header, ...defined({ session, on_behalf_of }) } },
      version: '1.0.0',
    }
  },
  agent: () => Promise.reject(new Error('not used')),
  restored: () => Promise.reject(new Error('not used')),
  receiving: () => Promise.reject(new Error('not used')),
  isSubagent: async () => false,
}

/** A platform of the organisation `default` with a mail server, and with members ann, bob, eve and sam. */
export async function inboxSite(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-inbox-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { messages: keys, signAudit } = homeKeys(folder)
  const site = await peopleSite(t, signAudit)
  const { database, admin } = site
  const publicUrl = 'https://waybill.acme.example/'
  const webhookGrants = {
    hosts: [{ host: 'hooks.acme.example', private: false, source: 'config' as const }],
  }
  const platform = await site.platform({ keys, planner, webhookGrants, mails: true, publicUrl })
  const { send } = await serve(t, platform)
  const records = asWorker(t, database, 'default', await addWorker(database))
  const smtp = await smtpReceiver(t)
  const settings = mailSettings({
    mail: { host: '127.0.0.1', port: smtp.port, from: 'Waybill <waybill@acme.example>' },
  })
  if (settings === undefined) throw new TypeError('there are settings')
  const logged: string[] = []
  const workers: InboxWorker[] = []
  t.after(() => Promise.all(workers.map((worker) => worker.stop())))
  await database.engine.query(
    `INSERT INTO waybill.agents (org, agent_id, name) VALUES ('default', $1, 'Clerk')`,
    [AGENT],
  )
  const request = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    json?: unknown,
    token = admin,
  ) => {
    const answer = await send(method, path, { token, ...(json !== undefined && { json }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const tokens = new Map<string, string>()
  const member = async (user: string, more: object = {}) => {
    const roles = ['operator', 'approver']
    await request('POST', '/v1/organisations/default/members', {
      user,
      roles,
      mail: `${user}@acme.example`,
      ...more,
    })
    tokens.set(user, (await request('POST', '/v1/tokens', { user })).token)
  }
  for (const user of ['ann', 'bob', 'eve', 'sam']) await member(user)
  const policies = async (all: Readonly<Record<string, object>>) => {
    for (const { name } of (await request('GET', '/v1/approval-policies')).items)
      await request('DELETE', `/v1/approval-policies/${name}`)
    for (const [name, policy] of Object.entries(all))
      await request('PUT', `/v1/approval-policies/${name}`, policy)
  }
  /** Drives a stored run until it asks. @returns the driven run and the id of its question */
  const asksIn = async (runId: string, status: 'asking' | 'unknown' = 'asking') => {
    const run = new Driven(await records.runs.open(runId))
    if (run.state.seq === 0) await run.append(started(runId))
    await run.append(...answered(status))
    return { run, id: `${runId}~${run.state.seq}~${Buffer.from('c1').toString('base64url')}` }
  }
  return {
    ...site,
    signAudit,
    folder,
    send,
    request,
    records,
    smtp,
    logged,
    policies,
    member,
    asksIn,
    token: (user: string) => tokens.get(user) ?? '',
    /** Sends a request of a member. @returns the answer, whatever its status */
    as: (user: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown) =>
      send(method, path, { token: tokens.get(user) ?? '', ...(json !== undefined && { json }) }),
    /** A run that asks once. */
    async asks(runId: string, options: RunOptions = {}, status: 'asking' | 'unknown' = 'asking') {
      await (await records.runs.create(newRun(runId, options))).close()
      return asksIn(runId, status)
    },
    /** Starts what a worker does for the inbox, without looking by itself. */
    worker(options: Partial<MailSenderOptions> = {}): InboxWorker {
      const mail = { send: createSmtpMailer(settings), delaysMs: [1, 1], ...options }
      const worker = new InboxWorker(
        { engine: database.engine, recordsOf: () => records, log: (_level, message) => logged.push(message) },
        { nextEntry: entryMaker(signAudit), publicUrl, mail },
      )
      workers.push(worker)
      return worker
    },
    /** Sets a time of a question to the past or, by seconds, to the future. */
    async move(id: string, column: 'remind_at' | 'escalate_at' | 'expires_at', seconds = -1) {
      await database.engine.query(
        `UPDATE waybill.questions SET ${column} = clock_timestamp() + $2 * interval '1 second', retry_at = NULL WHERE id = $1`,
        [id, seconds],
      )
    },
  }
}
