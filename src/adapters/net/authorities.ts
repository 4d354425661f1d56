import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import type { Grants } from '../../policy/endpoint-gate.ts'

/**
 * Whose certificates are believed, in PEM: those that Node believes (its own list and NODE_EXTRA_CA_CERTS) and those of
 * the operator's files. Undefined when the operator names none: Node's own are used without being listed.
 * @throws what reading a file throws
 */
export function believedAuthorities({ ca_files = [] }: Grants): string[] | undefined {
  if (ca_files.length === 0) return undefined
  return [...getCACertificates('default'), ...ca_files.map((file) => readFileSync(file, 'utf8'))]
}
