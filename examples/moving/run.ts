// An agent begins on a laptop, waits for an approval on one platform, and ends on another one. Both platforms are started
// here, each with its own database and its own keys. Needs openssl for the certificates; no key and no network.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasOpenssl, makeCertificates } from './certificates.ts'
import { startModelServer } from './model-server.ts'

if (!hasOpenssl) {
  process.stdout.write('skipped: this example needs openssl\n')
  process.exit(0)
}

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'waybill-moving-'))
// Started as root, the database runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711)
const model = await startModelServer()
const certificates = makeCertificates(folder)
const servers: ChildProcess[] = []

/** The agent, with the address of the model of this example. */
const agent = join(folder, 'clerk.yaml')
writeFileSync(
  agent,
  readFileSync(join(here, 'clerk.yaml'), 'utf8').replace('http://127.0.0.1:1/v1', model.url),
)

/** The home of a host, with a configuration that allows the model and the other hosts. */
function homeOf(name: string): string {
  const home = join(folder, name)
  mkdirSync(home)
  const config = {
    providers: { office: { base_urls: [model.url] } },
    allow_hosts: [new URL(model.url).host, 'localhost'],
    ca_files: [certificates.ca],
  }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config))
  return home
}

function environment(home: string, token?: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    WAYBILL_HOME: home,
    WAYBILL_KEY_OFFICE: 'not-used',
    NODE_EXTRA_CA_CERTS: certificates.ca,
    ...(token !== undefined && { WAYBILL_TOKEN: token }),
  }
}

/** Returns an argument as a word of a shell, so that a shown command can be pasted. */
const shown = (arg: string) => (/[^\w@%+=:,./-]/.test(arg) ? `'${arg.replaceAll("'", `'\\''`)}'` : arg)

/** Runs a command, shows it, and returns what it prints. */
async function waybill(
  home: string,
  args: readonly string[],
  { exit = 0, token }: { exit?: number; token?: string } = {},
) {
  const child = spawn('waybill', args, {
    cwd: here,
    env: environment(home, token),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  process.stdout.write(`$ waybill ${args.map(shown).join(' ').replaceAll(folder, '…')}\n`)
  assert.equal(code, exit, `${out}${err}`)
  return out
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Returns the public keys of a platform. */
async function published(url: string): Promise<string> {
  const [response] = (await once(
    get(`${url}/.well-known/jwks.json`, { ca: readFileSync(certificates.ca), agent: false }),
    'response',
  )) as [IncomingMessage]
  return text(response)
}

/** Starts a platform with a database of its own. */
async function platform(name: string) {
  const home = homeOf(name)
  const port = await freePort()
  const url = `https://localhost:${port}`
  const server = spawn(
    'waybill',
    [
      ...['up', '--port', String(port), '--data', join(home, 'data'), '--public-url', url, '--json'],
      ...['--cert', certificates.cert, '--key', certificates.key, '--tools', join(here, 'tools.mjs')],
    ],
    { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  servers.push(server)
  let said = ''
  server.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ready = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])
  assert.ok(ready[0] instanceof Buffer, said)
  const { token_file } = JSON.parse(String(ready[0])) as { token_file?: string }
  assert.ok(token_file !== undefined, String(ready[0]))
  return { name, home, url, token: readFileSync(token_file, 'utf8').trim() }
}

try {
  const laptop = homeOf('laptop')
  const [staging, production] = await Promise.all([platform('staging'), platform('production')])
  const asStaging = { token: staging.token }

  // Once: each host pins the keys of the others.
  const jwks = join(folder, 'laptop.jwks')
  writeFileSync(jwks, await waybill(laptop, ['keys', 'export', '--jwks']))
  await waybill(
    laptop,
    ['peers', 'add', 'ada-laptop', '--keys', jwks, '--same-users', '--server', staging.url],
    asStaging,
  )
  const keysOf = async ({ url, name }: typeof staging) => {
    const file = join(folder, `${name}.jwks`)
    writeFileSync(file, await published(url))
    return file
  }
  for (const one of [staging, production])
    await waybill(laptop, ['keys', 'trust', one.name, await keysOf(one), '--platform', one.url])
  const theirs = JSON.parse(
    await waybill(laptop, ['token', 'new', 'for-staging', '--server', production.url, '--json'], {
      token: production.token,
    }),
  ) as { token: string }
  const tokenFile = join(folder, 'production-token')
  writeFileSync(tokenFile, theirs.token, { mode: 0o600 })
  const pinning = ['--same-users', '--keys', await keysOf(production), '--token-file', tokenFile]
  await waybill(
    laptop,
    ['peers', 'add', 'production', '--url', production.url, ...pinning, '--server', staging.url],
    asStaging,
  )
  await waybill(
    laptop,
    [
      'peers',
      'add',
      'staging',
      '--url',
      staging.url,
      '--same-users',
      '--keys',
      await keysOf(staging),
      '--server',
      production.url,
    ],
    { token: production.token },
  )

  // The agent begins on the laptop, and stops because a person must approve the refund.
  const begun = JSON.parse(
    await waybill(laptop, ['run', agent, 'Parcel 1Z99A1 is lost.', '--tools', 'tools.mjs', '--json'], {
      exit: 4,
    }),
  ) as { run_id: string }
  const first = JSON.parse(
    await waybill(laptop, ['migrate', begun.run_id, '--to', staging.url, '--local', '--json'], asStaging),
  ) as { target_run_id: string }

  // It waits on the platform, and is not on the laptop any more.
  const listed = await waybill(laptop, ['approvals', 'list', '--server', staging.url, '--json'], asStaging)
  assert.equal(JSON.parse(listed).approvals[0].tool, 'refund')
  await waybill(laptop, ['resume', begun.run_id, '--local'], { exit: 1 })

  // It moves on, is approved there, and ends.
  const second = JSON.parse(
    await waybill(
      laptop,
      ['migrate', first.target_run_id, '--to', 'production', '--server', staging.url, '--json'],
      asStaging,
    ),
  ) as { target_run_id: string }
  const asProduction = { token: production.token }
  const ended = await waybill(
    laptop,
    ['approvals', 'approve', second.target_run_id, '--resume', '--server', production.url, '--json'],
    asProduction,
  )
  assert.deepEqual(
    [JSON.parse(ended).status, JSON.parse(ended).output],
    ['completed', 'We have paid you 40 EUR back.'],
  )

  // The receipts of all three hosts show that the refund was sent once.
  const receipts = join(folder, 'receipts.ndjson')
  writeFileSync(
    receipts,
    await waybill(
      laptop,
      ['receipts', 'export', second.target_run_id, '--server', production.url],
      asProduction,
    ),
  )
  const verdict = JSON.parse(await waybill(laptop, ['receipts', 'verify', receipts, '--json']))
  assert.equal(verdict.ok, true, JSON.stringify(verdict))
  process.stdout.write(
    'the agent began on the laptop, waited on staging, and ended on production; one refund was sent\n',
  )
} finally {
  for (const server of servers) server.kill('SIGTERM')
  await Promise.all(servers.map((server) => (server.exitCode === null ? once(server, 'exit') : undefined)))
  model.close()
  rmSync(folder, { recursive: true, force: true })
}
