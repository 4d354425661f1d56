import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Json, type JsonObject, WaybillError } from '../document/issue.ts'
import { readDocument } from '../document/read-document.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import { homeOf, makeHome } from './home.ts'

interface Remembered {
  readonly host: string
  readonly at: string
  readonly for: string
}

/** Hosts that a person allowed for good on a terminal (`grants.yaml`). They never reach private addresses. */
export function readRemembered(env: Readonly<Record<string, string | undefined>>): readonly HostGrant[] {
  return read(env).map((grant) => parseHostGrant(grant.host, 'remembered'))
}

/** Remembers a person's yes to a host. */
export function rememberHost(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
  agent: string,
  at: Date,
): void {
  const grants = [
    ...read(env).filter((grant) => grant.host !== host),
    { host, at: at.toISOString(), for: agent },
  ]
  const path = join(makeHome(env), 'grants.yaml')
  const next = `${path}.${process.pid}`
  // JSON is YAML: people may edit it, and nothing has to be loaded to write it.
  writeFileSync(next, `${JSON.stringify({ hosts: grants }, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, path)
}

function read(env: Readonly<Record<string, string | undefined>>): readonly Remembered[] {
  const path = join(homeOf(env), 'grants.yaml')
  if (!existsSync(path)) return []
  const { document } = readDocument(readFileSync(path), { file: path })
  const hosts = (document?.value as { readonly hosts?: Json } | undefined)?.hosts
  if (!Array.isArray(hosts) || !hosts.every(isRemembered)) {
    throw new WaybillError('GRANTS_INVALID', {
      fault: 'usage',
      file: path,
      message: 'the remembered grants cannot be read, so none is trusted',
      hint: 'mend the file, or delete it to be asked again',
    })
  }
  return hosts as unknown as readonly Remembered[]
}

function isRemembered(value: Json): boolean {
  return typeof value === 'object' && value !== null && typeof (value as JsonObject).host === 'string'
}
