import { join } from 'node:path'
import type { Document } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { readDocument } from '../../document/read-document.ts'
import { LARGEST_GIVEN_BYTES } from '../../document/read-file.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { validateAgentState } from '../../spec/aaif/validate-agent-state.ts'
import { assertStateChecksum } from '../../trust/checksum.ts'
import { listOwnKeys, openPrivateKey } from '../../trust/key-file.ts'
import { openSealed, sealedFor } from '../../trust/seal-for.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { readFileOrInput } from './read-any-document.ts'

/** The states of sub-agents are in the state of their caller. */
const MAX_DEPTH = 1024

/**
 * Reads an Agent State, which may be much larger than a definition.
 * @throws FILE_UNREADABLE; the first problem of the document
 */
export async function readStateDocument(file: string, io: Io): Promise<Document> {
  const bytes = await opened(await readFileOrInput(file, io, { what: 'the state' }), file, io)
  const read = readDocument(bytes, {
    ...(file !== '-' && { file }),
    maxBytes: LARGEST_GIVEN_BYTES,
    maxDepth: MAX_DEPTH,
  })
  if (read.document !== undefined) return read.document
  const [issue] = read.issues
  throw new WaybillError(issue?.code ?? 'DOCUMENT_UNREADABLE', {
    file,
    message: issue?.message ?? 'the state cannot be read',
    ...(issue !== undefined && { at: issue.pointer, line: issue.line, column: issue.column }),
    ...(issue?.hint !== undefined && { hint: issue.hint }),
  })
}

/**
 * Reads an Agent State that is to be restored: valid, and unchanged since its capture (AAIF §8.2).
 * @throws DOCUMENT_INVALID with the first error; STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH
 */
export async function readState(file: string, io: Io): Promise<AgentState> {
  const document = await readStateDocument(file, io)
  const errors = validateAgentState(document).filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first !== undefined) {
    const others = errors.length === 1 ? '' : ` (and ${errors.length - 1} more; see \`waybill validate\`)`
    throw new WaybillError(first.code, {
      file,
      at: first.pointer,
      line: first.line,
      column: first.column,
      message: `${first.message}${others}`,
      ...(first.hint !== undefined && { hint: first.hint }),
      ...(first.rule !== undefined && { rule: first.rule }),
    })
  }
  assertStateChecksum(document.value as never)
  return document.value as unknown as AgentState
}

/** Decrypts a state that was encrypted for a key of this home. */
async function opened(bytes: Buffer, file: string, io: Io): Promise<Buffer> {
  // A compact JWE begins with the base64url of `{"`.
  if (bytes.subarray(0, 2).toString('latin1') !== 'ey') return bytes
  const text = bytes.toString('latin1')
  const keyId = sealedFor(text)
  if (keyId === undefined) return bytes
  const folder = join(homeFolder(io), 'keys')
  const own = listOwnKeys(folder).find((key) => key.keyId === keyId)
  if (own === undefined)
    throw new WaybillError('SEAL_UNREADABLE', {
      fault: 'usage',
      file,
      message: `the state is encrypted for the key ${keyId}, which is not in this home`,
      hint: 'ask the sender to encrypt it for one of your keys; `waybill keys list` shows them',
    })
  return openSealed(text, openPrivateKey(folder, own.name))
}
