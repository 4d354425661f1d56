import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { timesOf } from './fault-site.ts'
import { moveUnderFaults } from './moving-rounds.ts'

/** Number of rounds, each with one fault; the long form is `npm run fault:moving`. */
const ROUNDS = timesOf('WAYBILL_MOVE_FAULTS', 22)

describe('moves under more faults', { skip: noCertificates }, () => {
  test(
    'AAIF-8.2-04: exactly one platform owns the run, the write is made once, and both audit logs agree',
    {
      timeout: 3_600_000,
    },
    (t) => moveUnderFaults(t, ROUNDS),
  )
})
