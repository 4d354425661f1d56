import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { WaybillError } from '../../document/issue.ts'
import { LARGEST_GIVEN_BYTES } from '../../document/read-file.ts'
import { readBeside } from '../../document/read-inside.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { nestedStates } from '../../state/nested-states.ts'
import type { Io } from '../io.ts'
import { parseState } from './read-state.ts'

/** An id that can be the name of a file; others are never looked for. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/
/** States of sub-agents that are read for one state. */
const MOST = 1000

/**
 * Returns the states of all sub-agents of a captured state, to any depth, each with the file beside that of the state; none
 * beside a device or a pipe.
 */
export function statesBeside(
  output: string,
  document: AgentState,
  io: Io,
): readonly { readonly file: string; readonly state: AgentState }[] {
  if (statSync(resolve(io.cwd, output), { throwIfNoEntry: false })?.isFile() === false) return []
  return nestedStates(document).map((state) => ({
    file: join(dirname(output), `${state.state_id}.json`),
    state,
  }))
}

/**
 * Reads the states of sub-agents that a state and they themselves name by `state_id` (AAIF §8.1), from the folder of its
 * file: `STATE_ID.json`. One that is missing is left out.
 * @throws FILE_UNREADABLE; the code of the first problem of a document; STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH;
 * STATE_DOCUMENT_DIFFERS
 */
export async function readStatesBeside(
  file: string,
  document: AgentState,
  io: Io,
): Promise<readonly AgentState[]> {
  if (file === '-') return []
  const folder = dirname(resolve(io.cwd, file))
  const nested = new Map(nestedStates(document).map((state) => [state.state_id, state]))
  const found = new Map<string, AgentState>()
  const looked = new Set([document.state_id])
  const waiting = [document, ...nested.values()]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const { state_id: id } of state.subagent_states ?? []) {
      if (id === undefined || looked.has(id) || looked.size > MOST || !FILE_NAME.test(id)) continue
      looked.add(id)
      const read = await stateAt(join(folder, `${id}.json`), io)
      if (read === undefined) continue
      if (read.state_id !== id) throw differs(id, `it is the state ${read.state_id}`)
      const own = nested.get(id)
      if (own !== undefined && !isDeepStrictEqual(own, read))
        throw differs(id, 'x-waybill.documents has another document of this state_id')
      if (own !== undefined) continue
      found.set(id, read)
      waiting.push(read)
    }
  }
  return [...found.values()]
}

async function stateAt(path: string, io: Io): Promise<AgentState | undefined> {
  const read = readBeside(path, LARGEST_GIVEN_BYTES)
  if (read === undefined) return undefined
  if (read.ok) return parseState(read.bytes, path, io)
  throw new WaybillError('FILE_UNREADABLE', {
    fault: 'usage',
    file: path,
    message: `the state of a sub-agent cannot be read: ${read.reason}`,
    hint: 'copy it beside the state that names it',
  })
}

function differs(id: string, why: string): WaybillError {
  return new WaybillError('STATE_DOCUMENT_DIFFERS', {
    file: `${id}.json`,
    message: `the file ${id}.json is not the state of the sub-agent that the state names: ${why}`,
    hint: 'copy the files of one export together',
    rule: 'AAIF-8.1-21',
  })
}
