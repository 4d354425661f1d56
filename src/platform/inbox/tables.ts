import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/**
 * Questions of runs to people: what is open, under which policy, who has voted, and who was notified by mail. A change of
 * a run's questions marks the run in the same transaction, and a worker brings the rows up to date (`sync-questions.ts`).
 */
const INBOX_SCHEMA = `
ALTER TABLE waybill.members ADD COLUMN mail text;

-- place: the first policy that matches applies. body: the policy as JSON.
CREATE TABLE waybill.approval_policies (
  org text NOT NULL REFERENCES waybill.organisations, name text COLLATE "C" NOT NULL, place int NOT NULL, body text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(), changed_by text NOT NULL, PRIMARY KEY (org, name)
);

-- Runs whose questions may differ from the rows.
CREATE TABLE waybill.changed_questions (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, since timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (org, run_id),
  FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX changed_questions_by_time ON waybill.changed_questions (since);

-- key, asked: the question as decisions name it. view: what clients see, as JSON. settings: the policy when the question
-- opened, as JSON; null: no policy matched. starters: may not decide if the policy says so. closed_by: as JSON.
-- remind_at, escalate_at, expires_at: what has not happened yet. lapsed: closed by its policy, and not announced yet.
-- retry_at: what is due has failed, and is not tried again before.
CREATE TABLE waybill.questions (
  org text NOT NULL, id text COLLATE "C" NOT NULL, run_id text COLLATE "C" NOT NULL, key text NOT NULL, asked int NOT NULL,
  agent_id text NOT NULL, rehearsal boolean NOT NULL, view text NOT NULL, starters text[] NOT NULL, opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  policy text, settings text, closed_at timestamptz, outcome text, closed_by text,
  remind_at timestamptz, escalate_at timestamptz, expires_at timestamptz, reminded int NOT NULL DEFAULT 0,
  escalated_at timestamptz, expired_at timestamptz, lapsed boolean NOT NULL DEFAULT false, retry_at timestamptz,
  due_at timestamptz GENERATED ALWAYS AS (CASE WHEN lapsed THEN greatest(closed_at, retry_at)
    WHEN closed_at IS NULL AND coalesce(remind_at, escalate_at, expires_at) IS NOT NULL
      THEN greatest(least(remind_at, escalate_at, expires_at), retry_at) END) STORED,
  PRIMARY KEY (org, id), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX questions_by_run ON waybill.questions (org, run_id);
CREATE INDEX questions_due ON waybill.questions (due_at) WHERE due_at IS NOT NULL;

-- run_id: of the question, also in the mails, so that backups know whose they are. about: the hash of what is agreed to: votes about something else do not count together.
CREATE TABLE waybill.votes (
  org text NOT NULL, question text COLLATE "C" NOT NULL, run_id text COLLATE "C" NOT NULL, user_id text NOT NULL, about text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org, question, user_id), FOREIGN KEY (org, question) REFERENCES waybill.questions ON DELETE CASCADE
);

-- slot: 'opened', 'reminded 1' and so on, 'escalated', 'expired'. state: 'dropped' if the question was closed first. body:
-- null when nothing will be sent any more.
CREATE TABLE waybill.mails (
  org text NOT NULL, question text COLLATE "C" NOT NULL, run_id text COLLATE "C" NOT NULL, slot text NOT NULL, recipient text NOT NULL, subject text NOT NULL, body text,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed', 'dropped')), attempts int NOT NULL DEFAULT 0,
  due_at timestamptz DEFAULT clock_timestamp(), attempted_at timestamptz, error text, created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org, question, slot, recipient), FOREIGN KEY (org, question) REFERENCES waybill.questions ON DELETE CASCADE
);
CREATE INDEX mails_due ON waybill.mails (due_at) WHERE state = 'pending';
CREATE INDEX mails_by_time ON waybill.mails (org, created_at);

CREATE FUNCTION waybill.note_questions() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO waybill.changed_questions (org, run_id) VALUES (NEW.org, NEW.run_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- Not only a changed number: one append may close a question and open another. Runs without questions do not call it.
CREATE TRIGGER note_questions AFTER UPDATE OF questions ON waybill.progress FOR EACH ROW
  WHEN ((NEW.questions > 0 OR OLD.questions > 0) AND NEW.seq <> OLD.seq) EXECUTE FUNCTION waybill.note_questions();

-- Questions that are open already.
INSERT INTO waybill.changed_questions (org, run_id) SELECT org, run_id FROM waybill.progress WHERE questions > 0 AND phase <> 'over';

-- A decision closes its question at once. Read with ->, which decodes nothing: a text may contain what PostgreSQL cannot.
CREATE FUNCTION waybill.note_decision() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_by text := (NEW.line::json -> 'by')::text;
BEGIN
  UPDATE waybill.questions SET closed_at = clock_timestamp(), outcome = trim('"' FROM (NEW.line::json -> 'verdict')::text),
    closed_by = v_by, retry_at = NULL, lapsed = coalesce(expires_at <= clock_timestamp() AND v_by = to_json('policy ' || policy)::text, false)
    WHERE org = NEW.org AND run_id = NEW.run_id AND key = NEW.key AND asked = NEW.asked AND closed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER note_decision AFTER INSERT ON waybill.decisions FOR EACH ROW EXECUTE FUNCTION waybill.note_decision();
`

/** What a vote is for, and votes that are complete: a worker decides if the process of the last vote has not. */
const VOTE_SCHEMA = `
-- The decision that the vote agrees to, as JSON and as it would be stored; null: a vote of an earlier version.
ALTER TABLE waybill.votes ADD COLUMN decision text;

-- voted_at: when a worker decides, because the votes are complete.
ALTER TABLE waybill.questions ADD COLUMN voted_at timestamptz;
ALTER TABLE waybill.questions DROP COLUMN due_at;
ALTER TABLE waybill.questions ADD COLUMN due_at timestamptz GENERATED ALWAYS AS (CASE WHEN lapsed THEN greatest(closed_at, retry_at)
    WHEN closed_at IS NULL AND coalesce(remind_at, escalate_at, expires_at, voted_at) IS NOT NULL
      THEN greatest(least(remind_at, escalate_at, expires_at, voted_at), retry_at) END) STORED;
CREATE INDEX questions_due ON waybill.questions (due_at) WHERE due_at IS NOT NULL;
`

export const INBOX_TABLES: Tables = {
  steps: [
    { n: 9, name: 'inbox', sql: INBOX_SCHEMA },
    { n: 12, name: 'votes', sql: VOTE_SCHEMA },
  ],
  tables: {
    approval_policies: { owner: 'settings', kept: 'set by people' },
    changed_questions: {},
    questions: {},
    votes: {},
    mails: {},
  },
  sweeps: [
    `DELETE FROM waybill.mails WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.mails WHERE state <> 'pending' AND created_at < clock_timestamp() - interval '30 days'
       LIMIT ${SWEPT_ROWS}))`,
  ],
}
