import { registriesOf } from '../../compose/extensions.ts'
import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson } from '../../document/json.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readGivenDefinition } from '../files/read-given-definition.ts'
import type { Io } from '../io.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { uploadAgent } from '../remote/upload-agent.ts'
import { operatorOf } from '../run-session/parts-from-flags.ts'

export interface OwnDefinition {
  /** Null: the file is not there any more, or contains another version. */
  readonly definition: AgentDefinition | null
  /** Uploads it, with the sub-agents that it names as files. */
  readonly send: () => Promise<void>
}

/** Returns the definition of a run of this machine, if its file still contains what the run was started with. */
export async function ownDefinition(
  { header, plan }: StoredRun,
  server: ServerClient,
  io: Io,
): Promise<OwnDefinition> {
  const { definition_file: file, flags } = header
  const definition = file === undefined ? undefined : await read(file, flags?.config, io)
  const isSame = definition !== undefined && sha256OfCanonical(asJson(definition)) === plan.definition_hash
  if (file === undefined || !isSame) return { definition: null, send: () => Promise.reject(changed(file)) }
  return {
    definition,
    async send() {
      await uploadAgent(server, file, {}, io)
    },
  }
}

async function read(file: string, config: string | undefined, io: Io): Promise<AgentDefinition | undefined> {
  try {
    const registries = await registriesOf((await operatorOf(defined({ config }), io)).extensions)
    return (await readGivenDefinition(file, io, registries)).definition
  } catch {
    // The run has its recorded plan. The platform may know the definition.
    return undefined
  }
}

function changed(file: string | undefined): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `the platform does not know the definition of the run, and ${file ?? 'its source'} does not contain it any more`,
    hint: 'upload the version that the run was started with to the platform, and move the run then',
  })
}
