import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { parseAgentDefinition, planRun, run } from 'waybill'
import type { Plan } from '../../src/plan/plan.ts'
import { RunSlots } from '../../src/run/record/run-slots.ts'
import { agent, runFamily } from './family.ts'

const MODULE = join(import.meta.dirname, '../../src/run/record/run-slots.ts')

function place(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-slots-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function planOf(concurrency: number, agent_id = 'a'): Plan {
  return { agent_id, agent_name: 'A', rehearsal: false, limits: { max_iterations: 1, concurrency } } as Plan
}

/** A process that takes a slot, says so, and holds it until it is killed. */
async function holderProcess(t: TestContext, folder: string, concurrency: number) {
  const code = `
    import { RunSlots } from ${JSON.stringify(MODULE)}
    await new RunSlots(${JSON.stringify(folder)}).take(${JSON.stringify(planOf(concurrency))})
    process.stdout.write('held')
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describe('AAIF §4.6 runtime.concurrency', () => {
  test('AAIF-4.6-03: a run of another process is waited for, or the start is refused', async (t) => {
    const folder = place(t)
    const child = await holderProcess(t, folder, 1)
    const slots = new RunSlots(folder)
    await assert.rejects(slots.take(planOf(1), { wait: false }), { code: 'CONCURRENCY_EXCEEDED' })
    let told: number | undefined
    const waiting = slots.take(planOf(1), {
      onWait: ([holder]) => {
        told = holder?.pid
      },
    })
    await sleep(250)
    assert.equal(told, child.pid)
    // Another agent, and a higher limit, are not concerned.
    ;(await slots.take(planOf(1, 'b'), { wait: false }))()
    child.kill('SIGKILL')
    await once(child, 'exit')
    // What died holding it gives it back.
    ;(await waiting)()
  })

  test('AAIF-4.6-03: never more than N at once, in the order in which they came', async (t) => {
    const slots = new RunSlots(place(t))
    const order: number[] = []
    let running = 0
    let most = 0
    const start = async (n: number) => {
      const release = await slots.take(planOf(2))
      order.push(n)
      most = Math.max(most, ++running)
      await sleep(30)
      running--
      release()
    }
    await Promise.all([0, 1, 2, 3, 4, 5].map(start))
    assert.equal(most, 2)
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5])
  })

  test('of runs that hold what the other waits for, the call that came last gives way, and the other goes on', async (t) => {
    const folder = place(t)
    // Each with its own view of the folder, as two processes have.
    const [one, two, three] = [new RunSlots(folder), new RunSlots(folder), new RunSlots(folder)]
    const named = (name: string): Plan => ({ ...planOf(1, name), agent_name: name })
    const [holdA, holdB] = [await one.take(named('a')), await two.take(named('b'))]
    const first = one.take(named('b'), { above: [{ agent_id: 'a', run_id: 'r1' }] })
    // Waits as well, and for nobody who waits for it: it stays.
    const bystander = three.take(named('b'), { above: [{ agent_id: 'c', run_id: 'r3' }] })
    await sleep(20)
    const second = two.take(named('a'), { above: [{ agent_id: 'b', run_id: 'r2' }] })
    await assert.rejects(second, {
      code: 'CONCURRENCY_DEADLOCK',
      message:
        /^a may run 1 at a time, and what is under way \(process \d+\) waits for b, which waits for this run/,
    })
    holdB()
    ;(await first)()
    ;(await bystander)()
    holdA()
  })

  test('who waits for one that works waits on, however long it takes', async (t) => {
    const folder = place(t)
    const [one, two] = [new RunSlots(folder), new RunSlots(folder)]
    const [holdA, holdB] = [await one.take(planOf(1, 'a')), await two.take(planOf(1, 'b'))]
    let got = false
    const waiting = one.take(planOf(1, 'b'), { above: [{ agent_id: 'a', run_id: 'r1' }] }).then((release) => {
      got = true
      release()
    })
    await sleep(1300)
    assert.equal(got, false)
    holdB()
    await waiting
    holdA()
  })

  test('runs that were taken under a higher limit count', async (t) => {
    const slots = new RunSlots(place(t))
    const releases = await Promise.all([slots.take(planOf(3)), slots.take(planOf(3)), slots.take(planOf(3))])
    releases[0]?.()
    await assert.rejects(slots.take(planOf(2), { wait: false }), { code: 'CONCURRENCY_EXCEEDED' })
    releases[1]?.()
    ;(await slots.take(planOf(2), { wait: false }))()
  })

  test('who waits here is served as soon as a slot is given back, without looking for it', async (t) => {
    const slots = new RunSlots(place(t))
    const release = await slots.take(planOf(1))
    const order: string[] = []
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const mine = await slots.take(planOf(1))
      order.push(name)
      mine()
    })
    await turnOfEventLoop()
    release()
    order.push('given back')
    await turnOfEventLoop()
    assert.deepEqual(order, ['given back', 'a', 'b', 'c'])
    await Promise.all(waiting)
  })

  test('who stops waiting leaves nothing behind', async (t) => {
    const folder = place(t)
    const slots = new RunSlots(folder)
    const release = await slots.take(planOf(1))
    const stop = new AbortController()
    const waiting = slots.take(planOf(1), { signal: stop.signal })
    setTimeout(() => stop.abort(), 20)
    await assert.rejects(waiting)
    release()
    const [own = ''] = readdirSync(folder)
    assert.deepEqual(readdirSync(join(folder, own)), [])
  })

  test('AAIF-4.6-03: sub-agents count: a swarm of the same agent works one after the other', async (t) => {
    const home = place(t)
    let running = 0
    let most = 0
    const { result } = await runFamily(
      t,
      [
        agent('s', {
          orchestration: {
            subagents: ['x', 'y', 'z'].map((alias) => ({ ref: 'w', alias })),
            parallel_execution: true,
            consensus: { strategy: 'majority_vote' },
          },
        }),
        agent('w', { runtime: { concurrency: 1 } }),
      ],
      {
        w: async () => {
          most = Math.max(most, ++running)
          await sleep(20)
          running--
          return 'same'
        },
      },
      { env: { OPENAI_API_KEY: 'not-used', WAYBILL_HOME: home } },
    )
    assert.equal(result.output, 'same')
    assert.equal(most, 1)
  })

  test('an agent that calls itself beyond its own limit is told so, and does not wait for itself', async (t) => {
    const home = place(t)
    const { result } = await runFamily(
      t,
      [
        agent('p', {
          orchestration: { subagents: [{ ref: 'p' }], pipeline: ['p'] },
          runtime: { concurrency: 1 },
        }),
      ],
      {},
      { env: { OPENAI_API_KEY: 'not-used', WAYBILL_HOME: home } },
    )
    assert.match(result.error?.message ?? '', /CONCURRENCY_EXCEEDED/)
  })

  test('a rehearsal takes no slot, and a limit that is kept is no degradation', async (t) => {
    const home = place(t)
    const env = { OPENAI_API_KEY: 'not-used', WAYBILL_HOME: home }
    const definition = parseAgentDefinition(agent('a', { runtime: { concurrency: 1 } }))
    const plan = await planRun(definition, { env })
    assert.deepEqual([plan.limits.concurrency, plan.degradations], [1, []])
    const release = await new RunSlots(join(home, 'slots')).take(plan)
    await assert.rejects(run(definition, { env, wait: false }), { code: 'CONCURRENCY_EXCEEDED' })
    assert.equal((await run(definition, { env, wait: false, rehearse: true })).status, 'completed')
    release()
  })
})
