/** Who may use an organisation: its people and service accounts, their teams, and the tokens that act for them. */
export const PEOPLE_SCHEMA = `
-- kind: 'person', or 'service' for a program. roles: those of their own; they also have the roles of their teams.
CREATE TABLE waybill.members (
  org text NOT NULL REFERENCES waybill.organisations, user_id text NOT NULL, kind text NOT NULL CHECK (kind IN ('person', 'service')),
  name text NOT NULL, roles text[] NOT NULL CHECK (roles <@ '{viewer,author,operator,approver,admin}'), created_at timestamptz NOT NULL DEFAULT now(), created_by text NOT NULL, removed_at timestamptz,
  PRIMARY KEY (org, user_id)
);
CREATE TABLE waybill.teams (
  org text NOT NULL REFERENCES waybill.organisations, team text NOT NULL, name text NOT NULL, roles text[] NOT NULL CHECK (roles <@ '{viewer,author,operator,approver,admin}'),
  created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, team)
);
CREATE TABLE waybill.team_members (
  org text NOT NULL, team text NOT NULL, user_id text NOT NULL, PRIMARY KEY (org, team, user_id),
  FOREIGN KEY (org, team) REFERENCES waybill.teams ON DELETE CASCADE, FOREIGN KEY (org, user_id) REFERENCES waybill.members ON DELETE CASCADE
);
CREATE INDEX team_members_by_user ON waybill.team_members (org, user_id);

-- roles: at most those of the member at the time of a request are in force.
CREATE TABLE waybill.tokens (
  org text NOT NULL, id text NOT NULL, hash bytea NOT NULL UNIQUE, name text NOT NULL, roles text[] NOT NULL CHECK (roles <@ '{viewer,author,operator,approver,admin}'), user_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), created_by text NOT NULL, expires_at timestamptz, used_at timestamptz, revoked_at timestamptz,
  PRIMARY KEY (org, id), FOREIGN KEY (org, user_id) REFERENCES waybill.members
);
CREATE INDEX tokens_by_user ON waybill.tokens (org, user_id);

-- The roles that a member holds: their own and those of their teams.
CREATE FUNCTION waybill.held_roles(m waybill.members) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT m.roles || coalesce((
    SELECT array_agg(role) FROM waybill.team_members AS tm JOIN waybill.teams AS t USING (org, team), unnest(t.roles) AS role
    WHERE tm.org = m.org AND tm.user_id = m.user_id), '{}')
$$;
REVOKE ALL ON FUNCTION waybill.held_roles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.held_roles TO waybill_app, waybill_engine;
`
