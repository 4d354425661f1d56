/**
 * Does what the README says, in an empty folder, as a new user: `npm run first-minutes`. Installs the package to publish,
 * then uses no network: it runs the README's agent with the README's commands, and creates an own agent that stops for
 * an approval. Prints how long that took, and fails after five minutes.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIMIT_MS = 5 * 60_000
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'waybill-first-minutes-'))
/** A new user has no settings, no keys, and not the Node of this repository. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|npm_|NODE_)|_API_KEY$/.test(name)),
  ),
  PATH: [
    join(folder, 'node_modules/.bin'),
    ...(process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules')),
  ].join(':'),
  WAYBILL_HOME: join(folder, 'home'),
}

/** Returns the agent and the commands of the README that concern it. */
function readme(): { readonly agent: string; readonly commands: readonly string[] } {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const agent = /```yaml\n(.*?)```/s.exec(text)?.[1]
  assert.ok(agent !== undefined, 'the README shows an agent')
  const block = /```sh elsewhere\n(.*?refunds\.yaml.*?)```/s.exec(text)?.[1] ?? ''
  const commands = block.split('\n').filter((line) => line.startsWith('waybill '))
  assert.ok(commands.length >= 2, 'the README runs its agent, and approves its call')
  return { agent, commands }
}

function shell(line: string, exit: number): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    input: '',
  })
  process.stdout.write(`$ ${line}\n${stdout}${stderr}\n`)
  assert.equal(status, exit, `${line} ended with ${status}, and ${exit} is expected`)
  return stdout
}

try {
  // Building the package is not a step of its user.
  const tarball = execFileSync('npm', ['run', '-s', 'pack:dist'], { cwd: root, encoding: 'utf8' }).trim()
  const start = performance.now()
  shell(`npm install --no-audit --no-fund --prefer-offline --loglevel=error '${tarball}'`, 0)
  const { agent, commands } = readme()
  writeFileSync(join(folder, 'refunds.yaml'), agent)
  for (const command of commands) shell(command, command.includes(' run ') ? 4 : 0)

  shell('waybill init --name "Gift clerk" --goal "Send a gift to a customer." --tool send_gift --approval', 0)
  for (const file of ['agent.yaml', 'tools.mjs']) assert.ok(existsSync(join(folder, file)), file)
  // Beside no package, the schema for editors is a file of its own.
  shell('mkdir elsewhere && waybill init --name A --goal B --output elsewhere/agent.yaml', 0)
  assert.ok(existsSync(join(folder, 'elsewhere/.agent.schema.json')), 'the schema for editors')
  shell('waybill validate agent.yaml', 0)
  shell('waybill run agent.yaml --tools tools.mjs --rehearse --ask "A gift for Ada, please."', 4)
  const shown = JSON.parse(shell('waybill approvals approve last --resume --json', 0))
  assert.deepEqual([shown.status, shown.rehearsal, shown.usage.tool_calls], ['completed', true, 1])

  const took = performance.now() - start
  process.stdout.write(
    `an own agent stopped for an approval, and continued, after ${Math.round(took / 1000)} s\n`,
  )
  assert.ok(took < LIMIT_MS, 'this took more than five minutes')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
