import type { Command } from 'commander'
import { COMMANDS } from '../../src/cli/commands.ts'
import type { Io } from '../../src/cli/io.ts'

/** Arguments of commands that act on a server, without `--server`: each command of the program once. */
export const REMOTE_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  run: ['agent.json', 'hello'],
  plan: ['agent.json'],
  chat: ['agent.json'],
  resume: ['01'],
  pause: ['01'],
  'receipts export': ['01'],
  'receipts verify': ['01'],
  'state export': ['01'],
  'token new': ['ci'],
  'token list': [],
  'token revoke': ['01'],
  erase: ['ada', '--yes'],
  'secret set': ['CRM', '--host', 'crm.example'],
  'secret list': [],
  'secret remove': ['CRM'],
  'policies list': [],
  'policies set': ['mine', 'policy.json'],
  'policies remove': ['mine'],
  'agents list': [],
  'agents show': ['x'],
  'agents versions': ['x'],
  'agents upload': ['agent.json'],
  'agents activate': ['x'],
  'agents deprecate': ['x'],
  'agents label': ['x', 'production', '1.0.0'],
  'peers list': [],
  'peers invite': ['x', '--same-users'],
  'peers add': ['x', '--keys', 'keys.json', '--user', 'a=a'],
  'peers remove': ['x'],
  migrate: ['01', '--to', 'x'],
  'approvals list': [],
  'approvals show': ['01'],
  'approvals approve': ['01'],
  'approvals edit': ['01', '--arguments', '{}'],
  'approvals deny': ['01'],
  'approvals resend': ['01'],
  'approvals assume': ['01', '--result', '{}'],
  'approvals answer': ['01', '--content', '{}'],
  'grants list': [],
  'grants revoke': ['01'],
  'runs list': [],
  'runs show': ['01'],
  'runs events': ['01'],
  'runs watch': ['01'],
  'runs diff': ['01', '02'],
  'runs export': ['01'],
  'runs rm': ['01'],
  'memory list': [],
  'memory show': ['k'],
  'memory forget': ['k'],
  'audit verify': [],
  'audit show': [],
  'audit export': [],
}

/** Files that these arguments name. */
export const REMOTE_FILES: Readonly<Record<string, string>> = {
  'policy.json': '{"votes":1}',
  'keys.json': JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
  }),
}

/** Returns the paths of all commands of the program that take `--server`. */
export async function commandsWithServer(): Promise<readonly string[]> {
  const io = { env: {}, cwd: '/', out() {}, err() {} } as unknown as Io
  const paths: string[] = []
  const walk = (command: Command, path: readonly string[]) => {
    if (command.options.some(({ long }) => long === '--server')) paths.push(path.join(' '))
    for (const child of command.commands) walk(child, [...path, child.name()])
  }
  for (const entry of COMMANDS)
    walk(
      (await entry.load())(io, () => {}, COMMANDS),
      [entry.name],
    )
  return paths
}
