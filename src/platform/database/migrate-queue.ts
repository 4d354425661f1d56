import type pg from 'pg'

/**
 * The parts of `DBOS.migrate`, which itself prints to the standard output and cannot be asked what it would do. They are
 * internal to the package, whose version is exact.
 */
async function migrationsOfQueue(schema: string) {
  const [{ allMigrations }, runner] = await Promise.all([
    import('@dbos-inc/dbos-sdk/internal/sysdb_migrations/internal/migrations'),
    import('@dbos-inc/dbos-sdk/internal/sysdb_migrations/migration_runner'),
  ])
  return { ...runner, steps: allMigrations(schema) }
}

/** Returns the version to which the tables of the queue are to be migrated, or null if they are current or newer. */
export async function queueVersionDue(client: pg.ClientBase, schema: string): Promise<number | null> {
  const { getCurrentSysDBVersion, steps } = await migrationsOfQueue(schema)
  return (await getCurrentSysDBVersion(client, schema)) < steps.length ? steps.length : null
}

/** Migrates the tables of the queue, and gives a role access to them. Not in a transaction: some indexes are created beside running workers. */
export async function migrateQueue(client: pg.ClientBase, schema: string, role: string): Promise<void> {
  const { runSysMigrationsPg, steps } = await migrationsOfQueue(schema)
  await runSysMigrationsPg(client, steps, schema, { onWarn: () => {} })
  const { getDbosSchemaPermissionsSql } = await import('@dbos-inc/dbos-sdk/internal/system_database')
  for (const statement of getDbosSchemaPermissionsSql(schema, role)) await client.query(statement)
}
