import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunResult } from '../../src/run/result.ts'
import { type Ended, Site, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

const INPUTS = Array.from({ length: 6 }, (_, index) => `i${index}`)

describe('a batch that is killed', () => {
  for (const concurrency of [1, 3])
    test(`${concurrency} at a time: --resume returns every result in order, and repeats no write`, async (t) => {
      const world = await openFaultWorld(t)
      const site = new Site(t, world)
      site.writer('clerk', { runtime: { max_retries: 0, concurrency } })
      site.place.write('inputs.ndjson', INPUTS.map((input) => `${JSON.stringify(input)}\n`).join(''))
      const argv = site.go('clerk', '--batch', 'inputs.ndjson')
      const killed = async (words: readonly string[], arrivals: number): Promise<Ended> => {
        const launched = site.launch(words)
        void world.arrivals.next(arrivals).then(() => launched.child.kill('SIGKILL'))
        return launched.ended
      }
      assert.equal((await killed(argv, 8)).code, 'SIGKILL')
      assert.equal((await killed([...argv, '--resume'], 7)).code, 'SIGKILL')
      let ended = await site.ask([...argv, '--resume'])
      for (let tries = 0; ended.code === 4 && tries < 5; tries++) {
        await site.decideUnknown()
        ended = await site.ask([...argv, '--resume'])
      }
      assert.equal(ended.code, 0, ended.err)
      const { results } = JSON.parse(ended.out) as { results: readonly RunResult[] }
      assert.deepEqual(
        results.map(({ output }) => output),
        INPUTS.map((input) => `yes ${input}`),
      )
      assert.equal((await site.roots()).length, INPUTS.length)
      site.assertWrites(INPUTS.flatMap((input) => writesOf(['clerk'], 2, input)))
      // A batch that has ended returns its results again, and does nothing else.
      const asked = world.modelCalls()
      assert.equal((await site.ask([...argv, '--resume'])).out, ended.out)
      assert.equal(world.modelCalls(), asked)
    })
})
