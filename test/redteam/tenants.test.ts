import { after, describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { tenants } from './cases/tenants.ts'
import { closeTenantWorld } from './tenant-world.ts'

after(closeTenantWorld)

describe(tenants.name, () => {
  for (const [title, run] of trialsOf(tenants)) test(title, run)
})
