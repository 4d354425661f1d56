// A protocol of tools: `protocol: sql`, with the path of a SQLite file as the endpoint. It only ever reads.
import { DatabaseSync } from 'node:sqlite'
import { ToolFailure, type ToolProtocol } from 'waybill/ports'

export const sql: ToolProtocol = {
  // The plan ensures that the file is in the folder of the definition.
  reach: 'file',

  async discover({ name, file = '' }) {
    const database = new DatabaseSync(file, { readOnly: true })
    const tables = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table'").all()
    database.close()
    return [
      {
        name,
        description: `Answers a SELECT over these tables: ${tables.map(({ sql }) => sql).join('; ')}`,
        parameters_schema: {
          type: 'object',
          properties: { select: { type: 'string', maxLength: 2000 } },
          required: ['select'],
          additionalProperties: false,
        },
        read_only: true,
        idempotent: true,
      },
    ]
  },

  open() {
    const databases = new Map<string, DatabaseSync>()
    return {
      async call({ tool, args }) {
        const file = String(tool.binding?.file)
        const database = databases.get(file) ?? new DatabaseSync(file, { readOnly: true })
        databases.set(file, database)
        try {
          return database
            .prepare(String(args.select))
            .all()
            .map((row) => ({ ...row })) as never
        } catch (error) {
          throw new ToolFailure<string>('SQL_REFUSED', (error as Error).message, 'answered')
        }
      },
      close() {
        for (const database of databases.values()) database.close()
      },
    }
  },
}
