import type { Json } from '../../document/json.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { loginOf } from '../remote/server-client.ts'
import { uploadDefinition } from '../remote/upload-agent.ts'
import { namedServer } from '../remote/with-records.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { lacksText } from './plan-lines.ts'
import { textOf } from './show-agents.ts'
import type { AgentOptions } from './with-agents.ts'

/** Uploads a definition (`waybill agents upload`). */
export async function uploadFile(file: string, options: AgentOptions, io: Io): Promise<void> {
  const login = loginOf(options.server, io, options.config)
  if (login === undefined)
    throw usageError('an upload needs a server', 'add --server URL, or log in with `waybill login URL`')
  const view = await uploadDefinition(namedServer(login, options, io), file, options, io)
  if (wantsJson(options)) io.out(`${jsonText(view as unknown as Json)}\n`)
  else io.out(textOf(view) + lacksText(view.plan))
}
