import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { moveUnderFaults } from './moving-rounds.ts'

/** Faults of several kinds; `moving.slow.test.ts` plays more. */
const ROUNDS = 8

describe('moves under faults', { skip: noCertificates }, () => {
  test(
    'AAIF-8.2-04: exactly one platform owns the run, the write is made once, and both audit logs agree',
    {
      timeout: 600_000,
    },
    (t) => moveUnderFaults(t, ROUNDS),
  )
})
