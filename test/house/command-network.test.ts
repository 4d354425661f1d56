import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { placesIn } from './connection-places.ts'

const root = join(import.meta.dirname, '../..')
const WAY = 'src/cli/network/command-fetch.ts'
/** What is no client: a program that a command starts, a port that is only listened on, and the check of a certificate. */
const NO_CLIENTS = (file: string, found: string) =>
  found === 'node:child_process' ||
  (file === 'src/cli/doctor/diagnose.ts' && found === 'node:net') ||
  (file === 'src/cli/platform/read-tls.ts' && found === 'node:tls')

/** What makes a client, or gives one that another file has made. */
const CLIENTS = /adapters\/net\/(guarded-fetch|guarded-connect|peer-requests|peer-sockets)\.ts/

/** Returns what a file makes a client of the network with. */
function clientsIn(text: string, file = ''): readonly string[] {
  const imported = CLIENTS.exec(text)
  return [
    ...placesIn(text).filter((found) => !NO_CLIENTS(file, found)),
    ...(imported === null ? [] : [imported[0]]),
  ]
}

test('the commands have one way to the network, so that each setting of it holds for all', () => {
  const files = globSync('src/cli/**/*.ts', { cwd: root })
  assert.ok(files.includes(WAY) && files.length > 200)
  const found = files.filter((file) => clientsIn(readFileSync(join(root, file), 'utf8'), file).length > 0)
  assert.deepEqual(found, [WAY], `use ${WAY}, which reads the network settings of the configuration`)
})

for (const [text, count] of [
  ["const answer = await fetch('https://a.example')", 1],
  ["const { Agent } = await import('undici')", 1],
  ["import { request } from 'node:https'", 1],
  ["import { createGuardedFetch } from '../../adapters/net/guarded-fetch.ts'", 1],
  ["import { createPeerRequests } from '../../adapters/net/peer-requests.ts'", 1],
  ["import { spawn } from 'node:child_process'", 0],
  ["import { commandFetch } from '../network/command-fetch.ts'", 0],
] as const)
  test(`it finds ${count} client in: ${text}`, () => assert.equal(clientsIn(text).length, count))
