import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { rotateAuditKey } from '../../src/compose/audit-keys.ts'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { openDatabase, roleUrls } from '../../src/platform/database/open-database.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { HANDOFF_TYPE } from '../../src/state/stream/streamed-state.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import type { AppliedFault } from '../fault/move-relay.ts'
import { ownerOf, settledMove } from '../fault/settled-move.ts'
import { until } from '../platform/leg-place.ts'
import type { MovingPlatform } from '../platform/moving-site.ts'
import { definitionOf } from '../platform/organisation.ts'
import { script } from './moving/scene-model.ts'
import { call, decide, isPaused, METHODS, type Method, sceneSite } from './moving/scene-site.ts'

const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }
const IMPORT = /^\/v1\/(?:states|handoff)$/

describe('moves that are interfered with', { skip: noCertificates }, () => {
  test('end with one owner, and each write is made once', { timeout: 600_000 }, async (t) => {
    const site = await sceneSite(t, { relays: true })
    const { a, b, agent, gates, tools, start, moved, tag } = site
    const relay = site.relays[1] ?? assert.fail()
    const made = (mark: string) => tools.of(mark).map(({ tool, args }) => `${tool} ${args.what}`)
    const asker = await agent([call('put', 'pay'), { say: 'paid {last}' }], ASKS)
    // It is known there before anything happens to a move.
    const warm = await start(asker, tag())
    await a.reaches(warm, 'awaiting_approval')
    const warmThere = await moved(a, warm, 'document')
    await b.ok('POST', `/v1/runs/${warmThere}/cancel`)

    const asking = async (members: object = {}, agentId = asker) => {
      const mark = tag()
      const run = await start(agentId, mark, members)
      await a.reaches(run, 'awaiting_approval')
      return { mark, run }
    }
    const migrate = (run: string, method: Method = 'document', to = 'other', from: MovingPlatform = a) =>
      from.send('POST', `/v1/runs/${run}/migrate`, { to, method })
    const releases: (() => void)[] = []
    /** Holds the next import at the relay: before it arrives there, or its answer. */
    const hold = (when: 'before' | 'after', fault: AppliedFault['fault'] = 'hold') => {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const wait = async () => {
        reached.resolve()
        await released.promise
      }
      relay.faults.push({ method: 'POST', path: IMPORT, fault, [when]: wait })
      releases.push(() => released.resolve())
      return { reached: reached.promise, release: () => released.resolve() }
    }
    /** Asserts that a move has ended in this way, and that its run ends once where it is. */
    const ends = async (run: string, mark: string, how: 'moved' | 'kept', code: string | null = null) => {
      const [last] = await settledMove(a, run)
      assert.deepEqual([last?.phase, last?.code], [how, code])
      const { target, isMoved } = await ownerOf(a, b, run, last)
      assert.equal(isMoved, how === 'moved')
      const [owner, id] = isMoved ? [b, target] : [a, run]
      await owner.reaches(id, 'awaiting_approval')
      await decide(owner, id, { verdict: 'approve' })
      await owner.reaches(id, 'completed')
      assert.deepEqual(made(mark), ['put pay'])
    }
    const keysOf = async (platform: MovingPlatform) =>
      (await platform.send('GET', '/.well-known/jwks.json')).json
    const lift = async (platform: MovingPlatform) => {
      for (const { id } of (await platform.ok('GET', '/v1/stops')).items)
        await platform.ok('DELETE', `/v1/stops/${id}`)
    }

    /** A case that fails does no harm to the next one. */
    const attack = (name: string, play: () => Promise<void>) =>
      t.test(name, async (own) => {
        let isPlayed = false
        own.after(async () => {
          relay.faults.length = 0
          for (const release of releases.splice(0)) release()
          await Promise.all([lift(a), lift(b)])
          if (!isPlayed) await Promise.all([a.pin(b), b.pin(a)])
        })
        await play()
        isPlayed = true
      })

    await attack(
      'cancel, pause, resume, removal and answers are refused while the state is sent',
      async () => {
        const { run, mark } = await asking()
        const [question] = (await a.ok('GET', `/v1/approvals?run_id=${run}`)).items
        const held = hold('before')
        const moving = migrate(run)
        await held.reached
        for (const [method, path, json, code] of [
          ['POST', `/v1/runs/${run}/cancel`, undefined, 'RUN_MOVING'],
          ['POST', `/v1/runs/${run}/pause`, undefined, 'RUN_MOVING'],
          ['POST', `/v1/runs/${run}/resume`, undefined, 'RUN_MOVING'],
          ['POST', `/v1/approvals/${question.id}`, { verdict: 'approve' }, 'RUN_MOVING'],
          ['DELETE', `/v1/runs/${run}`, undefined, 'RUN_LOCKED'],
        ] as const) {
          const { status, json: said } = await a.send(method, path, json)
          assert.deepEqual([status, said.code], [409, code], `${method} ${path}`)
        }
        held.release()
        await moving
        await ends(run, mark, 'moved')
      },
    )

    await attack('a run that is cancelled or removed before it is frozen is not sent', async () => {
      const worker = await agent([call('put', 'pay')])
      await moved(a, (await asking()).run, 'document')
      const mark = tag()
      const gate = gates.close(`${mark} put pay`)
      const run = await start(worker, mark)
      await gate.reached
      const moving = migrate(run)
      await isPaused(a, run)
      await a.ok('POST', `/v1/runs/${run}/cancel`)
      gate.open()
      assert.equal((await moving).json.code, 'MOVE_REFUSED')
      const [last] = await settledMove(a, run)
      assert.deepEqual([last?.phase, last?.code], ['kept', 'RUN_ENDED'])
      assert.equal(await a.status(run), 'cancelled')

      const { run: gone } = await asking()
      // As a request that begins a move and dies, before a removal.
      await a.sql(
        `INSERT INTO waybill.moves (org, jti, run_id, peer, source, target, phase, method, by, due_at)
         SELECT 'default', 'of-a-removed-run', $1, 'other', $2, $3, 'pausing', 'document', 'ada', now() + interval '1 hour'`,
        [gone, `${a.url}/organisations/default`, `${b.url}/organisations/default`],
      )
      await a.ok('DELETE', `/v1/runs/${gone}`)
      await a.sql(`UPDATE waybill.moves SET due_at = now() WHERE jti = 'of-a-removed-run'`)
      const [removed] = await settledMove(a, gone)
      assert.deepEqual([removed?.phase, removed?.code], ['kept', 'RUN_NOT_FOUND'])
    })

    for (const kind of ['run', 'agent', 'user', 'organisation'] as const)
      await attack(
        `a stop of the ${kind} at the sender keeps the run, which continues when it is lifted`,
        async () => {
          const { run, mark } = await asking({ user: 'ada' })
          const held = hold('before', 'lose request')
          const moving = migrate(run)
          await held.reached
          const subject = { run, agent: asker, user: 'ada', organisation: 'default' }[kind]
          await a.ok('POST', '/v1/stop', { [kind]: subject })
          held.release()
          assert.equal((await moving).json.code, 'MOVE_REFUSED')
          const again = await migrate(run)
          assert.deepEqual([again.status, again.json.code], [409, 'RUNS_STOPPED'])
          await lift(a)
          await ends(run, mark, 'kept', 'RUNS_STOPPED')
        },
      )

    await attack(
      'a stop at the sender after the import changes nothing: the receiver owns the run',
      async () => {
        const { run, mark } = await asking()
        const held = hold('after', 'hold')
        const moving = migrate(run)
        await held.reached
        await a.ok('POST', '/v1/stop', { run })
        held.release()
        await moving
        await lift(a)
        await ends(run, mark, 'moved')
      },
    )

    await attack('a stop at the receiver refuses the run', async () => {
      const { run, mark } = await asking()
      await b.ok('POST', '/v1/stop', { agent: asker })
      const early = await migrate(run)
      assert.match(early.json.detail, /RUNS_STOPPED/)
      assert.deepEqual(await a.sql('SELECT 1 FROM waybill.moves WHERE run_id = $1', [run]), [])
      await lift(b)
      const held = hold('before')
      const moving = migrate(run, 'stream')
      await held.reached
      await b.ok('POST', '/v1/stop', { agent: asker })
      held.release()
      await moving
      await lift(b)
      await ends(run, mark, 'kept', 'RUNS_STOPPED')
    })

    const rememberer = await agent(
      [
        { call: 'memory_save', args: { scope: 'user', key: 'tea', content: 'green' } },
        call('put', 'pay'),
        { say: 'paid' },
      ],
      { ...ASKS, memory: [{ scope: 'user', key: 'tea', content: 'unknown' }] },
    )
    await attack('a user who is erased at the sender takes the run along', async () => {
      const first = await asking({ user: 'grace' }, rememberer)
      const held = hold('before', 'lose request')
      const moving = migrate(first.run)
      await held.reached
      await a.ok('POST', '/v1/erasures', { user: 'grace' })
      held.release()
      assert.equal((await moving).json.code, 'MOVE_REFUSED')
      const [last] = await settledMove(a, first.run)
      assert.deepEqual([last?.phase, last?.code], ['kept', 'USER_BEING_ERASED'])
      await until(async () => (await a.send('GET', `/v1/runs/${first.run}`)).status === 404, 20_000)
      assert.deepEqual((await b.ok('GET', '/v1/memory?user=grace')).items, [])
      assert.deepEqual(made(first.mark), [])
    })

    await attack(
      'a user who is being erased at the receiver is refused, and no memory is left there',
      async () => {
        const { run, mark } = await asking({ user: 'edsger' }, rememberer)
        for (const method of METHODS) {
          const held = hold('before')
          const moving = migrate(run, method)
          await held.reached
          // The worker must not complete the erasure meanwhile.
          const fence = await b.fence()
          await b.sql(
            `INSERT INTO waybill.erasures (org, id, user_id, subject, by, requested_at)
           VALUES ('default', $1, 'edsger', 'x', 'ada', now())`,
            [`erasure-${method}`],
          )
          held.release()
          await moving
          const [last] = await settledMove(a, run)
          assert.equal(last?.phase, 'kept', JSON.stringify(last))
          await fence.end()
          await until(
            async () => (await b.sql('SELECT 1 FROM waybill.erasures WHERE removed_at IS NULL')).length === 0,
            20_000,
          )
          assert.deepEqual((await b.ok('GET', '/v1/memory?user=edsger')).items, [], method)
        }
        await ends(run, mark, 'kept', 'USER_BEING_ERASED')
      },
    )

    await attack('a state that is refused after its memory was read leaves no memory behind', async () => {
      const { run, mark } = await asking({ user: 'barbara', session: 'taken' }, rememberer)
      const held = hold('before')
      const moving = migrate(run)
      await held.reached
      await b.ok('POST', '/v1/sessions', { agent_id: asker, session: 'taken', user: 'barbara' })
      held.release()
      await moving
      assert.deepEqual((await b.ok('GET', '/v1/memory?user=barbara')).items, [])
      await ends(run, mark, 'kept', 'SESSION_EXISTS')
    })

    await attack('a version that is deprecated at either side in the middle of a move', async () => {
      for (const platform of [a, b]) {
        const { run, mark } = await asking()
        const held = hold('before')
        const moving = migrate(run)
        await held.reached
        await platform.ok('POST', `/v1/agents/${asker}/deprecate`, { version: '1.0.0' })
        held.release()
        await moving
        const [last] = await settledMove(a, run)
        await platform.ok('POST', `/v1/agents/${asker}/activate`, { version: '1.0.0' })
        await ends(run, mark, last?.phase as 'moved', last?.code)
      }
    })

    await attack(
      'the peer is removed while its answer is missing: the run waits, until it is pinned again',
      async () => {
        const { run, mark } = await asking()
        const held = hold('before', 'lose answer')
        const moving = migrate(run)
        await held.reached
        await a.ok('DELETE', '/v1/peers/other')
        held.release()
        await until(
          async () =>
            (await b.sql('SELECT 1 FROM waybill.arrivals WHERE source_run_id = $1', [run])).length === 1,
        )
        assert.equal(await a.status(run), 'moving')
        await a.pin(b)
        await moving
        await ends(run, mark, 'moved')
      },
    )

    const { admin_token } = await b.ok('POST', '/v1/organisations', {
      organisation: 'globex',
      admin: { user: 'gus' },
    })
    const globex = admin_token.token as string
    const asGlobex = async (method: string, path: string, json?: unknown) => {
      const answer = await b.send(method, path, json, globex)
      assert.ok(answer.status < 300, JSON.stringify(answer.json))
      return answer.json
    }
    await asGlobex('POST', '/v1/peers', {
      name: 'other',
      url: a.url,
      organisation: 'default',
      keys: await keysOf(a),
      users: null,
    })

    for (const [what, change] of [
      ['another organisation under the same name', { organisation: 'globex', token: globex }],
      ['a token of another organisation', { token: globex }],
    ] as const)
      await attack(
        `the peer gets ${what} while its answer is missing: only the first one decides`,
        async () => {
          const { run, mark } = await asking()
          const held = hold('before', 'lose answer')
          const moving = migrate(run)
          await held.reached
          await a.pin(b, change)
          held.release()
          await until(
            async () =>
              (await b.sql('SELECT 1 FROM waybill.arrivals WHERE source_run_id = $1', [run])).length === 1,
          )
          // Several attempts, of which some withdraw the token there.
          await until(async () => {
            const [row] = await a.sql('SELECT attempts FROM waybill.moves WHERE run_id = $1', [run])
            return Number(row?.attempts) >= 2
          }, 20_000)
          assert.equal(await a.status(run), 'moving')
          if ('organisation' in change)
            assert.deepEqual(
              await b.sql(`SELECT jti FROM waybill.arrivals WHERE org = 'globex'`),
              [],
              'nothing is sent to a place that the token does not name',
            )
          await a.pin(b)
          await a.sql('UPDATE waybill.moves SET due_at = now() WHERE run_id = $1', [run])
          await moving
          await ends(run, mark, 'moved')
        },
      )

    await attack('an answer that names another place is not believed', async () => {
      for (const takesBack of [false, true]) {
        const { run, mark } = await asking()
        if (takesBack) await b.pin(a, { keys: await keysOf(b) })
        const editAnswer = (body: Buffer) =>
          Buffer.from(body.toString().replaceAll('organisations/default', 'organisations/globex'))
        for (let n = 0; n < 20; n++)
          relay.faults.push(
            { method: 'POST', path: IMPORT, fault: 'hold', editAnswer },
            { method: 'DELETE', path: /^\/v1\/migrations\//, fault: 'hold', editAnswer },
          )
        const applied = relay.applied
        const moving = migrate(run)
        await until(async () => relay.applied - applied >= 4, 20_000)
        assert.equal(await a.status(run), 'moving')
        relay.faults.length = 0
        await a.sql('UPDATE waybill.moves SET due_at = now() WHERE run_id = $1', [run])
        await moving
        if (takesBack) await b.pin(a)
        await ends(run, mark, takesBack ? 'kept' : 'moved', takesBack ? 'STATE_TOKEN_UNKNOWN_SIGNER' : null)
      }
    })

    await attack('two targets at once: one of them gets the run', async () => {
      await a.pin(b, { name: 'third', organisation: 'globex', token: globex })
      await asGlobex(
        'POST',
        '/v1/agents',
        (await a.ok('GET', `/v1/agents/${asker}/versions/1.0.0`)).definition ?? {},
      ).catch(() => {})
      for (let n = 0; n < 4; n++) {
        const { run } = await asking()
        const answers = await Promise.all([migrate(run), migrate(run, 'document', 'third')])
        const states = answers.map(({ json }) => json.state ?? json.code)
        assert.equal(states.filter((state) => state === 'moved').length, 1, JSON.stringify(answers))
        const other = states.find((state) => state !== 'moved')
        assert.ok(['RUN_MOVING', 'RUN_MOVED'].includes(other), JSON.stringify(answers))
        const there = await b.sql(
          `SELECT org FROM waybill.arrivals WHERE source_run_id = $1 AND state = 'owned'`,
          [run],
        )
        assert.equal(there.length, 1)
      }
      await a.ok('DELETE', '/v1/peers/third')
    })

    await attack('a token is refused by another organisation, and a second time', async () => {
      for (const method of METHODS) {
        const { run, mark } = await asking()
        const sent: Buffer[] = []
        relay.faults.push({
          method: 'POST',
          path: IMPORT,
          fault: 'hold',
          edit: (body) => {
            sent.push(body)
            return body
          },
        })
        await moved(a, run, method)
        const replay = async (token?: string) => {
          const text = sent[0]?.toString() ?? assert.fail()
          return method === 'document'
            ? b.send('POST', '/v1/states', JSON.parse(text), token)
            : b.handoff(
                text
                  .split('\n')
                  .filter(Boolean)
                  .map((line) => `${line}\n`),
                HANDOFF_TYPE,
                token,
              )
        }
        const there = await replay(globex)
        assert.deepEqual(
          [there.status, there.json.code],
          [422, 'STATE_TOKEN_INVALID'],
          JSON.stringify(there.json),
        )
        const again = await replay()
        assert.equal(again.json.code, 'STATE_TOKEN_USED')
        await ends(run, mark, 'moved')
      }
    })

    const edits: readonly (readonly [
      what: string,
      method: Method,
      edit: (text: string) => string,
      code: RegExp,
    ])[] = [
      [
        'a text of the document',
        'document',
        (text) => text.replace('go tag=', 'do tag='),
        /STATE_CHECKSUM_MISMATCH/,
      ],
      [
        'the document with a new checksum',
        'document',
        (text) => {
          const state: JsonObject = JSON.parse(text.replace('go tag=', 'do tag='))
          return JSON.stringify(withStateChecksum(state))
        },
        /STATE_TOKEN_INVALID/,
      ],
      [
        'a line of the stream',
        'stream',
        (text) => text.replace('go tag=', 'do tag='),
        /STATE_CHECKSUM_MISMATCH|HANDOFF_FAILED/,
      ],
      [
        'the stream, which ends early',
        'stream',
        (text) => text.split('\n').slice(0, -2).join('\n'),
        /HANDOFF_FAILED/,
      ],
    ]
    for (const [what, method, edit, code] of edits)
      await attack(`edited on the way: ${what}`, async () => {
        const { run, mark } = await asking()
        relay.faults.push({
          method: 'POST',
          path: IMPORT,
          fault: 'hold',
          edit: (body) => Buffer.from(edit(body.toString())),
        })
        const { json } = await migrate(run, method)
        assert.equal(json.code, 'MOVE_REFUSED', JSON.stringify(json))
        const [last] = await settledMove(a, run)
        assert.match(last?.code ?? '', code)
        await ends(run, mark, 'kept', last?.code)
      })

    await attack('the run of a sub-agent is not moved alone', async () => {
      const leaf = await agent([call('put', 'pay')], ASKS)
      const top = await agent([{ call: 'ask_leaf', args: { task: 'x tag={tag}.' } }], {
        orchestration: { subagents: [{ ref: leaf, alias: 'leaf' }] },
      })
      const { run } = await asking({}, top)
      const [child] = await a.sql('SELECT run_id FROM waybill.runs WHERE root = $1', [run])
      const { status, json } = await migrate(String(child?.run_id))
      assert.deepEqual([status, json.code], [422, 'MOVE_REFUSED'], JSON.stringify(json))
      assert.match(json.detail, new RegExp(run))
      await a.ok('POST', `/v1/runs/${run}/cancel`)
    })

    await attack('a received run is moved back before its first move is acknowledged', async () => {
      const { run, mark } = await asking()
      const held = hold('after')
      const moving = migrate(run)
      await held.reached
      const [arrived] = await b.sql('SELECT run_id FROM waybill.arrivals WHERE source_run_id = $1', [run])
      const there = String(arrived?.run_id)
      const back = await moved(b, there, 'stream')
      assert.equal(await a.status(run), 'moving')
      await a.reaches(back, 'awaiting_approval')
      held.release()
      await moving
      const [first] = await settledMove(a, run)
      assert.deepEqual([first?.phase, first?.target_run_id], ['moved', there])
      assert.deepEqual([await a.status(run), await b.status(there)], ['moved', 'moved'])
      await decide(a, back, { verdict: 'approve' })
      await a.reaches(back, 'completed')
      assert.deepEqual(made(mark), ['put pay'])
    })

    await attack('a run that begins later is refused', async () => {
      const start_after = new Date(Date.now() + 3_600_000).toISOString()
      const run = await start(asker, tag(), { start_after })
      const { status, json } = await migrate(run)
      assert.deepEqual([status, json.code], [422, 'MOVE_REFUSED'], JSON.stringify(json))
      assert.equal(await a.status(run), 'scheduled')
    })

    await attack('messages that wait for their turn are reported, and stay', async () => {
      const talker = await agent([call('put', 'pay'), { say: 'heard {input}' }], ASKS)
      const { run, mark } = await asking({ session: 'waiting' }, talker)
      await a.ok('POST', '/v1/sessions/waiting/messages', { input: `next tag=${mark}.` })
      const refused = await a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', fail_on_loss: true })
      assert.equal(refused.json.code, 'STATE_LOSS', JSON.stringify(refused.json))
      assert.match(refused.json.detail, /messages that wait for their turn: 1/)
      const { json } = await migrate(run)
      const lost = json.report.entries.filter((one: { status: string }) => one.status === 'left_behind')
      assert.deepEqual(
        lost.map((one: { part: string }) => one.part),
        ['session'],
      )
      assert.equal(json.report.summary.left_behind, 1)
      await ends(run, mark, 'moved')
    })

    await attack('a run is not moved to its own place', async () => {
      const own = await a.send('POST', '/v1/peers', {
        name: 'self',
        url: a.url,
        keys: await keysOf(a),
        users: null,
        token: a.admin,
      })
      assert.equal(own.json.code, 'PEER_INVALID', JSON.stringify(own.json))
    })

    /** A version of the asker that has no tools. */
    const toolless = (agent_id: string, name: string) =>
      definitionOf(
        {
          name,
          version: '2.0.0',
          goal: script({ say: 'unused' }, { say: 'without {last}' }),
          model: { provider: 'openai', preferred: 'gpt-4o', base_url: site.model.url },
        },
        { agent_id },
      )

    await attack('a receiver that has a newer version as well uses the one of the run', async () => {
      const { run, mark } = await asking()
      await b.upload(toolless(asker, 'Agent 1'))
      const there = await moved(a, run, 'document')
      assert.equal((await b.ok('GET', `/v1/runs/${there}`)).version, '1.0.0')
      await ends(run, mark, 'moved')
    })

    await attack(
      'a receiver that has only another version, without the tool, reports it and never calls it',
      async () => {
        const other = await agent([call('put', 'pay'), { say: 'paid {last}' }], ASKS)
        const { run, mark } = await asking({}, other)
        await b.upload(toolless(other, 'Other'))
        const refused = await a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', fail_on_loss: true })
        assert.equal(refused.json.code, 'STATE_LOSS', JSON.stringify(refused.json))
        assert.match(refused.json.detail, /put is not available here/)
        const { json } = await migrate(run)
        const entries: readonly { part: string; note: string }[] = json.report.entries
        assert.match(
          entries.find(({ part }) => part === 'agent_version')?.note ?? '',
          /version 1\.0\.0, continued with 2\.0\.0: another major version/,
        )
        const view = await b.reaches(json.target_run_id, 'completed')
        assert.match(view.output, /^without .*put is not available on the platform/)
        assert.deepEqual(made(mark), [])
        assert.equal(await a.status(run), 'moved')
      },
    )

    await attack('a key that is rotated in the middle of a move', async () => {
      const { run, mark } = await asking()
      const held = hold('before')
      const moving = migrate(run)
      await held.reached
      const database = await openDatabase(roleUrls(a.ownerUrl))
      try {
        const { signAudit } = homeKeys(a.home)
        const records = openPostgresRecords(database, 'default', { worker: null, signAudit })
        const rotated = await rotateAuditKey(a.home, records.audit, {
          by: 'ada',
          at: new Date().toISOString(),
        })
        assert.notEqual(rotated, null)
      } finally {
        await database.close()
      }
      held.release()
      await moving
      // The token was signed before.
      await ends(run, mark, 'moved')
      const next = await asking()
      const refused = await migrate(next.run)
      assert.match(refused.json.detail, /STATE_TOKEN_UNKNOWN_SIGNER/)
      await b.pin(a)
      await moved(a, next.run, 'stream')
      assert.equal((await a.audit()).ok, true)
    })

    for (const [whose, offset] of [
      ['receiver', 20],
      ['receiver', -20],
      ['sender', 20],
    ] as const)
      await attack(`the clock of the ${whose} is ${offset} minutes off`, async () => {
        const platform = whose === 'receiver' ? b : a
        const { run, mark } = await asking()
        const clock = join(platform.home, 'clock.mjs')
        writeFileSync(
          clock,
          `const real = Date.now
           const now = () => real() + ${offset * 60_000}
           globalThis.Date = class extends Date {
             constructor(...given) { if (given.length === 0) super(now()); else super(...given) }
             static now() { return now() }
           }`,
        )
        await platform.closeServer()
        await platform.openServer({ NODE_OPTIONS: `--import ${clock}` })
        const refused = await migrate(run)
        assert.equal(refused.json.code, 'MOVE_REFUSED', JSON.stringify(refused.json))
        assert.match(refused.json.detail, /STATE_TOKEN_(?:EXPIRED|INVALID)/)
        await ends(
          run,
          mark,
          'kept',
          offset > 0 && whose === 'receiver' ? 'STATE_TOKEN_EXPIRED' : 'STATE_TOKEN_INVALID',
        )
        await platform.closeServer()
        await platform.openServer()
      })

    await attack('both audit logs verify', async () => {
      assert.deepEqual([(await a.audit()).ok, (await b.audit()).ok], [true, true])
    })
  })
})
