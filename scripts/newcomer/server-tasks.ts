import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { hasOpenssl, makeCertificates } from '../../examples/moving/certificates.ts'
import { clerkWithApproval, type Desk, edit, INTERNAL, real, type Task } from './tasks.ts'
import type { Terminal } from './terminal.ts'

/** Maximum milliseconds until a platform is ready or has stopped, on a machine that does other work too. */
const START_MS = 180_000
const READY = /^ready: /m

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Platform {
  readonly url: string
  readonly terminal: Terminal
  /** Interrupts the platform and waits for its end. */
  stop(): Promise<void>
}

/** Returns a configuration that permits the provider of the desk. */
function configuration({ provider }: Desk, more = {}): string {
  const providers = { office: { base_urls: [provider] } }
  return JSON.stringify({ providers, allow_hosts: [new URL(provider).host], ...more })
}

/** Starts a platform in a second terminal, with a certificate that only the authority in `ca.pem` vouches for. */
async function privatePlatform(desk: Desk): Promise<Platform> {
  assert.ok(hasOpenssl, 'this task needs openssl')
  makeCertificates(desk.folder)
  const home = join(desk.folder, 'platform-home')
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), configuration(desk))
  const url = `https://localhost:${await freePort()}`
  const terminal = desk.open({ WAYBILL_HOME: home, WAYBILL_KEY_OFFICE: 'not-used' })
  const files = '--cert cert.pem --key key.pem --data data --tools tools.mjs'
  const before = await terminal.begin(`waybill up --port ${new URL(url).port} --public-url ${url} ${files}`)
  await terminal.shows(READY, START_MS)
  return {
    url,
    terminal,
    stop: async () => {
      terminal.key('C-c')
      await terminal.ended(before, 0, START_MS)
    },
  }
}

/** Text that a person types or pastes for something else, while a question appears. */
const TYPED = ['hello', 'yes', 'approve', 'jkl', 'I think that it is']

/** The lines of the picture in the README, each as words. */
function pictureLines(examples: string): string[] {
  const svg = readFileSync(join(examples, '../docs/images/first-minute.svg'), 'utf8')
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/gs)]
    .map(([, line = '']) => words(line.replaceAll(/<[^>]*>/g, ' ').replaceAll('&quot;', '"')))
    .filter((line) => line !== '')
}

/** Returns a text without ids, times, users and spaces, which differ from run to run. */
function words(text: string): string {
  return text
    .replaceAll(/\b(run|show|approve|resume) [0-9a-f]{6,12}\b/g, '$1 ID')
    .replaceAll(/\b\d+(?:\.\d+)? ms\b/g, 'MS')
    .replaceAll(/\bby \w+/g, 'by USER')
    .replaceAll(/\s+/g, '')
}

