/** Platforms that are not Waybill: what their tokens carry, and the names that their states say they come from. */
export const PROFILE_SCHEMA = `
-- profile: what a token of the platform must carry; see TOKEN_PROFILES. source_platforms: names that its states say, as a JSON list.
ALTER TABLE waybill.peers ADD COLUMN profile text NOT NULL DEFAULT 'full' CHECK (profile IN ('full', 'draft')),
  ADD COLUMN source_platforms text NOT NULL DEFAULT '[]';
`
