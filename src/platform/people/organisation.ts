import { type SchemaOf, text } from '../../http/schema.ts'

/** An organisation or a team. */
export function slug(description: string): SchemaOf<string> {
  return text(description, { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })
}

/** The parameter of routes that admins of the first organisation may use for others. */
export const ORGANISATION = {
  organisation: slug('Another organisation; only for admins of the organisation `default`.'),
}
