/** Runs that are streamed to another platform, and from one (AAIF §8.3). */
export const HANDOFF_SCHEMA = `
-- frozen_at: since when the run is frozen. captured_at: when its state was captured, and sending began. apart: the
-- conversation is not in the document, and is read from the record. socket: over a WebSocket.
ALTER TABLE waybill.moves ADD COLUMN frozen_at timestamptz, ADD COLUMN captured_at timestamptz, ADD COLUMN apart boolean NOT NULL DEFAULT false,
  ADD COLUMN socket boolean NOT NULL DEFAULT false;

-- The first events of a run that is arriving as a stream: moved to 'events' when all of it has arrived, else removed. Not
-- logged: a stream that a crash interrupts is not resumed. Not compressed again when they are moved.
CREATE UNLOGGED TABLE waybill.arriving_events (
  org text NOT NULL REFERENCES waybill.organisations, run_id text COLLATE "C" NOT NULL, seq int NOT NULL, line text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (org, run_id, seq)
);
CREATE INDEX arriving_events_by_time ON waybill.arriving_events (at);
`
