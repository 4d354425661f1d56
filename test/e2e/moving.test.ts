import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from '../platform/leg-place.ts'
import { repetitions } from '../repetitions.ts'
import { auditFacts, call, decide, isPaused, METHODS, type Outcome, sceneSite } from './moving/scene-site.ts'

const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }
/** Runs whose question is answered at both hosts while they move. */
const RACES = 6 * repetitions(5)
/** Those at the same time. */
const AT_ONCE = 6

describe('agents that run move between two platforms', { skip: noCertificates }, () => {
  test('each ends as one that is not moved, and each write is made once', { timeout: 600_000 }, async (t) => {
    const site = await sceneSite(t)
    const { a, b, agent, gates, tools, model, start, moved, unmoved, outcome, tag } = site
    const made = (mark: string) => tools.of(mark).map(({ tool, args }) => `${tool} ${args.what}`)

    // Both wait for the end of a pause, which gives calls 10 s, while the other scenes are played.
    const late = await agent([call('put', 'pay'), { say: 'paid {last}' }])
    const repeated = await agent([call('store', 'pay'), { say: 'stored {last}' }])
    const lateMark = tag()
    const lateGate = gates.close(`${lateMark} put pay`)
    const lateRun = await start(late, lateMark)
    const repeatedMark = tag()
    const repeatedGate = gates.close(`${repeatedMark} store pay`)
    const repeatedRun = await start(repeated, repeatedMark)
    await Promise.all([lateGate.reached, repeatedGate.reached])
    const lateMove = moved(a, lateRun, 'document')
    const repeatedMove = moved(a, repeatedRun, 'stream')
    // A failure is reported by the scene that awaits them.
    for (const move of [lateMove, repeatedMove]) move.catch(() => {})

    const steps = [
      await agent([{ say: 'p1[{input}]' }]),
      await agent([call('look', 'two'), { say: 'p2[{input}] {last}' }]),
      await agent([call('put', 'three'), { say: 'p3[{input}] {last}' }]),
      await agent([call('put', 'four'), { say: 'p4[{input}]' }]),
    ]
    const pipeline = await agent([], {
      orchestration: {
        subagents: steps.map((ref, n) => ({ ref, alias: `p${n + 1}` })),
        pipeline: ['p1', 'p2', 'p3', 'p4'],
      },
    })
    const pipelineAlone = await unmoved(pipeline)
    for (const method of METHODS)
      await t.test(`${method}: a pipeline in its third step`, async () => {
        const mark = tag()
        const gate = gates.close(`${mark} put three`)
        const run = await start(pipeline, mark)
        await gate.reached
        const moving = moved(a, run, method)
        await isPaused(a, run)
        gate.open()
        const there = await moving
        await b.reaches(there, 'completed')
        assert.deepEqual(await outcome(b, there, mark), pipelineAlone)
      })

    const workers = [1, 2, 3, 4, 5].map((n) => `w${n}`)
    const workerIds: string[] = []
    for (const name of workers) workerIds.push(await agent([call('put', name), { say: `${name} {last}` }]))
    const swarm = await agent([{ say: 'all: {input}' }], {
      orchestration: {
        subagents: workerIds.map((ref, n) => ({ ref, alias: workers[n] })),
        parallel_execution: true,
      },
    })
    const swarmAlone = await unmoved(swarm)
    for (const method of METHODS)
      await t.test(`${method}: a swarm with two of five workers done, which are not repeated`, async () => {
        const mark = tag()
        const closed = ['w3', 'w4', 'w5'].map((name) => gates.close(`${mark} put ${name}`))
        const run = await start(swarm, mark)
        await Promise.all(closed.map(({ reached }) => reached))
        const done = async () => {
          const { subagents } = await a.ok('GET', `/v1/runs/${run}`)
          return subagents.filter(({ status }: { status: string }) => status === 'completed').length
        }
        await until(async () => (await done()) === 2)
        const moving = moved(a, run, method)
        await isPaused(a, run)
        for (const gate of closed) gate.open()
        const there = await moving
        await b.reaches(there, 'completed')
        assert.deepEqual(await outcome(b, there, mark), swarmAlone)
        assert.deepEqual(
          made(mark).sort(),
          workers.map((name) => `put ${name}`),
        )
      })

    const asker = await agent([call('put', 'pay'), { say: 'paid {last}' }], ASKS)
    const askerAlone = await (async (): Promise<Outcome> => {
      const mark = tag()
      const run = await start(asker, mark)
      await a.reaches(run, 'awaiting_approval')
      await decide(a, run, { verdict: 'approve' })
      await a.reaches(run, 'completed')
      return outcome(a, run, mark)
    })()
    for (const method of METHODS)
      await t.test(`${method}: a run that awaits approval, answered at both hosts at once`, async () => {
        const mark = tag()
        const run = await start(asker, mark)
        await a.reaches(run, 'awaiting_approval')
        const [before] = (await a.ok('GET', `/v1/approvals?run_id=${run}`)).items
        const there = await moved(a, run, method)
        await b.reaches(there, 'awaiting_approval')
        const [after] = (await b.ok('GET', `/v1/approvals?run_id=${there}`)).items
        const [old, first, second] = await Promise.all([
          a.send('POST', `/v1/approvals/${before.id}`, { verdict: 'approve' }),
          b.send('POST', `/v1/approvals/${after.id}`, { verdict: 'approve' }),
          b.send('POST', `/v1/approvals/${after.id}`, { verdict: 'deny' }),
        ])
        assert.deepEqual([old.status, old.json.code], [409, 'RUN_MOVED'])
        assert.deepEqual([first.status, second.status].filter((status) => status === 200).length, 1)
        await b.reaches(there, 'completed')
        if (first.status === 200) assert.deepEqual(await outcome(b, there, mark), askerAlone)
        else assert.deepEqual(made(mark), [])
      })

    await t.test(`${RACES} answers at both hosts while the run moves: one is accepted`, async () => {
      const random = randomNumbers(20261124)
      const where = { a: 0, b: 0 }
      const race = async (n: number) => {
        const mark = tag()
        const run = await start(asker, mark)
        await a.reaches(run, 'awaiting_approval')
        const [question] = (await a.ok('GET', `/v1/approvals?run_id=${run}`)).items
        const waitMs = random() * 150
        let isOver = false
        /** Answers the run at b as soon as it is there. */
        const answerThere = async () => {
          while (!isOver) {
            const { items } = await b.ok('GET', '/v1/approvals')
            const open = items.find((one: { arguments: { tag: string } }) => one.arguments.tag === mark)
            if (open !== undefined)
              return (await b.send('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })).status
            await sleep(10)
          }
          return null
        }
        const there = answerThere()
        const [here, move] = await Promise.all([
          sleep(waitMs).then(() => a.send('POST', `/v1/approvals/${question.id}`, { verdict: 'approve' })),
          a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', method: METHODS[n % 2] }),
        ])
        const isMoved = move.json.state === 'moved'
        if (!isMoved) assert.equal(here.status, 200, JSON.stringify([here, move]))
        const [owner, id] = isMoved ? [b, move.json.target_run_id] : [a, run]
        await owner.reaches(id, 'completed')
        isOver = true
        const accepted = [here.status, await there].filter((status) => status === 200)
        assert.equal(accepted.length, 1, JSON.stringify([here, move]))
        if (here.status !== 200)
          assert.ok(
            ['RUN_MOVING', 'RUN_MOVED', 'APPROVAL_NOT_FOUND'].includes(here.json.code),
            here.json.code,
          )
        where[here.status === 200 ? 'a' : 'b'] += 1
        assert.deepEqual(await outcome(owner, id, mark), askerAlone)
      }
      for (let n = 0; n < RACES; n += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(n + index)))
      assert.equal(where.a + where.b, RACES)
    })

    const letter = `dear reader, ${'this is a long letter. '.repeat(20)}yours, {tag}`
    const writer = await agent([{ say: letter, halt: 'middle' }])
    const writerAlone = await unmoved(writer)
    for (const method of METHODS)
      await t.test(`${method}: a run in mid-generation`, async () => {
        const mark = tag()
        const gate = gates.close(`${mark} middle`)
        const run = await start(writer, mark)
        await gate.reached
        const there = await moved(a, run, method)
        gate.open()
        await b.reaches(there, 'completed')
        const { status, output, calls, questions } = await outcome(b, there, mark)
        assert.deepEqual(
          { status, output, calls },
          { status: 'completed', output: writerAlone.output, calls: [] },
        )
        // The first question was asked at the old host, and was not answered.
        assert.ok(model.asked(mark) >= 2)
        for (const question of writerAlone.questions) assert.ok(questions.includes(question))
      })

    const lateAlone = await unmoved(late)
    for (const method of METHODS)
      await t.test(`${method}: a write in flight whose answer arrives during the pause`, async () => {
        const mark = tag()
        const gate = gates.close(`${mark} put pay`)
        const run = await start(late, mark)
        await gate.reached
        const moving = moved(a, run, method)
        await isPaused(a, run)
        gate.open()
        const there = await moving
        await b.reaches(there, 'completed')
        assert.deepEqual(await outcome(b, there, mark), lateAlone)
      })

    const saver = await agent(
      [
        { call: 'memory_save', args: { scope: 'user', key: 'tea', content: 'green' } },
        { call: 'memory_save', args: { scope: 'session', key: 'desk', content: 'seven' } },
        { call: 'memory_save', args: { scope: 'task', key: 'note', content: 'early' } },
        call('look', 'clock'),
        { call: 'memory_search', args: { query: 'tea desk note green seven early' } },
        { say: 'found {last}' },
      ],
      {
        memory: [
          { scope: 'user', key: 'tea', content: 'unknown', retrieval_strategy: 'keyword' },
          { scope: 'session', key: 'desk', content: 'none', retrieval_strategy: 'keyword' },
          { scope: 'task', key: 'note', content: 'empty', retrieval_strategy: 'keyword' },
        ],
      },
    )
    const saverAlone = await unmoved(saver, { user: 'ada', session: 'first' })
    for (const method of METHODS)
      await t.test(`${method}: memory of a user, a session and a task`, async () => {
        const mark = tag()
        const owner = { user: `user-${method}`, session: `session-${method}` }
        const gate = gates.close(`${mark} look clock`)
        const run = await start(saver, mark, owner)
        await gate.reached
        const moving = moved(a, run, method)
        await isPaused(a, run)
        gate.open()
        const there = await moving
        const { output } = await b.reaches(there, 'completed')
        for (const content of ['green', 'seven', 'early']) assert.ok(output.includes(content), output)
        assert.deepEqual(await outcome(b, there, mark), saverAlone)
        const { items } = await b.ok('GET', `/v1/memory?user=${owner.user}`)
        const found = items.map((one: Record<string, string>) => [one.scope, one.key, one.content])
        assert.deepEqual(found.sort(), [
          ['session', 'desk', 'seven'],
          ['user', 'tea', 'green'],
        ])
      })

    await t.test('a run with variables and 10,000 messages', async () => {
      const conversation = Array.from({ length: 10_000 }, (_, n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: `message ${n}`,
      }))
      const variables = { customer: { name: 'Ada', orders: [1, 2, 3] }, padding: 'x'.repeat(100_000) }
      const restored = async (mark: string) => {
        const fork = withStateChecksum({
          sc_standard: 'SC-006',
          state_id: randomUUID(),
          agent_id: steps[0] ?? '',
          checkpoint_at: new Date().toISOString(),
          status: 'paused',
          conversation: [...conversation, { role: 'user', content: `go tag=${mark}.` }],
          variables,
        })
        // The agent is also a sub-agent here.
        return (await a.ok('POST', '/v1/states?subagent=false', fork)).run_id as string
      }
      const alone = tag()
      const still = await restored(alone)
      await a.ok('POST', `/v1/runs/${still}/resume`)
      await a.reaches(still, 'completed')
      const mark = tag()
      let [here, other] = [a, b]
      let run = await restored(mark)
      for (const method of METHODS) {
        run = await moved(here, run, method)
        ;[here, other] = [other, here]
        const state = await here.ok('GET', `/v1/runs/${run}/state`)
        assert.equal(state.conversation.length, 10_001)
        assert.deepEqual(state.variables, variables)
      }
      await here.ok('POST', `/v1/runs/${run}/resume`)
      await here.reaches(run, 'completed')
      assert.equal(model.questions(mark).length, 1)
      assert.deepEqual(await outcome(here, run, mark), await outcome(a, still, alone))
    })

    const leaf = await agent([call('put', 'leaf'), { say: 'leaf {last}' }])
    const middle = await agent(
      [{ call: 'ask_leaf', args: { task: 'below tag={tag}.' } }, { say: 'mid {last}' }],
      {
        orchestration: { subagents: [{ ref: leaf, alias: 'leaf' }] },
      },
    )
    const top = await agent(
      [{ call: 'ask_middle', args: { task: 'down tag={tag}.' } }, { say: 'top {last}' }],
      {
        orchestration: { subagents: [{ ref: middle, alias: 'middle' }] },
      },
    )
    const topAlone = await unmoved(top)
    for (const method of METHODS)
      await t.test(`${method}: sub-agents two levels deep`, async () => {
        const mark = tag()
        const gate = gates.close(`${mark} put leaf`)
        const run = await start(top, mark)
        await gate.reached
        const moving = moved(a, run, method)
        await isPaused(a, run)
        gate.open()
        const there = await moving
        await b.reaches(there, 'completed')
        assert.deepEqual(await outcome(b, there, mark), topAlone)
        assert.equal((await b.ok('GET', `/v1/runs/${there}`)).subagents.length, 1)
      })

    const looks = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => call('look', `n${n}`))
    const spender = await agent([...looks, { say: 'all' }])
    const spenderAlone = await unmoved(spender, { budget: { calls: 7 } }, 'failed')
    await t.test('what is spent of a budget stays spent', async () => {
      const mark = tag()
      const gate = gates.close(`${mark} look n2`)
      const run = await start(spender, mark, { budget: { calls: 7 } })
      await gate.reached
      const moving = moved(a, run, 'stream')
      await isPaused(a, run)
      gate.open()
      const there = await moving
      const { error } = await b.reaches(there, 'failed')
      assert.equal(error.code, 'BUDGET_EXCEEDED', JSON.stringify(error))
      assert.deepEqual(await outcome(b, there, mark), spenderAlone)
    })

    await t.test(
      'the time that is left for a run moves along, and ends it; a paused run stays paused',
      async () => {
        const mark = tag()
        const first = gates.close(`${mark} look n1`)
        const begun = await start(spender, mark, { budget: { seconds: 60 } })
        await first.reached
        await a.ok('POST', `/v1/runs/${begun}/pause`)
        await isPaused(a, begun)
        first.open()
        const stateOf = (platform: typeof a, id: string) => platform.ok('GET', `/v1/runs/${id}/state`)
        const left = async (platform: typeof a, id: string) =>
          (await stateOf(platform, id))['x-waybill'].deadline_in_ms
        await until(async () => {
          const { conversation } = await stateOf(a, begun)
          return conversation.some(({ role }: { role: string }) => role === 'tool')
        })
        // A fork of it has less time left, so that the test need not wait for a minute.
        const state = await stateOf(a, begun)
        const { run_id: run } = await a.ok(
          'POST',
          '/v1/states',
          withStateChecksum({ ...state, 'x-waybill': { ...state['x-waybill'], deadline_in_ms: 1234 } }),
        )
        const [whole, short] = [await left(a, begun), await left(a, run)]
        assert.ok(whole > 1234 && whole < 60_000, String(whole))
        assert.equal(short, 1234)
        const there = await moved(a, begun, 'document')
        assert.equal(await b.status(there), 'paused')
        assert.equal(await left(b, there), whole)
        assert.equal((await stateOf(b, there))['x-waybill'].seq > 0, true)
        const ending = await moved(a, run, 'stream')
        assert.equal(await left(b, ending), 1234)
        // The tool does not answer, so only the deadline ends the run.
        gates.close(`${mark} look n2`)
        await b.ok('POST', `/v1/runs/${ending}/resume`)
        const { error } = await b.reaches(ending, 'failed')
        assert.equal(error.code, 'BUDGET_EXCEEDED', JSON.stringify(error))
        await b.ok('POST', `/v1/runs/${there}/cancel`)
      },
    )

    await t.test(
      'a conversation moves during a turn, and continues there; between turns it is refused',
      async () => {
        const talker = await agent([call('look', 'sky'), { say: 'heard {input}' }])
        const aloneMark = tag()
        const still = await start(talker, aloneMark, { session: 'alone', user: 'ada' })
        await a.reaches(still, 'completed')
        const say = (platform: typeof a, session: string, mark: string) =>
          platform.send('POST', `/v1/sessions/${session}/messages`, { input: `again tag=${mark}.` })
        await say(a, 'alone', aloneMark)
        await until(async () => model.asked(aloneMark) === 4)
        await a.reaches(still, 'completed')

        const mark = tag()
        const gate = gates.close(`${mark} look sky`)
        const run = await start(talker, mark, { session: 'moving', user: 'ada' })
        await gate.reached
        const moving = moved(a, run, 'stream')
        await isPaused(a, run)
        gate.open()
        const there = await moving
        await b.reaches(there, 'completed')
        const old = await say(a, 'moving', mark)
        assert.deepEqual([old.status, old.json.code], [409, 'RUN_MOVED'])
        const said = await say(b, 'moving', mark)
        assert.ok(said.status < 300, JSON.stringify(said.json))
        await until(async () => model.asked(mark) === 4)
        await b.reaches(there, 'completed')
        assert.equal((await b.ok('GET', '/v1/sessions/moving')).run_id, there)
        assert.deepEqual(await outcome(b, there, mark), await outcome(a, still, aloneMark))

        const idle = await b.send('POST', `/v1/runs/${there}/migrate`, { to: 'other' })
        assert.equal(idle.json.code, 'RUN_ENDED', JSON.stringify(idle.json))
      },
    )

    await t.test('there and back again, with a step at each platform', async () => {
      const mark = tag()
      const parts = ['n1', 'n2', 'n3', 'n4']
      const traveller = await agent([...parts.map((what) => call('put', what)), { say: 'home {last}' }])
      const alone = await unmoved(traveller)
      let gate = gates.close(`${mark} put n1`)
      let run = await start(traveller, mark)
      const seen = [run]
      let [here, other] = [a, b]
      for (const [n, method] of (['document', 'stream', 'document'] as const).entries()) {
        await gate.reached
        const moving = moved(here, run, method)
        await isPaused(here, run)
        const next = gates.close(`${mark} put ${parts[n + 1]}`)
        gate.open()
        gate = next
        run = await moving
        seen.push(run)
        ;[here, other] = [other, here]
      }
      await gate.reached
      gate.open()
      await here.reaches(run, 'completed')
      assert.equal(here, b)
      assert.deepEqual(await outcome(b, run, mark), alone)
      assert.equal(new Set(seen).size, 4)
    })

    await t.test(
      'a write that does not return in time is sent once: a person at the new host decides',
      async () => {
        const there = await lateMove
        await b.reaches(there, 'awaiting_approval')
        const { waiting } = await b.ok('GET', `/v1/runs/${there}`)
        assert.equal(waiting[0]?.asks, 'unknown', JSON.stringify(waiting))
        assert.deepEqual(made(lateMark), ['put pay'])
        lateGate.open()
        await decide(b, there, {
          verdict: 'assume',
          result: { result: `put of pay for ${lateMark}` },
        })
        await b.reaches(there, 'completed')
        const { output, calls } = await outcome(b, there, lateMark)
        assert.deepEqual([output, calls], [lateAlone.output, lateAlone.calls])
      },
    )

    await t.test('a write with a key that does not return in time is sent again with its key', async () => {
      const there = await repeatedMove
      repeatedGate.open()
      await b.reaches(there, 'completed')
      const requests = tools.of(repeatedMark)
      // Again after each time limit, until one returns: on a busy machine, several pass before the gate is open.
      const answered = requests.map((request) => request.answered)
      assert.deepEqual(answered, [...answered.slice(1).map(() => false), true])
      assert.ok(answered.length >= 2)
      assert.equal(new Set(requests.map(({ key }) => key)).size, 1)
      assert.notEqual(requests[0]?.key, '')
      const { output } = await b.ok('GET', `/v1/runs/${there}`)
      assert.equal(output, `stored {"result":"store of pay for ${repeatedMark}"}`)
    })

    await t.test('both audit logs verify, and agree about each move', async () => {
      for (const platform of [a, b]) {
        const verified = await platform.command(['audit', 'verify'])
        assert.equal(verified.code, 0, verified.err)
      }
      type Facts = Awaited<ReturnType<typeof auditFacts>>
      const about = (facts: Facts, here: string, there: string) =>
        facts
          .map((fact) => JSON.stringify([fact.jti, fact.state_id, fact.checksum, fact[here], fact[there]]))
          .sort()
      let moves = 0
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        const sent = await auditFacts(from, ['run.moved'])
        const received = await auditFacts(to, ['run.received'])
        moves += sent.length
        assert.deepEqual(about(sent, 'run_id', 'target_run_id'), about(received, 'source_run_id', 'run_id'))
      }
      assert.ok(moves > 20, String(moves))
    })
  })
})
