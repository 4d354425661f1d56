import type { Tables } from '../database/tables.ts'

/** When this database was backed up; `waybill doctor` shows the last time. Belongs to the installation. */
const BACKUP_SCHEMA = `
CREATE TABLE waybill.backups (
  taken_at timestamptz PRIMARY KEY, bytes bigint NOT NULL, took_ms bigint NOT NULL
);
`

export const BACKUP_TABLES: Tables = {
  steps: [{ n: 7, name: 'backups', sql: BACKUP_SCHEMA }],
  tables: {
    backups: {
      owner: 'times',
      left_out: 'they are of this database',
      kept: 'one for each backup that a person makes',
    },
  },
}
