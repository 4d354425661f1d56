import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookForWork } from '../../../src/platform/engine/reconcile.ts'
import { ended } from '../../../src/testing/contracts/records-fixture.ts'
import { until } from '../webhooks-fixture.ts'
import { AGENT, inboxSite } from './inbox-site.ts'
import { partsOf } from './smtp-receiver.ts'

const LONG = 3600

test('the inbox of an organisation', async (t) => {
  const site = await inboxSite(t)
  const { asks, policies, request, as, worker, smtp, move, database, facts } = site
  const read = (id: string) => request('GET', `/v1/approvals/${id}`)
  const decide = (user: string, id: string, verdict: string, more: object = {}) =>
    as(user, 'POST', `/v1/approvals/${id}`, { verdict, ...more })
  const kinds = async (kind: string) => (await facts('default')).filter((fact) => fact.kind === kind)
  const [one, two] = [worker(), worker()]
  /** Lets both workers do what is due. */
  const work = async (condition: () => boolean | Promise<boolean>, what: string) => {
    await until(async () => {
      one.look(true)
      two.look(true)
      return condition()
    }, what)
  }
  /** Lets both workers take up a question, so that nothing is left for it. */
  const settle = (what = 'the workers') =>
    work(async () => {
      const { rows } = await database.engine.query<{ left: boolean }>(
        `SELECT EXISTS (SELECT FROM waybill.changed_questions) OR EXISTS (SELECT FROM waybill.mails WHERE state = 'pending')
           OR EXISTS (SELECT FROM waybill.questions WHERE due_at <= clock_timestamp()) AS left`,
      )
      return rows[0]?.left === false
    }, what)
  const mailsTo = (to: string) => smtp.mails.filter((mail) => mail.to.includes(to))

  await t.test('a policy is checked, listed in the order in which it is tried, and audited', async () => {
    const put = (policy: object, name = 'p') => as('admin', 'PUT', `/v1/approval-policies/${name}`, policy)
    await site.member('admin', { roles: ['admin'] })
    await site.member('mute', { mail: null })
    const hour = 3600
    for (const [policy, status, pointer] of [
      [{ notify: { mail: ['a@b.example\nBcc: x@y.example'] } }, 422, '/notify/mail/0'],
      [{ notify: { mail: ['a@b.example', 'a@b.example'] } }, 422, '/notify/mail/1'],
      [{ notify: { members: ['nobody-known'] } }, 404, undefined],
      [{ notify: { members: ['ann', 'mute'] } }, 422, '/notify/members/1'],
      [{ notify: { teams: ['none'] } }, 404, undefined],
      [
        { escalate: { after_seconds: 1, notify: { webhooks: ['none'] } } },
        404,
        '/escalate/notify/webhooks/0',
      ],
      [{ remind_every_seconds: 60 }, 422, '/remind_every_seconds'],
      [{ remind_after_seconds: 1, remind_every_seconds: 59 }, 422, '/remind_every_seconds'],
      [{ remind_after_seconds: hour, expire: { after_seconds: hour } }, 422, '/remind_after_seconds'],
      [
        { escalate: { after_seconds: hour, notify: {} }, expire: { after_seconds: hour } },
        422,
        '/escalate/after_seconds',
      ],
      [{ remind_after_seconds: hour - 1, expire: { after_seconds: hour, verdict: 'deny' } }, 200, undefined],
      [{ approvals_needed: 0 }, 422, '/approvals_needed'],
      [{ approvals_needed: 11 }, 422, '/approvals_needed'],
      [{ approvals_needed: 10 }, 200, undefined],
      [{ expire: { after_seconds: 0 } }, 422, '/expire/after_seconds'],
      [{ expire: { after_seconds: 31_536_001 } }, 422, '/expire/after_seconds'],
      [{ expire: { after_seconds: 31_536_000, verdict: 'approve' } }, 422, '/expire/verdict'],
      [{ remind_after_seconds: 1, expire: { after_seconds: 31_536_000 } }, 200, undefined],
    ] as const) {
      const answer = await put(policy)
      assert.equal(answer.status, status, `${JSON.stringify(policy)} ${answer.text}`)
      assert.equal(answer.json.pointer, pointer, JSON.stringify(policy))
    }
    assert.equal((await put({}, 'Upper')).json.code, 'REQUEST_INVALID')
    assert.equal((await as('bob', 'PUT', '/v1/approval-policies/p', {})).status, 403)
    await policies({ b: { order: 2 }, a: { order: 2 }, last: {}, first: { order: 0 } })
    const paged = await request('GET', '/v1/approval-policies?limit=3')
    const rest = await request('GET', `/v1/approval-policies?limit=3&cursor=${paged.next}`)
    const names = [...paged.items, ...rest.items].map(({ name }: { name: string }) => name)
    assert.deepEqual([names, rest.next], [['first', 'a', 'b', 'last'], null])
    assert.deepEqual([rest.items[0].order, rest.items[0].approvals_needed], [100, 1])
    assert.equal((await as('admin', 'DELETE', '/v1/approval-policies/none')).json.code, 'POLICY_NOT_FOUND')
    const { length } = await kinds('approval_policy.set')
    assert.equal(length, 7)
    assert.ok((await kinds('approval_policy.removed')).length > 0)
  })

  await t.test('a question notifies each receiver of its policy once, by two workers', async (t) => {
    await request('POST', '/v1/organisations/default/teams', {
      team: 'duty',
      members: ['bob', 'eve', 'mute'],
    })
    const { id: webhook } = await request('POST', '/v1/webhooks', {
      url: 'https://hooks.acme.example/x',
      events: ['run.ended', 'question.expired'],
    })
    const { id: subscriber } = await request('POST', '/v1/webhooks', {
      url: 'https://hooks.acme.example/y',
      events: ['question.reminded', 'question.expired'],
    })
    const typesTo = async (to: string) =>
      (await request('GET', `/v1/webhooks/${to}/deliveries`)).items
        .map(({ type }: { readonly type: string }) => type)
        .sort()
    await policies({
      other: { order: 0, match: { agent_id: 'agent-2' } },
      duty: {
        order: 1,
        match: { agent_id: AGENT, tool: 's*d' },
        notify: {
          mail: ['Bob@acme.example', 'desk@acme.example'],
          teams: ['duty'],
          members: ['ann'],
          webhooks: [webhook],
        },
        remind_after_seconds: LONG,
        escalate: { after_seconds: 2 * LONG, notify: { mail: ['boss@acme.example'], webhooks: [webhook] } },
        expire: { after_seconds: 3 * LONG, verdict: 'deny' },
      },
    })
    const isDue = async () => (await lookForWork(database.engine, [one])).works.includes('inbox')
    assert.equal(await isDue(), false)
    const { id, run } = await asks('notified', { user: 'ann' })
    assert.equal(await isDue(), true)
    await settle()
    assert.equal(await isDue(), false)
    assert.equal(smtp.mails.length, 4)
    const [mail] = mailsTo('desk@acme.example')
    assert.ok(mail !== undefined)
    const { headers, text } = partsOf(mail)
    assert.equal(headers.get('subject'), '[Waybill] may Clerk call send?')
    assert.equal(headers.get('auto-submitted'), 'auto-generated')
    assert.match(text, /waybill approvals approve \S+ \S+ --server https:\/\/waybill\.acme\.example\n/)
    assert.match(text, /Also notified: .*ann@acme.example/)
    const question = await read(id)
    assert.deepEqual(
      question.notified
        .map(
          ({ to, slot, state, attempts }: { to: string; slot: string; state: string; attempts: number }) => [
            to,
            slot,
            state,
            attempts,
          ],
        )
        .sort(),
      [
        // The address of the team's member is the same, but for its case.
        ['ann@acme.example', 'opened', 'sent', 1],
        ['bob@acme.example', 'opened', 'sent', 1],
        ['desk@acme.example', 'opened', 'sent', 1],
        ['eve@acme.example', 'opened', 'sent', 1],
        [`webhook ${webhook}`, 'opened', 'pending', 0],
      ],
    )
    const { items } = await request('GET', `/v1/webhooks/${webhook}/deliveries`)
    assert.deepEqual([items.length, items[0].type], [1, 'question.opened'])
    const { rows } = await database.engine.query('SELECT body FROM waybill.deliveries WHERE id = $1', [
      items[0].id,
    ])
    const { data } = JSON.parse(rows[0].body)
    assert.deepEqual(
      [data.run_id, data.agent_id, data.user, data.question.id, data.question.tool, data.question.policy],
      ['notified', AGENT, 'ann', id, 'send', 'duty'],
    )
    assert.ok(!rows[0].body.includes('arguments'))

    await t.test('reminders and the escalation are sent once for each time', async () => {
      smtp.mails.length = 0
      await move(id, 'remind_at')
      assert.equal(await isDue(), true)
      await move(id, 'escalate_at')
      await settle()
      assert.equal(mailsTo('desk@acme.example').length, 1)
      assert.equal(mailsTo('boss@acme.example').length, 1)
      assert.equal(smtp.mails.length, 5)
      const after = await read(id)
      // Without remind_every_seconds there is one reminder.
      assert.deepEqual([after.remind_at, after.escalate_at, after.state], [null, null, 'open'])
      const escalated = ['question.escalated', 'question.opened', 'question.reminded']
      assert.deepEqual(await typesTo(webhook), escalated)
      assert.deepEqual(await typesTo(subscriber), ['question.reminded'])
    })

    await t.test('at its end the policy denies it, which is audited and sent to all receivers', async () => {
      smtp.mails.length = 0
      await move(id, 'expires_at', LONG)
      await settle()
      assert.equal((await read(id)).state, 'open')
      await move(id, 'expires_at')
      await work(async () => (await read(id)).state === 'closed', 'the denial')
      await settle()
      const after = await read(id)
      assert.deepEqual([after.state, after.outcome, after.closed_by], ['closed', 'deny', 'policy duty'])
      assert.equal(smtp.mails.length, 4)
      assert.match(partsOf(smtp.mails[0] ?? { raw: '' }).text, /has denied the call/)
      const audited = await kinds('question.expired')
      assert.deepEqual(
        audited.map(({ by }) => by),
        ['policy duty'],
      )
      assert.equal((await decide('bob', id, 'approve')).json.code, 'APPROVAL_DECIDED')
      assert.equal((await site.records.runs.decisions('notified')).length, 1)
      // The webhook that is named wants such events too, and gets this one once.
      const all = ['question.escalated', 'question.expired', 'question.opened', 'question.reminded']
      assert.deepEqual(await typesTo(webhook), all)
      assert.deepEqual(await typesTo(subscriber), ['question.expired', 'question.reminded'])
    })
    await run.append(...ended('completed'))
    await run.run.close()
  })

  await t.test('with remind_every_seconds, missed reminders are one', async () => {
    await policies({
      often: {
        notify: { mail: ['desk@acme.example'] },
        remind_after_seconds: 10,
        remind_every_seconds: LONG,
      },
    })
    const { id } = await asks('often')
    await settle()
    for (const n of [1, 2]) {
      smtp.mails.length = 0
      await move(id, 'remind_at', -100 * LONG)
      await settle()
      assert.equal(smtp.mails.length, 1)
      const { notified, remind_at } = await read(id)
      assert.equal(notified.at(-1).slot, `reminded ${n}`)
      assert.ok(Math.abs(Date.parse(remind_at) - Date.now() - LONG * 1000) < 60_000)
    }
  })

  await t.test('a question that may have taken effect is not denied at its end, and stays open', async () => {
    await policies({
      p: { notify: { mail: ['desk@acme.example'] }, expire: { after_seconds: 10, verdict: 'none' } },
    })
    const { id } = await asks('left')
    await settle()
    smtp.mails.length = 0
    await move(id, 'expires_at')
    await settle()
    const { state, expires_at } = await read(id)
    assert.deepEqual([state, expires_at, smtp.mails.length], ['open', null, 1])
    await policies({ p: { expire: { after_seconds: 10, verdict: 'deny' } } })
    const unknown = await asks('unknown', {}, 'unknown')
    await settle()
    await move(unknown.id, 'expires_at')
    await work(async () => (await read(unknown.id)).expires_at === null, 'its end')
    assert.deepEqual([(await read(unknown.id)).state, (await kinds('question.expired')).length], ['open', 3])
    assert.equal((await decide('bob', unknown.id, 'deny')).status, 200)
  })

  await t.test('what waits for a question that was decided or that has ended is dropped', async () => {
    await policies({ p: { notify: { mail: ['desk@acme.example'] }, remind_after_seconds: 10 } })
    const decided = await asks('decided')
    const gone = await asks('gone')
    const idle = worker({
      send: async () => ({ error: 'ECONNREFUSED', final: false }),
      delaysMs: [1_000_000],
    })
    await until(async () => {
      idle.look(true)
      const { rows } = await database.engine.query(
        `SELECT count(*)::int AS n FROM waybill.mails WHERE state = 'pending' AND error IS NOT NULL`,
      )
      return rows[0].n === 2
    }, 'two failed attempts')
    assert.equal((await read(decided.id)).notified[0].error, 'ECONNREFUSED')
    assert.equal((await decide('bob', decided.id, 'deny', { note: 'no' })).status, 200)
    const closed = await read(decided.id)
    assert.deepEqual([closed.state, closed.outcome, closed.closed_by], ['closed', 'deny', 'bob'])
    await gone.run.append(...ended('completed'))
    await work(async () => (await read(gone.id)).state === 'closed', 'the end of the run')
    assert.equal((await read(gone.id)).outcome, 'ended')
    await database.engine.query(`UPDATE waybill.mails SET due_at = now() WHERE state = 'pending'`)
    smtp.mails.length = 0
    await settle()
    assert.deepEqual([(await read(gone.id)).notified[0].state, smtp.mails.length], ['dropped', 0])
  })

  await t.test(
    'a mail server that is down gets the mail later; a refused receiver does not delay others',
    async () => {
      await policies({
        p: { notify: { mail: ['desk@acme.example', 'gone@acme.example', 'full@acme.example'] } },
      })
      await smtp.stop()
      const { id } = await asks('down')
      const slow = worker({ delaysMs: [1] })
      await until(async () => {
        slow.look(true)
        const states = (await read(id)).notified as { readonly state: string; readonly error: string }[]
        return states.length === 3 && states.every(({ state }) => state === 'failed')
      }, 'three mails that are given up')
      assert.deepEqual(
        new Set((await read(id)).notified.map(({ error }: { error: string }) => error)),
        new Set(['ECONNREFUSED']),
      )
      await smtp.start()
      smtp.refuses.set('gone@acme.example', 550).set('full@acme.example', 452)
      smtp.mails.length = 0
      const next = await asks('up')
      await settle()
      const outcome = (await read(next.id)).notified.map(
        ({ to, state, error, attempts }: { to: string; state: string; error: string; attempts: number }) => [
          to,
          state,
          error,
          attempts,
        ],
      )
      assert.deepEqual(outcome.sort(), [
        ['desk@acme.example', 'sent', null, 1],
        ['full@acme.example', 'failed', 'SMTP 452', 3],
        ['gone@acme.example', 'failed', 'SMTP 550', 1],
      ])
      const { rows } = await database.engine.query(
        `SELECT count(*)::int AS n FROM waybill.mails WHERE state <> 'pending' AND body IS NOT NULL`,
      )
      assert.equal(rows[0].n, 0)
    },
  )

  await t.test('a worker that stops gives its mails back, and another one sends them', async () => {
    await policies({ p: { notify: { mail: ['desk@acme.example'] } } })
    const ids: string[] = []
    const hanging = worker({
      send: ({ id }, signal) => {
        ids.push(id)
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ error: 'TIMEOUT', final: false })),
        )
      },
    })
    const { id } = await asks('handed-over')
    await until(() => {
      hanging.look(true)
      return ids.length === 1
    }, 'the first attempt')
    smtp.mails.length = 0
    one.look(true)
    await hanging.stop()
    await settle()
    assert.match(smtp.mails[0]?.raw ?? '', new RegExp(`Message-ID: <${ids[0]}@acme.example>`))
    assert.deepEqual([smtp.mails.length, (await read(id)).notified[0].attempts], [1, 2])
  })

  await t.test(
    'the mail address of a member stays until it is changed, and is removed with the member',
    async () => {
      const members = '/v1/organisations/default/members'
      const set = async (more: object) =>
        (await request('POST', members, { user: 'pat', roles: ['approver'], ...more })).mail
      assert.equal(await set({ mail: 'pat@acme.example' }), 'pat@acme.example')
      assert.equal(await set({}), 'pat@acme.example')
      await request('DELETE', `${members}/pat`)
      assert.equal(await set({}), undefined)
      assert.equal(await set({ mail: 'pat@acme.example' }), 'pat@acme.example')
      assert.equal(await set({ mail: null }), undefined)
      const json = { user: 'pat', roles: [], mail: 'a@b.example, c@d.example' }
      assert.equal((await site.send('POST', members, { token: site.admin, json })).json.pointer, '/mail')
    },
  )

  await t.test('an organisation sends a limited number of mails in a day', async () => {
    await policies({ p: { notify: { mail: ['a@acme.example', 'b@acme.example'] } } })
    const { rows } = await database.engine.query(
      `SELECT count(*)::int AS n FROM waybill.mails WHERE created_at > now() - interval '1 day'`,
    )
    const other = await asks('many')
    await read(other.id)
    await database.engine.query(
      `INSERT INTO waybill.mails (org, question, run_id, slot, recipient, subject, state)
       SELECT 'default', $1, 'many', 'x', 'u' || n, '', 'sent' FROM generate_series(1, $2::int) AS n`,
      [other.id, 2000 - rows[0].n - 3],
    )
    const { id } = await asks('too-many')
    const { notified } = await read(id)
    assert.deepEqual(
      notified.map(({ state, error }: { state: string; error: string | null }) => [state, error]).sort(),
      [
        ['failed', 'MAIL_LIMIT'],
        ['pending', null],
      ],
    )
    await database.engine.query(`DELETE FROM waybill.mails WHERE question = $1`, [other.id])
  })

  await t.test('a question is not visible in another organisation, and ends with its run', async () => {
    const { id, run } = await asks('private')
    await settle()
    const { token } = (
      await request('POST', '/v1/organisations', { organisation: 'b', admin: { user: 'x' } })
    ).admin_token
    const there = await site.send('GET', `/v1/approvals/${id}`, { token })
    assert.equal(there.status, 404)
    await run.run.close()
    await site.records.runs.remove('private')
    const { rows } = await database.engine.query(`SELECT FROM waybill.questions WHERE run_id = 'private'`)
    assert.equal(rows.length, 0)
    assert.equal((await site.send('GET', `/v1/approvals/${id}`, { token: site.admin })).status, 404)
  })

  assert.deepEqual(
    site.logged.filter((line) => !line.includes('given up')),
    [],
  )
})
