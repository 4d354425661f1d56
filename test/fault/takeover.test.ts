import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../cli/fixture.ts'
import { codeOf, type Ended, permits, Site, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

const APART = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

/** A site whose model waits after the first write until `release` is called. */
async function heldSite(t: TestContext) {
  let held = true
  const world = await openFaultWorld(t, {
    rounds: () => 3,
    holds: () => held && world.writes.size > 0,
  })
  const site = new Site(t, world)
  site.writer('clerk')
  const release = () => {
    held = false
  }
  return { world, site, release }
}

/** Resumes. The kernel takes some time to end the threads of a killed process or of a whole namespace. */
function resumeWhenFree(site: Site, prefix: readonly string[] = []) {
  return async (argv: readonly string[]): Promise<Ended> => {
    for (let tries = 0; ; tries++) {
      const ended = await site.run(argv, { prefix })
      if (tries === 40 || codeOf(ended) !== 'RUN_LOCKED') return ended
      await sleep(50)
    }
  }
}

describe('a run and competing drivers', () => {
  test('of two PID namespaces with one home only one drives, and the other takes over after a kill', {
    skip: permits(APART[0] ?? '', ...APART.slice(1)) ? false : 'needs the permission to make PID namespaces',
  }, async (t) => {
    const { world, site, release } = await heldSite(t)
    const driver = site.launch(site.go('clerk', '--input', 'go'), { prefix: APART })
    await until('it has written', () => world.writes.size > 0, 60_000)
    const [run = ''] = await site.roots()
    const asked = world.modelCalls()
    for (const prefix of [APART, []]) {
      const second = await site.run(['resume', run, '--json'], { prefix })
      assert.equal(codeOf(second), 'RUN_LOCKED', second.err)
    }
    assert.ok(world.modelCalls() <= asked + 1, 'the second process has asked the model')
    driver.child.kill('SIGKILL')
    await driver.ended
    release()
    const { result } = await site.settle(run, resumeWhenFree(site, APART))
    assert.equal(result.status, 'completed')
    site.assertWrites(writesOf(['clerk'], 3))
  })

  test('a driver that was killed and not reaped can be taken over', async (t) => {
    const { world, site, release } = await heldSite(t)
    // Its parent never waits for it.
    const driver = site.launch(site.go('clerk', '--input', 'go'), {
      prefix: ['bash', '-c', '"$@" >/dev/null 2>&1 & echo $!; exec sleep 1000', 'bash'],
    })
    t.after(() => driver.child.kill('SIGKILL'))
    await until('it has written', () => world.writes.size > 0, 60_000)
    const pid = Number(driver.out())
    const [run = ''] = await site.roots()
    assert.equal(codeOf(await site.ask(['resume', run, '--json'])), 'RUN_LOCKED')
    process.kill(pid, 'SIGKILL')
    release()
    const { result } = await site.settle(run, resumeWhenFree(site))
    // It was never reaped.
    assert.match(readFileSync(`/proc/${pid}/stat`, 'utf8'), /\) Z /)
    assert.equal(result.status, 'completed')
    site.assertWrites(writesOf(['clerk'], 3))
  })
})
