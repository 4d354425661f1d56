import { connect, createServer, type Socket } from 'node:net'
import {
  type Database,
  type DatabaseUrls,
  openDatabase,
} from '../../../src/platform/database/open-database.ts'

/** A way to the database whose connections a test can cut. */
export interface CutConnections {
  readonly database: Database
  /** Loses the answer to the next statement that contains this text, and its connection, after it was executed. */
  loseAnswerTo(text: string): void
  /** Cuts all connections and refuses new ones. */
  refuse(): void
  /**
   * Present connections stay open, but nothing arrives any more.
   * @param also true: nor on new ones
   */
  hang(also?: boolean): void
  /** Number of packets that did not arrive. */
  readonly hung: number
  /** Accepts connections again. */
  accept(): void
  /** Number of connections that were cut. */
  readonly cuts: number
  /** Must precede the removal of the database. */
  close(): Promise<void>
}

const EXECUTED_MS = 30

export async function cutConnections(urls: DatabaseUrls): Promise<CutConnections> {
  const target = new URL(urls.engine)
  const pairs = new Set<readonly [Socket, Socket]>()
  let refusing = false
  let lost: string | undefined
  let cuts = 0
  let hung = 0
  let allHang = false
  const hanging = new WeakSet<Socket>()
  const cut = (pair: readonly [Socket, Socket]) => {
    cuts++
    for (const socket of pair) socket.destroy()
  }
  const server = createServer((client) => {
    client.on('error', () => {})
    if (refusing) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => client.destroy())
    const pair = [client, upstream] as const
    pairs.add(pair)
    let isLost = false
    if (allHang) hanging.add(client)
    client.on('data', (bytes) => {
      if (hanging.has(client)) {
        hung++
        return
      }
      if (lost !== undefined && bytes.includes(lost)) {
        lost = undefined
        isLost = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isLost) setTimeout(() => cut(pair), EXECUTED_MS)
      else client.write(bytes)
    })
    client.on('close', () => {
      upstream.destroy()
      pairs.delete(pair)
    })
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  const through = (url: string) => {
    const other = new URL(url)
    other.port = String(address.port)
    return other.href
  }
  const database = await openDatabase({ app: through(urls.app), engine: through(urls.engine) })
  return {
    database,
    loseAnswerTo: (text) => {
      lost = text
    },
    refuse: () => {
      refusing = true
      for (const pair of pairs) cut(pair)
    },
    hang: (also = false) => {
      allHang = also
      for (const [client] of pairs) hanging.add(client)
    },
    get hung() {
      return hung
    },
    accept: () => {
      refusing = false
    },
    get cuts() {
      return cuts
    },
    close: async () => {
      await database.close()
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}
