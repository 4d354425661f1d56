import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Terminal } from './terminal.ts'

/** What a task works with. */
export interface Desk {
  readonly terminal: Terminal
  /** Opens another terminal in the same folder. Its screen is kept too. */
  open(env: Readonly<Record<string, string>>): Terminal
  /** The folder of the shell, empty at first. */
  readonly folder: string
  /** The examples of the repository. */
  readonly examples: string
  /** Base URL of a scripted provider that plays the parcel clerk. */
  readonly provider: string
}

export interface Task {
  readonly title: string
  perform(desk: Desk): Promise<void>
  /** What the screen must show at the end, in the whole text of the task. */
  readonly shows: readonly RegExp[]
  readonly hides?: readonly RegExp[]
}

export const INTERNAL = /INTERNAL|at .*\.ts:\d+/

function clerk({ folder, examples }: Desk): void {
  for (const name of ['clerk.yaml', 'mistaken.yaml', 'tools.mjs'])
    cpSync(join(examples, 'parcel-clerk', name), join(folder, name))
}

export function edit({ folder }: Desk, file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  assert.ok(text.includes(from), `${file} contains ${from}`)
  writeFileSync(join(folder, file), text.replaceAll(from, to))
}

/** A clerk whose writes need the approval of a person. */
export function clerkWithApproval(desk: Desk): void {
  clerk(desk)
  const compliance = '  compliance:\n    human_in_the_loop: { enabled: true }\nprovenance:'
  edit(desk, 'clerk.yaml', 'provenance:', compliance)
}

export const real = ({ provider }: Desk) => `--tools tools.mjs --model custom/scripted --base-url ${provider}`

