/** When this database was backed up; `waybill doctor` shows the last time. Belongs to the installation. */
export const BACKUP_SCHEMA = `
CREATE TABLE waybill.backups (
  taken_at timestamptz PRIMARY KEY, bytes bigint NOT NULL, took_ms bigint NOT NULL
);
`
