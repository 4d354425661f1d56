import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../cli/fixture.ts'
import { Site, timesOf, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

/** The long form is `npm run fault:kill`. */
const KILLS = timesOf('WAYBILL_DETACHED', 5)

describe('a background run whose process is killed right after its id was printed', () => {
  test(`${KILLS} times: it is resumed with its input`, async (t) => {
    const world = await openFaultWorld(t)
    const site = new Site(t, world)
    site.writer('clerk')
    let unbegun = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const input = `i${kill}`
      const { run_id, pid } = await site.json(...site.go('clerk', '--detach', '--input', input))
      process.kill(Number(pid), 'SIGKILL')
      if (!world.writes.has(`clerk/${input}/0`)) unbegun++
      await until('its process has ended', () => !isAlive(Number(pid)))
      const { result } = await site.settle(String(run_id))
      assert.deepEqual([result.status, result.output], ['completed', `yes ${input}`])
    }
    assert.ok(unbegun > 0, 'each had written before it was killed: the test proves too little')
    site.assertWrites(Array.from({ length: KILLS }, (_, kill) => writesOf(['clerk'], 2, `i${kill}`)).flat())
  })

  test('while it waits for its slot: it is resumed with its input', async (t) => {
    let held = true
    const world = await openFaultWorld(t, { rounds: () => 1, holds: () => held })
    const site = new Site(t, world)
    site.writer('clerk', { runtime: { max_retries: 0, concurrency: 1 } })
    const first = site.launch(site.go('clerk', '--input', 'first'))
    await until('the first asks its model', () => world.modelCalls() === 1, 60_000)
    const { run_id, pid } = await site.json(...site.go('clerk', '--detach', '--input', 'second'))
    assert.equal(world.modelCalls(), 1, 'the second did not wait')
    process.kill(Number(pid), 'SIGKILL')
    await until('its process has ended', () => !isAlive(Number(pid)))
    held = false
    assert.equal((await first.ended).code, 0)
    const { result } = await site.settle(String(run_id))
    assert.equal(result.output, 'yes second')
    site.assertWrites([...writesOf(['clerk'], 1, 'first'), ...writesOf(['clerk'], 1, 'second')])
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
