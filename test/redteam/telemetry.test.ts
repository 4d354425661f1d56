import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { telemetry } from './cases/telemetry.ts'

describe(telemetry.name, () => {
  for (const [title, run] of trialsOf(telemetry)) test(title, run)
})
