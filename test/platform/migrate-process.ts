/** A process that prepares a database: `node migrate-process.ts OWNER_URL`. It must print nothing. */

import { prepareDatabase } from '../../src/platform/database/open-database.ts'
import { TABLES } from '../../src/platform/features.ts'

await prepareDatabase(process.argv[2] ?? '', TABLES.steps)
