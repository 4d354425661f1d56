/**
 * After a copy of the past was noticed, each pinned platform is asked which runs it owns. What it answers with are the
 * migration tokens themselves, so that it can only name runs that were sent to it.
 */
export const OWNER_SCHEMA = `
-- token: the migration token that was used up. source: who has issued it, as the URI of its place.
ALTER TABLE waybill.arrivals ADD COLUMN token text, ADD COLUMN source text;
CREATE INDEX arrivals_by_source ON waybill.arrivals (org, source, jti) WHERE token IS NOT NULL;

-- asked_generation: up to which generation of the installation it has been asked which runs it owns.
ALTER TABLE waybill.peers ADD COLUMN asked_generation int NOT NULL DEFAULT 1, ADD COLUMN ask_attempts int NOT NULL DEFAULT 0,
  ADD COLUMN ask_due_at timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE waybill.peers SET asked_generation = (SELECT generation FROM waybill.installation);
`
