/** What a vote is for, and votes that are complete: a worker decides if the process of the last vote has not. */
export const VOTE_SCHEMA = `
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
