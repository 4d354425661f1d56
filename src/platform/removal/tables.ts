import type { Tables } from '../database/tables.ts'

/**
 * Requests to erase the data of a user. user_id: null when its rows are removed; then only the subject is left, which is
 * a digest of it (see `subjectOf`). keys_destroyed_at: since then older backups cannot bring the rows back.
 */
const ERASURE_SCHEMA = `
CREATE TABLE waybill.erasures (
  org text NOT NULL REFERENCES waybill.organisations, id text COLLATE "C" NOT NULL, user_id text, subject text NOT NULL, by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(), runs int NOT NULL DEFAULT 0, items int NOT NULL DEFAULT 0,
  removed_at timestamptz, keys_destroyed_at timestamptz,
  PRIMARY KEY (org, id), CHECK ((user_id IS NULL) = (removed_at IS NOT NULL))
);
CREATE UNIQUE INDEX erasures_pending ON waybill.erasures (org, user_id) WHERE removed_at IS NULL;
CREATE INDEX erasures_with_keys ON waybill.erasures (removed_at) WHERE keys_destroyed_at IS NULL;
`

export const REMOVAL_TABLES: Tables = {
  steps: [{ n: 11, name: 'erasures', sql: ERASURE_SCHEMA }],
  tables: {
    erasures: {
      owner: 'the user until its rows are removed, then a digest',
      kept: 'the proof of an erasure',
    },
  },
}
