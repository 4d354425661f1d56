import { WaybillError } from '../../document/issue.ts'
import type { PeerView } from '../../platform/moves/move.ts'
import type { HomeMoves } from '../../session/moves/home-moves.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import type { ServerClient } from '../remote/server-client.ts'

/**
 * Returns the name under which a platform has pinned this machine, by the key that it signs with.
 * @throws MOVE_REFUSED if it has not
 */
export async function ownPeer(server: ServerClient, moves: HomeMoves): Promise<string> {
  const keyId = keyIdOf(moves.signingKey())
  const { items } = (await server.send('GET', '/v1/peers')) as unknown as {
    readonly items: readonly PeerView[]
  }
  const own = items.find(({ url, keys }) => url === null && keys.includes(keyId))
  if (own !== undefined) return own.name
  throw new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `${server.url} has not pinned the key ${keyId} of this machine`,
    hint: '`waybill login URL` pins it; or an admin of the platform does: `waybill keys export --jwks > laptop.jwks` here, `waybill peers add NAME --keys laptop.jwks --user THEIRS=OURS` there',
  })
}
