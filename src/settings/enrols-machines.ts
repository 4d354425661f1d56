import type { Config } from './config-schema.ts'

/** Returns whether an organisation has the machines of its members pinned when they log in; that of the organisation counts first. */
export function enrolsMachines({ enrol_machines = true, organisations = {} }: Config, org: string): boolean {
  const own = Object.hasOwn(organisations, org) ? organisations[org] : undefined
  return own?.enrol_machines ?? enrol_machines
}
