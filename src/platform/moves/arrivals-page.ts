import { verifyArrivalsQuestion } from '../../trust/arrivals-question.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import type { ArrivalsPage, ArrivalsQuestion } from './move.ts'
import { keysOfPeer, peerRows, placesOfPeer } from './peer-rows.ts'
import { ownPlace } from './place.ts'

/** Arrivals in one answer: each has a token of about one kilobyte. */
const MOST = 100

export interface ArrivalsParts extends Pick<OrganisationParts, 'app' | 'org'> {
  readonly publicUrl: string | undefined
}

/**
 * Returns the runs that an organisation of another platform has moved here, each with the token that it has issued.
 * @throws PEER_INVALID if the question is not signed by a pinned platform; PUBLIC_URL_MISSING
 */
export async function arrivalsPage(
  { app, org, publicUrl }: ArrivalsParts,
  { question, after = '' }: ArrivalsQuestion,
): Promise<ArrivalsPage> {
  const peers = await inOrganisation(app, org, (sql) => peerRows(sql, org))
  const expected = { iat: Math.floor(Date.now() / 1000), aud: ownPlace(publicUrl, org) }
  const source = await verifyArrivalsQuestion(question, expected, (place) =>
    peers.filter((peer) => placesOfPeer(peer).includes(place)).flatMap(keysOfPeer),
  )
  const { rows } = await inOrganisation(app, org, (sql) =>
    sql.query<{ jti: string; run_id: string; token: string }>(
      `SELECT jti, run_id, token FROM waybill.arrivals
       WHERE org = $1 AND source = $2 AND jti > $3 AND state = 'owned' AND token IS NOT NULL AND run_id IS NOT NULL
       ORDER BY jti LIMIT ${MOST}`,
      [org, source, storedText(after)],
    ),
  )
  const items = rows.map(({ run_id, token }) => ({ run_id: originalText(run_id), migration_token: token }))
  const last = rows.length === MOST ? rows.at(-1) : undefined
  return { items, next: last === undefined ? null : originalText(last.jti) }
}
