import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { McpServers } from '../../../src/plan/operator-settings.ts'

export type Revision = '2026' | '2025'
export type Transport = 'stdio' | 'http'

/** A server of the official libraries that asks a person before it acts, and the lines that its tools have written. */
export interface AskingPeer {
  readonly servers: McpServers
  readonly log: () => readonly string[]
}

export async function askingPeer(
  t: TestContext,
  revision: Revision,
  transport: Transport,
): Promise<AskingPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-asking-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'log')
  const args = [join(import.meta.dirname, 'asking-server.mjs'), revision, transport, file]
  const log = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  if (transport === 'stdio') return { servers: { asking: { command: process.execPath, args } }, log }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { servers: { asking: { url: `http://127.0.0.1:${port.toString().trim()}/mcp` } }, log }
}
