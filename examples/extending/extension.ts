// What the operator adds to this host. In code it goes into the options; on the command line, into the configuration:
//   extensions: [./extension.ts]
import type { Extension } from 'waybill/ports'
import { jsonFile } from './json-file.ts'
import { parrot } from './parrot.ts'
import { sql } from './sql.ts'

export const extension: Extension = {
  name: 'corner-shop',
  toolProtocols: { sql },
  modelProviders: { parrot },
  memoryBackends: { json_file: jsonFile },
}
