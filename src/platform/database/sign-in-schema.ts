/** What a token may be used for, and the sessions of people who are signed in with a browser. */
export const SIGN_IN_SCHEMA = `
-- Null: all that the roles permit.
ALTER TABLE waybill.tokens ADD COLUMN scopes text[];

-- token: the token with which the person has signed in; null: an identity provider has named the person and the roles.
CREATE TABLE waybill.browser_sessions (
  org text NOT NULL REFERENCES waybill.organisations, id text NOT NULL, hash bytea NOT NULL UNIQUE, user_id text NOT NULL,
  roles text[] NOT NULL, scopes text[], token text, created_at timestamptz NOT NULL DEFAULT now(), used_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL, ended_at timestamptz, PRIMARY KEY (org, id)
);
CREATE INDEX browser_sessions_by_end ON waybill.browser_sessions (ends_at);
`
