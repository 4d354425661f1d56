import type { Tables } from '../database/tables.ts'

/** The secrets of organisations, encrypted with a key of each organisation. Its own key is wrapped by a key outside the database. */
const SECRET_SCHEMA = `
-- wrapped: the key of the organisation, encrypted with the key of the installation that wrapped_by names.
CREATE TABLE waybill.secret_keys (
  org text NOT NULL REFERENCES waybill.organisations, key_id text NOT NULL, wrapped_by text NOT NULL, wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, key_id)
);
-- sealed: bound to org, name and hosts, which cannot be changed without the key.
CREATE TABLE waybill.secrets (
  org text NOT NULL, name text NOT NULL, hosts text[] NOT NULL, version text NOT NULL, key_id text NOT NULL, sealed bytea NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now(), set_by text NOT NULL, used_at timestamptz,
  PRIMARY KEY (org, name), FOREIGN KEY (org, key_id) REFERENCES waybill.secret_keys
);
CREATE INDEX secrets_by_key ON waybill.secrets (org, key_id);
`

export const SECRET_TABLES: Tables = {
  steps: [{ n: 4, name: 'secrets', sql: SECRET_SCHEMA }],
  tables: {
    secrets: { owner: 'sealed values', kept: 'set by people' },
    secret_keys: { owner: 'wrapped keys', kept: 'one for each organisation' },
  },
}
