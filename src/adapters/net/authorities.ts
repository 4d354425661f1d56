import { getCACertificates } from 'node:tls'
import { MAX_BYTES } from '../../document/read-document.ts'
import { readFileWithin } from '../../document/read-file.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'

/**
 * Returns the trusted certificate authorities in PEM: those of Node (its own list and NODE_EXTRA_CA_CERTS) and those in
 * the operator's files. Undefined if the operator names no files: Node then uses its own.
 * @throws the errors of reading a file
 */
export function believedAuthorities({ ca_files = [] }: Grants): string[] | undefined {
  if (ca_files.length === 0) return undefined
  return [
    ...getCACertificates('default'),
    ...ca_files.map((file) => readFileWithin(file, MAX_BYTES).toString('utf8')),
  ]
}