/** The first commands of the README, as they are written there. */
function readmeCommands(examples: string): string[] {
  const readme = readFileSync(join(examples, '../README.md'), 'utf8')
  const block = /```sh\n(waybill run refunds\.yaml[^`]*)```/.exec(readme)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''))
}

/** What a new user does in the first hour with prompts that appear while typing, with servers and with moves. */
export const serverTasks: readonly Task[] = [
  {
    title: 'Type something else while an approval is asked for',
    async perform(desk) {
      clerkWithApproval(desk)
      const { terminal } = desk
      for (const text of TYPED) {
        const before = await terminal.begin(`waybill run clerk.yaml "Please fetch 1Z999AA1" ${real(desk)}`)
        await terminal.shows(/● Decide later/)
        terminal.type(text)
        terminal.key('Enter')
        await terminal.ended(before, 4)
      }
      await terminal.run('waybill approvals list')
      const waiting = await terminal.begin(`waybill run clerk.yaml "Please fetch 1Z999AA1" ${real(desk)}`)
      await terminal.shows(/● Decide later/)
      terminal.paste('approve all similar calls\napprove\n\n')
      // An Enter of a pasted text chooses no entry; one of the person does.
      await setTimeout(1_000)
      await terminal.shows(/● Decide later[^\0]*└\s*$/)
      terminal.key('Enter')
      await terminal.ended(waiting, 4)
    },
    shows: [/awaiting approval/, /book_pickup/],
    hides: [/approved by/, /We fetch it/, INTERNAL],
  },
  {
    title: 'Type the first commands of the README',
    async perform({ terminal, folder, examples }) {
      cpSync(join(examples, 'refunds/refunds.yaml'), join(folder, 'refunds.yaml'))
      const [ask = '', approve = '', ...more] = readmeCommands(examples)
      assert.ok(ask.includes('--ask') && approve.includes('--resume') && more.length === 0, ask)
      const before = await terminal.begin(ask)
      await terminal.shows(/● Decide later/)
      const question = terminal.screen()
      terminal.key('Enter')
      await terminal.ended(before, 4)
      // The picture gives a reason too, and shows it.
      await terminal.run(`${approve} --why "the parcel is lost"`)
      const seen = words(`${question}\n${terminal.screen()}`)
      for (const line of pictureLines(examples)) {
        assert.ok(
          seen.includes(line.replace(/^\$/, '')),
          `the terminal does not show "${line}" of the picture`,
        )
      }
    },
    shows: [/awaiting approval \(rehearsal\)/, /completed \(rehearsal\)/],
    hides: [INTERNAL],
  },
  {
    title: 'Start the platform and read what it prints',
    async perform({ terminal }) {
      const before = await terminal.begin('waybill up --port 0 --data data')
      await terminal.shows(READY, START_MS)
      terminal.key('C-c')
      await terminal.ended(before, 0, START_MS)
    },
    shows: [/^ready: http:\/\/127\.0\.0\.1:\d+$/m, /^ +token .*admin-token$/m, /^ +next +curl /m],
    hides: [/DATABASE_NOT_EMBEDDED/, INTERNAL],
  },
  {
    title: 'Swap the certificate and its key',
    async perform({ terminal, folder }) {
      assert.ok(hasOpenssl, 'this task needs openssl')
      makeCertificates(folder)
      const line = 'waybill up --port 0 --public-url https://localhost:1 --data data'
      await terminal.run(`${line} --cert key.pem --key cert.pem`, 2)
      assert.ok(!existsSync(join(folder, 'data')), 'the database was started')
      await terminal.run(`${line} --cert cert.pem --key ca.key`, 2)
      assert.ok(!existsSync(join(folder, 'data')), 'the database was started')
    },
    shows: [/error CERTIFICATE_UNUSABLE [^\0]*hint [^\0]*error CERTIFICATE_UNUSABLE [^\0]*hint /],
    hides: [INTERNAL, /bug in Waybill/],
  },
  {
    title: 'Log in to a server of a private authority and move a run there and back',
    async perform(desk) {
      clerkWithApproval(desk)
      edit(
        desk,
        'clerk.yaml',
        '    provider: openai\n    preferred: gpt-4o-mini\n    fallbacks:\n      - { provider: anthropic, model: claude-haiku-4-5 }\n',
        `    provider: custom\n    provider_id: office\n    preferred: scripted\n    base_url: ${desk.provider}\n`,
      )
      const { terminal } = desk
      const { url, stop } = await privatePlatform(desk)
      try {
        const login = `waybill login ${url} < data/admin-token`
        await terminal.run(login, 3)
        await terminal.shows(/ENDPOINT_CERTIFICATE_REFUSED[\s\S]*hint .*ca_files/)
        mkdirSync(join(desk.folder, '.waybill'), { recursive: true })
        const file = join(desk.folder, '.waybill/config.yaml')
        writeFileSync(file, configuration(desk, { ca_files: [join(desk.folder, 'ca.pem')] }))
        await terminal.run(login)
        const run = 'waybill run clerk.yaml "Please fetch 1Z999AA1" --tools tools.mjs --local < /dev/null'
        const key = 'WAYBILL_KEY_OFFICE=not-used'
        await terminal.run(`${key} ${run}`, 4)
        await terminal.run(`waybill migrate last --to ${url} --local`)
        await terminal.run('waybill approvals list')
        // It comes back with its question, and is approved and resumed here.
        await terminal.run(`${key} waybill migrate last --from ${url} --tools tools.mjs`)
        await terminal.run('waybill approvals approve last --local')
        await terminal.run(`${key} waybill resume last --local --tools tools.mjs`)
        // The next one is approved there, which continues it there.
        await terminal.run(`${key} ${run}`, 4)
        await terminal.run(`waybill migrate last --to ${url} --local`)
        await terminal.run('waybill approvals approve last --resume')
      } finally {
        await stop()
      }
    },
    shows: [
      /logged in/i,
      /on https:\/\/localhost:\d+ as admin\nRUN .*\n.*book_pickup/,
      /(We fetch it on 1 December[^\0]*){2}/,
    ],
    hides: [INTERNAL, /use-system-ca/],
  },
]
