import { describe, test } from 'node:test'
import { playRounds } from './platform-rounds.ts'

/** A fault of each kind: of workers, of PostgreSQL, of connections and of people. `platform.slow.test.ts` plays all. */
const ROUNDS = 6

describe('the platform under faults', () => {
  test(
    'every run ends as predicted, no event is lost, and no call is made twice',
    {
      timeout: 600_000,
    },
    (t) => playRounds(t, ROUNDS),
  )
})
