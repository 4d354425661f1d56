import { join } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { LARGEST_GIVEN_BYTES } from '../../document/read-file.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { parseAgentState } from '../../spec/aaif/parse-agent-state.ts'
import { assertStateChecksum } from '../../trust/checksum.ts'
import { listOwnKeys, openPrivateKey } from '../../trust/key-file.ts'
import { openSealed, sealedFor } from '../../trust/seal-for.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { readFileOrInput } from './read-any-document.ts'

/** The states of sub-agents are in the state of their caller. */
const MAX_DEPTH = 1024

/**
 * Reads an Agent State that is to be restored, which may be much larger than a definition: valid, and unchanged since its
 * capture (AAIF §8.2).
 * @throws FILE_UNREADABLE; the code of the first problem of the document; STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH
 */
export async function readState(file: string, io: Io): Promise<AgentState> {
  return parseState(await readFileOrInput(file, io, { what: 'the state' }), file, io)
}

/** Decrypts a state if it is encrypted, and reads it like {@link readState}. */
export async function parseState(given: Buffer, file: string, io: Io): Promise<AgentState> {
  if (given.byteLength === 0) throw empty(file)
  const state = parseAgentState(await opened(given, file, io), {
    ...(file !== '-' && { file }),
    maxBytes: LARGEST_GIVEN_BYTES,
    maxDepth: MAX_DEPTH,
  })
  assertStateChecksum(state as unknown as JsonObject)
  return state
}

/** The hint of an empty document is about definitions. */
function empty(file: string): WaybillError {
  return new WaybillError('DOCUMENT_EMPTY', {
    ...(file !== '-' && { file }),
    message: 'the state is empty',
    hint: '`waybill state export RUN -o FILE` writes one',
  })
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
