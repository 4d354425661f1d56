import type { CommandEntry } from './command-entry.ts'

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'create a first agent definition',
    load: async () => (await import('./init/init-command.ts')).initCommand,
  },
  {
    name: 'validate',
    summary: 'validate documents: report each problem with its place and a fix',
    load: async () => (await import('./validate/validate-command.ts')).validateCommand,
  },
  {
    name: 'inspect',
    summary: 'show what a document contains, what it requires and what it may access',
    load: async () => (await import('./inspect/inspect-command.ts')).inspectCommand,
  },
  {
    name: 'rules',
    summary: 'list the validation rules',
    load: async () => (await import('./rules/rules-command.ts')).rulesCommand,
  },
  {
    name: 'negotiate',
    summary: 'check whether a platform meets the requirements of an agent',
    load: async () => (await import('./negotiate/negotiate-command.ts')).negotiateCommand,
  },
  {
    name: 'manifest',
    summary: 'print the manifest of this platform: the capabilities that it offers',
    load: async () => (await import('./manifest/manifest-command.ts')).manifestCommand,
  },
  {
    name: 'conformance',
    summary: 'test a corpus of documents, and print a conformance report',
    load: async () => (await import('./conformance/conformance-command.ts')).conformanceCommand,
  },
  {
    name: 'plan',
    summary: 'show what a run would do, without running it',
    load: async () => (await import('./plan/plan-command.ts')).planCommand,
  },
  {
    name: 'graph',
    summary: 'draw an agent: its models, tools, memory and sub-agents, and how they work together',
    load: async () => (await import('./graph/graph-command.ts')).graphCommand,
  },
  {
    name: 'diff',
    summary: 'compare two agent definitions: what changed, and whether it widens rights',
    load: async () => (await import('./diff/diff-command.ts')).diffCommand,
  },
  {
    name: 'run',
    summary: 'run an agent and record every step',
    load: async () => (await import('./run/run-command.ts')).runCommand,
  },
  {
    name: 'chat',
    summary: 'chat with an agent',
    load: async () => (await import('./chat/chat-command.ts')).chatCommand,
  },
  {
    name: 'watch',
    summary: 'run agents when their triggers fire: schedules and file changes',
    load: async () => (await import('./watch/watch-command.ts')).watchCommand,
  },
  {
    name: 'resume',
    summary: 'resume a run that waits, was paused or was interrupted',
    load: async () => (await import('./resume/resume-command.ts')).resumeCommand,
  },
  {
    name: 'pause',
    summary: 'pause an active run: calls in flight are finished, and nothing more is sent',
    load: async () => (await import('./pause/pause-command.ts')).pauseCommand,
  },
  {
    name: 'receipts',
    summary: 'export and verify the receipts of writes: each was sent at most once',
    load: async () => (await import('./receipts/receipts-command.ts')).receiptsCommand,
  },
  {
    name: 'state',
    summary: 'export, show, verify and compare the states of runs (Agent State)',
    load: async () => (await import('./state/state-command.ts')).stateCommand,
  },
  {
    name: 'up',
    summary: 'start the platform: database, server and worker in one process',
    load: async () => (await import('./up/up-command.ts')).upCommand,
  },
  {
    name: 'server',
    summary: 'serve the HTTP API of the platform, without driving runs',
    load: async () => (await import('./server/server-command.ts')).serverCommand,
  },
  {
    name: 'worker',
    summary: 'drive the runs of the platform',
    load: async () => (await import('./worker/worker-command.ts')).workerCommand,
  },
  {
    name: 'doctor',
    summary: 'check what the platform needs: database, port, keys, providers, clock and disk',
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'backup',
    summary: 'write all organisations of the platform to a folder, while it runs',
    load: async () => (await import('./backup/backup-command.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'restore a backup of the platform into an empty database',
    load: async () => (await import('./restore/restore-command.ts')).restoreCommand,
  },
  {
    name: 'token',
    summary: 'create, list and revoke tokens of the platform',
    load: async () => (await import('./token/token-command.ts')).tokenCommand,
  },
  {
    name: 'erase',
    summary: 'erase all data of a user from the platform',
    load: async () => (await import('./erase/erase-command.ts')).eraseCommand,
  },
  {
    name: 'secret',
    summary: 'set, list and remove the secrets of an organisation on the platform',
    load: async () => (await import('./secret/secret-command.ts')).secretCommand,
  },
  {
    name: 'policies',
    summary: 'list, set and remove the approval policies of an organisation',
    load: async () => (await import('./policies/policies-command.ts')).policiesCommand,
  },
  {
    name: 'peers',
    summary: 'list, pin and remove the platforms that runs are moved to and from',
    load: async () => (await import('./peers/peers-command.ts')).peersCommand,
  },
  {
    name: 'migrate',
    summary: 'move a running agent to another platform',
    load: async () => (await import('./migrate/migrate-command.ts')).migrateCommand,
  },
  {
    name: 'login',
    summary: 'keep the token of a server, which commands use from then on',
    load: async () => (await import('./login/login-command.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'forget the token of a server',
    load: async () => (await import('./logout/logout-command.ts')).logoutCommand,
  },
  {
    name: 'approvals',
    summary: 'list the tool calls that wait for a person, and approve or deny them',
    load: async () => (await import('./approvals/approvals-command.ts')).approvalsCommand,
  },
  {
    name: 'grants',
    summary: 'list, create and revoke standing grants',
    load: async () => (await import('./grants/grants-command.ts')).grantsCommand,
  },
  {
    name: 'runs',
    summary: 'list, show, watch, compare, export, import and remove recorded runs',
    load: async () => (await import('./runs/runs-command.ts')).runsCommand,
  },
  {
    name: 'memory',
    summary: 'list, show and delete the memory of agents',
    load: async () => (await import('./memory/memory-command.ts')).memoryCommand,
  },
  {
    name: 'tools',
    summary: 'list, pin and compare the tools of tool servers',
    load: async () => (await import('./tools/tools-command.ts')).toolsCommand,
  },
  {
    name: 'pii',
    summary: 'reveal the personal data that a run keeps encrypted',
    load: async () => (await import('./pii/pii-command.ts')).piiCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion/completion-command.ts')).completionCommand,
  },
  {
    name: 'condition',
    summary: 'evaluate a condition on a payload',
    load: async () => (await import('./condition/condition-command.ts')).conditionCommand,
  },
  {
    name: 'transcode',
    summary: 'convert a document to another encoding: JSON, YAML, CBOR, MessagePack',
    load: async () => (await import('./transcode/transcode-command.ts')).transcodeCommand,
  },
  {
    name: 'canonicalize',
    summary: 'print the canonical form (RFC 8785) that is hashed and signed',
    load: async () => (await import('./canonicalize/canonicalize-command.ts')).canonicalizeCommand,
  },
  {
    name: 'keys',
    summary: 'create signing keys, and manage the keys of others that you trust',
    load: async () => (await import('./keys/keys-command.ts')).keysCommand,
  },
  {
    name: 'sign',
    summary: 'sign a document, inside the document or in a separate file',
    load: async () => (await import('./sign/sign-command.ts')).signCommand,
  },
  {
    name: 'verify',
    summary: 'verify the signature of a document',
    load: async () => (await import('./verify/verify-command.ts')).verifyCommand,
  },
  {
    name: 'audit',
    summary: 'show, export and verify the audit log',
    load: async () => (await import('./audit/audit-command.ts')).auditCommand,
  },
]