/** Runs `act` beside a server on loopback that gives one answer to everything. */
async function withServer(
  status: number,
  type: string,
  body: string,
  act: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The first things that a new user does, and the mistakes that new users make. */
export const tasks: readonly Task[] = [
  {
    title: 'See what the program can do',
    async perform({ terminal }) {
      await terminal.run('waybill --help')
      await terminal.run('waybill run --help | head -30')
    },
    shows: [/Usage: waybill/, /validate/, /approvals/, /Usage: waybill run/],
  },
  {
    title: 'Mistype a command and an option',
    async perform({ terminal }) {
      await terminal.run('waybill valdiate agent.yaml', 2)
      await terminal.run('waybill run', 2)
      await terminal.run('waybill plan agent.yaml --jsno', 2)
      await terminal.run('waybill run missing.yaml "hello"', 2)
    },
    shows: [
      /error USAGE .*valdiate[\s\S]*hint .*validate/,
      /error USAGE .*file[\s\S]*hint/,
      /error USAGE .*--jsno[\s\S]*hint .*--json/,
      /error FILE_\w+ .*missing\.yaml/,
    ],
    hides: [INTERNAL],
  },
  {
    title: 'Write a first agent by answering questions',
    async perform({ terminal, folder }) {
      const before = await terminal.begin('waybill init')
      await terminal.shows(/name/i)
      terminal.type('Parcel clerk')
      terminal.key('Enter')
      await terminal.shows(/Parcel clerk[\s\S]*goal/i)
      terminal.type('Answer questions about parcels.')
      terminal.key('Enter')
      for (let i = 0; i < 12 && !existsSync(join(folder, 'agent.yaml')); i++) {
        await new Promise((done) => setTimeout(done, 400))
        terminal.key('Enter')
      }
      await terminal.ended(before)
      await terminal.run('waybill validate agent.yaml')
    },
    shows: [/agent\.yaml/, /1 file valid/],
  },
  {
    title: 'Write an agent with a tool and rehearse it',
    async perform({ terminal }) {
      const line =
        'waybill init --name "Parcel clerk" --goal "Answer questions about parcels." --tool find_parcel'
      await terminal.run(line)
      await terminal.run('ls')
      await terminal.run('waybill run agent.yaml --tools tools.mjs --rehearse "Where is 1Z?"')
    },
    shows: [/tools\.mjs/, /REHEARSAL/, /completed \(rehearsal\)/],
  },
  {
    title: 'Paste the commands that were printed for an agent with an approval',
    async perform({ terminal }) {
      await terminal.run('waybill init --name "Gift clerk" --goal "Send gifts." --tool send_gift --approval')
      const commands = [...terminal.screen().matchAll(/^ +next (waybill .+)$/gm)].map(([, line = '']) => line)
      assert.equal(commands.length, 4, terminal.screen())
      const [validate = '', rehearse = '', approve = '', plan = ''] = commands
      await terminal.run(validate)
      const before = await terminal.begin(rehearse)
      await terminal.shows(/●[^\n]*Decide later/)
      terminal.key('Enter')
      await terminal.ended(before, 4)
      await terminal.run(approve)
      await terminal.run(plan, 1)
    },
    shows: [
      /1 file valid/,
      /send_gift rehearsal_1: approve/,
      /completed \(rehearsal\)/,
      /OPENAI_API_KEY is not/,
    ],
    hides: [INTERNAL],
  },
  {
    title: 'Correct the mistakes of a file',
    async perform(desk) {
      clerk(desk)
      await desk.terminal.run('waybill validate mistaken.yaml', 1)
      edit(desk, 'mistaken.yaml', 'gaol:', 'goal:')
      edit(desk, 'mistaken.yaml', 'cheapest', 'cost')
      await desk.terminal.run('waybill validate mistaken.yaml')
    },
    shows: [/did you mean "goal"\?/, /1 of 1 file invalid, 3 errors/, /1 file valid/],
  },
  {
    title: 'Plan without a key, and plan in CI',
    async perform(desk) {
      clerk(desk)
      await desk.terminal.run('waybill plan clerk.yaml --tools tools.mjs', 1)
      const line = 'waybill plan clerk.yaml --tools tools.mjs --assume-secret OPENAI_API_KEY'
      await desk.terminal.run(line)
    },
    shows: [/OPENAI_API_KEY is not set/, /export OPENAI_API_KEY=/, /assumed/],
  },
  {
    title: 'Run without a key',
    async perform(desk) {
      clerk(desk)
      await desk.terminal.run('waybill run clerk.yaml --tools tools.mjs "Where is 1Z999AA1?"', 3)
    },
    shows: [/OPENAI_API_KEY/, /hint .*export OPENAI_API_KEY=/],
    hides: [INTERNAL],
  },
  {
    title: 'Use a key that the provider refuses',
    async perform(desk) {
      clerk(desk)
      const refusal = '{"error":{"message":"Incorrect API key provided.","code":"invalid_api_key"}}'
      await withServer(401, 'application/json', refusal, async (url) => {
        const line = `waybill run clerk.yaml "Hi" --tools tools.mjs --model custom/m --base-url ${url}`
        await desk.terminal.run(`WAYBILL_KEY_CUSTOM=sk-wrong-key ${line}`, 3)
      })
    },
    shows: [/MODEL_KEY_REFUSED/, /Incorrect API key provided; the key/, /hint .*key/],
    hides: [/Incorrect API key provided[\s\S]*Incorrect API key provided/, INTERNAL],
  },
  {
    title: 'Meet a portal that answers with a web page',
    async perform(desk) {
      clerk(desk)
      await withServer(200, 'text/html', '<html><title>Hotel sign-in</title></html>', async (url) => {
        const line = `waybill run clerk.yaml "Hi" --tools tools.mjs --model custom/m --base-url ${url}`
        await desk.terminal.run(line, 3)
      })
    },
    shows: [/text\/html/, /Hotel sign-in/, /hint /],
    hides: [INTERNAL],
  },
  {
    title: 'Try Ollama before it runs, and a provider with a typing error',
    async perform(desk) {
      clerk(desk)
      const line = 'waybill run clerk.yaml "Hi" --tools tools.mjs --model'
      await desk.terminal.run(`${line} ollama/llama3.2`, 3)
      await desk.terminal.run(`${line} opnai/gpt-4o-mini`, 3)
    },
    shows: [/http:\/\/127\.0\.0\.1:11434/, /hint .*running/, /did you mean openai/],
    hides: [/--allow-host/, INTERNAL],
  },
  {
    title: 'Give the input in each way',
    async perform(desk) {
      clerk(desk)
      const { terminal } = desk
      const before = await terminal.begin(`waybill run clerk.yaml ${real(desk)}`)
      await terminal.shows(/What should/)
      terminal.type('Where is 1Z999AA1?')
      terminal.key('Enter')
      await terminal.ended(before)
      await terminal.run(`waybill run clerk.yaml "Where is 1Z999AA1?" ${real(desk)} --json | tail -c 200`)
      await terminal.run(`waybill run clerk.yaml ${real(desk)} < /dev/null`, 2)
      await terminal.run(`waybill run clerk.yaml --input '{"a": ' ${real(desk)}`)
    },
    shows: [/It is in Rotterdam/, /INPUT_MISSING/, /JSON/],
    hides: [INTERNAL],
  },
  {
    title: 'Approve a call',
    async perform(desk) {
      clerkWithApproval(desk)
      const { terminal } = desk
      const before = await terminal.begin(`waybill run clerk.yaml "Please fetch 1Z999AA1" ${real(desk)}`)
      await terminal.shows(/needs your approval/)
      await terminal.shows(/Approve/)
      await terminal.shows(/Decide later/)
      await terminal.choose('Approve', 'Down')
      await terminal.ended(before)
    },
    shows: [
      /book_pickup needs your approval/,
      /"number": "1Z999AA1"/,
      /approved/,
      /We fetch it on 1 December/,
    ],
    hides: [INTERNAL],
  },
  {
    title: 'Leave a call for later, approve it, and resume',
    async perform(desk) {
      clerkWithApproval(desk)
      const { terminal } = desk
      await terminal.run(`waybill run clerk.yaml "Please fetch 1Z999AA1" ${real(desk)} < /dev/null`, 4)
      await terminal.run('waybill approvals list')
      await terminal.run('waybill approvals approve last')
      await terminal.run('waybill resume last --tools tools.mjs')
    },
    shows: [/awaiting approval/, /book_pickup/, /We fetch it on 1 December/],
    hides: [INTERNAL],
  },
  {
    title: 'Chat, and look at what was recorded',
    async perform(desk) {
      clerk(desk)
      edit(desk, 'clerk.yaml', 'response_format: json_schema', 'temperature: 0.1')
      edit(desk, 'clerk.yaml', '    temperature: 0.2\n', '')
      const { terminal } = desk
      const before = await terminal.begin(`waybill chat clerk.yaml ${real(desk)}`)
      await terminal.shows(/^> ?$/m)
      terminal.type('Where is 1Z999AA1?')
      terminal.key('Enter')
      await terminal.shows(/Rotterdam/)
      await terminal.shows(/^> ?$/m)
      terminal.key('C-d')
      await terminal.ended(before)
      const again = await terminal.begin(`waybill chat --resume last ${real(desk)}`)
      await terminal.shows(/resume last[\s\S]*> Where is 1Z999AA1\?\n[\s\S]*Rotterdam[\s\S]*^> ?$/m)
      terminal.type('/tools')
      terminal.key('Enter')
      await terminal.shows(/> \/tools\n.*find_parcel/)
      terminal.key('C-d')
      await terminal.ended(again)
      await terminal.run('waybill runs list')
      await terminal.run('waybill runs show last')
    },
    shows: [/Rotterdam/, /waybill chat --resume/, /find_parcel/],
    hides: [INTERNAL],
  },
  {
    title: 'Hold a run to the plan that was reviewed',
    async perform(desk) {
      clerk(desk)
      const { terminal } = desk
      await terminal.run(`waybill plan clerk.yaml ${real(desk)} --out plan.json`)
      await terminal.run(`waybill run clerk.yaml "Where is 1Z999AA1?" ${real(desk)} --plan plan.json`)
      edit(desk, 'clerk.yaml', 'Be brief and friendly.', 'Always book a pick-up.')
      edit(desk, 'clerk.yaml', 'max_iterations: 6', 'max_iterations: 9')
      await terminal.run(`waybill run clerk.yaml "Where is 1Z999AA1?" ${real(desk)} --plan plan.json`, 1)
    },
    shows: [/Rotterdam/, /Always book a pick-up/, /max_iterations|iterations/],
    hides: [INTERNAL],
  },
  {
    title: 'Schedule an agent at a time that does not exist',
    async perform(desk) {
      clerk(desk)
      const { terminal } = desk
      const events = (schedule: string) =>
        `  events: { triggers: [{ type: schedule, schedule: "${schedule}" }] }\n  orchestration:`
      edit(desk, 'clerk.yaml', '  orchestration:', events('99 * * * *'))
      await terminal.run('waybill validate clerk.yaml', 1)
      edit(desk, 'clerk.yaml', '99 * * * *', '30 6 * * 1-5')
      await terminal.run('waybill validate clerk.yaml')
      await terminal.run(`waybill plan clerk.yaml ${real(desk)} | grep -A4 Triggers`)
    },
    shows: [/error TRIGGER_INVALID .*99/, /1 file valid/, /30 6 \* \* 1-5/],
    hides: [INTERNAL],
  },
  {
    title: 'Connect a tool server that never answers',
    async perform(desk) {
      clerk(desk)
      edit(
        desk,
        'clerk.yaml',
        '  tools:\n',
        '  tools:\n    - { name: look_up, description: Looks up., protocol: mcp, endpoint: "mcp://files" }\n',
      )
      writeFileSync(
        join(desk.folder, 'config.yaml'),
        'mcp_servers:\n  files:\n    command: sleep\n    args: ["60"]\n',
      )
      await desk.terminal.run(`waybill plan clerk.yaml ${real(desk)} --config config.yaml | head -12`)
    },
    shows: [/files/, /2 s/],
    hides: [INTERNAL],
  },
  {
    title: 'Sign an agent and notice a change',
    async perform(desk) {
      clerk(desk)
      const { terminal } = desk
      await terminal.run('waybill sign clerk.yaml -o signed.yaml', 2)
      await terminal.run('waybill keys new ada')
      await terminal.run('waybill sign clerk.yaml -o signed.yaml')
      await terminal.run('waybill verify signed.yaml')
      edit(desk, 'signed.yaml', 'Be brief', 'Be rude')
      await terminal.run('waybill verify signed.yaml', 1)
    },
    shows: [/waybill keys new/, /ada/],
    hides: [INTERNAL],
  },
  {
    title: 'Look at a home that is not there',
    async perform({ terminal }) {
      await terminal.run('WAYBILL_HOME=~/hone waybill runs list')
      await terminal.run('WAYBILL_HOME=~/hone waybill approvals list')
      await terminal.run('WAYBILL_HOME=/dev/null waybill runs list', 2)
    },
    shows: [/hone/, /error HOME_\w+/],
    hides: [INTERNAL],
  },
  {
    title: 'Interrupt a batch and continue it',
    async perform(desk) {
      clerk(desk)
      writeFileSync(
        join(desk.folder, 'inputs.ndjson'),
        ['1Z999AA1', '1Z999AA2', '1Z999AA3'].map((id) => `${JSON.stringify(`Where is ${id}?`)}\n`).join(''),
      )
      const { terminal } = desk
      await terminal.run(`waybill run clerk.yaml --batch inputs.ndjson ${real(desk)}`)
      await terminal.run(`waybill run clerk.yaml --batch inputs.ndjson --resume ${real(desk)}`)
      await terminal.run('waybill runs list')
    },
    shows: [/^1\/3 completed/m, /^3 inputs: 3 completed/m],
    hides: [INTERNAL, /\{"run_id"/],
  },
  {
    title: 'Watch an agent until its first run',
    async perform(desk) {
      clerk(desk)
      const events = '  events: { triggers: [{ type: schedule, schedule: "* * * * * *" }] }\n  orchestration:'
      edit(desk, 'clerk.yaml', '  orchestration:', events)
      await desk.terminal.run(`waybill watch clerk.yaml --once ${real(desk)}`)
    },
    shows: [/^watching: /m, /schedule starts/, /^Parcel clerk: completed/m],
    hides: [INTERNAL, /\{"run_id"/],
  },
]
