import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/** Who may use an organisation: its people and service accounts, their teams, and the tokens that act for them. */
const PEOPLE_SCHEMA = `
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

/** What a token may be used for, and the sessions of people who are signed in with a browser. */
const SIGN_IN_SCHEMA = `
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

/**
 * Who has caused runs, tokens and firings. A policy with `starter_may_decide: false` excludes all of them, so the list is
 * stored when it is known, and handed on wherever a run leads to another run (`causers.ts`).
 */
const CAUSERS_SCHEMA = `
-- run_id: of a root run; its sub-agents have the same. member: as stored, not the user that the run serves.
CREATE TABLE waybill.causers (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, member text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org, run_id, member), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
-- The header is JSON that Waybill has written: a quotation mark in a value is escaped. A name with escapes stays JSON.
INSERT INTO waybill.causers (org, run_id, member)
  SELECT org, run_id, user_id FROM waybill.runs WHERE parent IS NULL AND user_id IS NOT NULL
  UNION SELECT org, run_id, CASE WHEN strpos(member, E'\\\\') > 0 THEN member ELSE trim('"' FROM member) END
    FROM (SELECT org, run_id, substring(header FROM '"on_behalf_of":("(?:[^"\\\\]|\\\\.)*")') AS member
      FROM waybill.runs WHERE parent IS NULL) AS r WHERE member IS NOT NULL
  UNION SELECT c.org, c.run_id, m.by FROM waybill.conversations AS c JOIN waybill.messages AS m USING (org, session)
    JOIN waybill.runs AS r ON r.org = c.org AND r.run_id = c.run_id;

-- makers: members other than the token's own who have made it, or the token that made it; made_at: when the last did.
ALTER TABLE waybill.tokens ADD COLUMN makers text[] NOT NULL DEFAULT '{}', ADD COLUMN made_at timestamptz;
UPDATE waybill.tokens SET makers = ARRAY[created_by], made_at = created_at WHERE created_by <> user_id;

-- makers: who has made or changed the trigger, or knows its secret.
ALTER TABLE waybill.triggers ADD COLUMN makers text[] NOT NULL DEFAULT '{}';
UPDATE waybill.triggers SET makers = ARRAY(SELECT DISTINCT unnest(ARRAY[created_by, acts_for]) ORDER BY 1);

-- causers: the members whose request has fired the trigger.
ALTER TABLE waybill.firings ADD COLUMN causers text[] NOT NULL DEFAULT '{}';

-- A run that is stored with questions, such as a restored one, has rows too.
CREATE TRIGGER note_questions_of_new AFTER INSERT ON waybill.progress FOR EACH ROW
  WHEN (NEW.questions > 0) EXECUTE FUNCTION waybill.note_questions();
INSERT INTO waybill.changed_questions (org, run_id)
  SELECT p.org, p.run_id FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
  WHERE p.questions > 0 AND p.phase <> 'over' AND NOT r.imported ON CONFLICT DO NOTHING;
CREATE INDEX questions_open ON waybill.questions (org, run_id) WHERE closed_at IS NULL;

-- Users whose data is in a run that does not serve them: those of the runs that led to it. It is removed with them.
CREATE TABLE waybill.subjects (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, user_id text NOT NULL,
  PRIMARY KEY (org, run_id, user_id), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX subjects_by_user ON waybill.subjects (org, user_id);

-- user_id: whose call a rule was made from; whose message a trigger has taken.
ALTER TABLE waybill.grants ADD COLUMN user_id text;
ALTER TABLE waybill.firings ADD COLUMN user_id text;

-- mentions: runs, sessions and users that the answer is about; it is removed with each of them.
ALTER TABLE waybill.idempotency ADD COLUMN mentions text[] NOT NULL DEFAULT '{}';
CREATE INDEX idempotency_by_mention ON waybill.idempotency USING gin (mentions);

-- Removes what the queue still has of the legs of a run: errors have texts. Requests have no other way into the queue.
CREATE FUNCTION waybill.forget_legs(p_org text, p_runs text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT pg_has_role(session_user, 'waybill_engine', 'MEMBER') AND p_org IS DISTINCT FROM current_setting('waybill.org', true) THEN
    RAISE EXCEPTION 'another organisation' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM waybill_queue.workflow_status AS w USING unnest(p_runs) AS r
    WHERE w.completed_at IS NOT NULL AND starts_with(w.workflow_uuid, p_org || '/' || r || '#');
END $$;
REVOKE ALL ON FUNCTION waybill.forget_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.forget_legs TO waybill_app, waybill_engine;

-- makers: of the token of the vote, if it was made after the run had begun.
ALTER TABLE waybill.votes ADD COLUMN makers text[] NOT NULL DEFAULT '{}';
`

export const PEOPLE_TABLES: Tables = {
  steps: [
    { n: 2, name: 'people', sql: PEOPLE_SCHEMA },
    { n: 8, name: 'sign-in', sql: SIGN_IN_SCHEMA },
    { n: 18, name: 'causers', sql: CAUSERS_SCHEMA },
  ],
  tables: {
    members: { owner: 'members', kept: 'people' },
    teams: { owner: 'members', kept: 'people' },
    team_members: { owner: 'members' },
    tokens: { owner: 'hashes', kept: 'made by people; a withdrawn one stays in the history' },
    browser_sessions: { owner: 'members', left_out: 'people sign in again' },
    causers: {},
    subjects: {},
  },
  sweeps: [
    `DELETE FROM waybill.browser_sessions WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.browser_sessions WHERE ends_at < clock_timestamp() - interval '30 days' LIMIT ${SWEPT_ROWS}))`,
  ],
}
