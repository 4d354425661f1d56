/** In whose name an agent has written an item of its memory; a run names both in its header. */
export const ACTING_SCHEMA = `
ALTER TABLE waybill.items ADD COLUMN run_id text, ADD COLUMN on_behalf_of text;
`
