/** Values of personal data that move with runs, where an admin allows it for the other platform. */
export const MOVED_VALUES_SCHEMA = `
-- peers.personal_data: an admin allows that values of personal data are sent there. moves.personal_data: they are sent with
-- this run; moves.values_sent: how many.
ALTER TABLE waybill.peers ADD COLUMN personal_data boolean NOT NULL DEFAULT false;
ALTER TABLE waybill.moves ADD COLUMN personal_data boolean NOT NULL DEFAULT false, ADD COLUMN values_sent int NOT NULL DEFAULT 0;
`
