/**
 * Who has caused runs, tokens and firings. A policy with `starter_may_decide: false` excludes all of them, so the list is
 * stored when it is known, and handed on wherever a run leads to another run (`causers.ts`).
 */
export const CAUSERS_SCHEMA = `
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

-- makers: of the token of the vote, if it was made after the run had begun.
ALTER TABLE waybill.votes ADD COLUMN makers text[] NOT NULL DEFAULT '{}';
`
