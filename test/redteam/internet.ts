import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import type { TestContext } from 'node:test'
import { Listener } from './world.ts'

/** An address of the public Internet. Here its servers are at 127.0.0.2, so that no packet leaves this machine. */
export const PUBLIC = '93.184.216.34'
const OUTSIDE = '127.0.0.2'
/** The attacker's name. */
export const NAME = 'rebind.example'

/** The addresses in the answers to the first, the second, … look-up; the last is repeated. */
export type Zone = readonly (readonly string[])[]

/** The same port at two addresses: at the public address, and on this machine. */
export interface Internet {
  readonly outside: Listener
  readonly inside: Listener
  /** `rebind.example:PORT` */
  readonly host: string
  /** Number of look-ups of the name. */
  readonly asked: () => number
  /** The addresses to which connections were attempted. */
  readonly connected: readonly string[]
}

/** A port that is free at the one address may be taken at the other. */
async function atOnePort(): Promise<Pick<Internet, 'outside' | 'inside'>> {
  for (let attempt = 0; ; attempt++) {
    const outside = await new Listener().start(OUTSIDE)
    const inside = new Listener(() => ({ body: 'the inside answers' }))
    try {
      return { outside, inside: await inside.start('127.0.0.1', outside.port) }
    } catch (error) {
      outside.stop()
      if (attempt === 20) throw error
    }
  }
}

/**
 * Opens a DNS server on loopback that the attacker controls, and lets this process resolve the name there.
 * @param zone what the server answers
 */
export async function openInternet(t: TestContext, zone: Zone): Promise<Internet> {
  const { outside, inside } = await atOnePort()
  const server = await nameServer(t, zone)
  const connected: string[] = []
  const restore = redirect(server.resolve, connected)
  t.after(() => {
    restore()
    outside.stop()
    inside.stop()
  })
  return { outside, inside, host: `${NAME}:${outside.port}`, asked: server.asked, connected }
}

async function nameServer(t: TestContext, zone: Zone) {
  let asked = 0
  let round: readonly string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1)
    const found = round.filter((one) => net.isIP(one) === (type === 28 ? 6 : 4))
    socket.send(answerTo(query, type, found), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.unref()
  const resolver = new dns.promises.Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  t.after(() => {
    resolver.cancel()
    socket.close()
  })
  const resolve = async (name: string): Promise<dns.LookupAddress[]> => {
    round = zone[Math.min(asked++, zone.length - 1)] ?? []
    const [four, six] = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ])
    return [
      ...four.map((address) => ({ address, family: 4 })),
      ...six.map((address) => ({ address, family: 6 })),
    ]
  }
  // One after the other: the two queries of a look-up get answers of the same round.
  let before: Promise<unknown> = Promise.resolve()
  return {
    asked: () => asked,
    resolve: (name: string) => {
      const found = before.then(() => resolve(name))
      before = found
      return found
    },
  }
}

/** A DNS answer (RFC 1035 §4.1): the question again, and one record with a TTL of 0 for each address. */
function answerTo(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, question, ...records])
}

/** IPv6 only in the form `PREFIX::REST`. */
function bytesOf(address: string): Buffer {
  if (net.isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [before = [], after = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))))
  const words = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 255]))
}

type Found = (error: Error | null, address: unknown, family?: number) => void

/**
 * Changes the modules of Node: the name is resolved by the given server, and a connection to the public address goes
 * to 127.0.0.2. All other names and addresses are unchanged.
 * @returns a function that undoes it
 */
function redirect(resolve: (name: string) => Promise<dns.LookupAddress[]>, connected: string[]): () => void {
  const { lookup, promises } = dns
  const lookupPromise = promises.lookup
  const { connect, createConnection } = net
  const moved = (address: string) => {
    connected.push(address)
    return address === PUBLIC ? OUTSIDE : address
  }
  Object.assign(dns, {
    lookup: (name: string, options: dns.LookupOptions, found: Found) => {
      if (name !== NAME) return Reflect.apply(lookup, dns, [name, options, found])
      resolve(name).then(
        (list) => {
          const [first] = list
          if (first === undefined) found(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
          else if (options.all === true) found(null, list)
          else found(null, first.address, first.family)
        },
        (error: Error) => found(error, []),
      )
    },
  })
  Object.assign(promises, {
    lookup: (name: string, options: dns.LookupOptions) =>
      name === NAME ? resolve(name) : Reflect.apply(lookupPromise, promises, [name, options]),
  })
  const connectMoved = (...args: unknown[]) => {
    const [options, ...rest] = args as [net.TcpNetConnectOpts, ...unknown[]]
    if (options.host === NAME) {
      const given = (options.lookup ?? dns.lookup) as (name: string, options: object, found: Found) => void
      const movedLookup = (name: string, wanted: object, found: Found) =>
        given(name, wanted, (error, address, family) => {
          if (error !== null) return found(error, address, family)
          const list = address as string | readonly dns.LookupAddress[]
          if (typeof list === 'string') found(null, moved(list), family)
          else
            found(
              null,
              list.map((one) => ({ ...one, address: moved(one.address) })),
            )
        })
      return Reflect.apply(connect, net, [{ ...options, lookup: movedLookup }, ...rest])
    }
    if (options.host === PUBLIC)
      return Reflect.apply(connect, net, [{ ...options, host: moved(PUBLIC) }, ...rest])
    return Reflect.apply(connect, net, args)
  }
  Object.assign(net, { connect: connectMoved, createConnection: connectMoved })
  syncBuiltinESMExports()
  return () => {
    Object.assign(dns, { lookup })
    Object.assign(promises, { lookup: lookupPromise })
    Object.assign(net, { connect, createConnection })
    syncBuiltinESMExports()
  }
}
