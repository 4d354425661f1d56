import type { CommandEntry } from './command-entry.ts'

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'write a first definition',
    load: async () => (await import('./init/init-command.ts')).initCommand,
  },
  {
    name: 'validate',
    summary: 'check files and say what is wrong, where, and what to do',
    load: async () => (await import('./validate/validate-command.ts')).validateCommand,
  },
  {
    name: 'inspect',
    summary: 'show what a document is, what it needs, and what it can be trusted with',
    load: async () => (await import('./inspect/inspect-command.ts')).inspectCommand,
  },
  {
    name: 'rules',
    summary: 'show the rules by which documents are judged',
    load: async () => (await import('./rules/rules-command.ts')).rulesCommand,
  },
  {
    name: 'negotiate',
    summary: 'tell whether a platform can do what an agent requires',
    load: async () => (await import('./negotiate/negotiate-command.ts')).negotiateCommand,
  },
  {
    name: 'manifest',
    summary: 'print what this platform can do, for others to negotiate with',
    load: async () => (await import('./manifest/manifest-command.ts')).manifestCommand,
  },
  {
    name: 'conformance',
    summary: 'judge a corpus of documents, and report on our own',
    load: async () => (await import('./conformance/conformance-command.ts')).conformanceCommand,
  },
  {
    name: 'plan',
    summary: 'show what a run would do, before it does it',
    load: async () => (await import('./plan/plan-command.ts')).planCommand,
  },
  {
    name: 'run',
    summary: 'run an agent, and record what happens',
    load: async () => (await import('./run/run-command.ts')).runCommand,
  },
  {
    name: 'chat',
    summary: 'talk to an agent',
    load: async () => (await import('./chat/chat-command.ts')).chatCommand,
  },
  {
    name: 'watch',
    summary: 'run agents when their triggers fire: at times, and when files change',
    load: async () => (await import('./watch/watch-command.ts')).watchCommand,
  },
  {
    name: 'resume',
    summary: 'go on with a run that waits, was paused, or was cut off',
    load: async () => (await import('./resume/resume-command.ts')).resumeCommand,
  },
  {
    name: 'approvals',
    summary: 'find and decide the calls that wait for a person',
    load: async () => (await import('./approvals/approvals-command.ts')).approvalsCommand,
  },
  {
    name: 'grants',
    summary: 'see, give and take back what is allowed beforehand',
    load: async () => (await import('./grants/grants-command.ts')).grantsCommand,
  },
  {
    name: 'runs',
    summary: 'look at the runs on record',
    load: async () => (await import('./runs/runs-command.ts')).runsCommand,
  },
  {
    name: 'memory',
    summary: 'look at what agents remember, and make them forget it',
    load: async () => (await import('./memory/memory-command.ts')).memoryCommand,
  },
  {
    name: 'tools',
    summary: 'what tool servers offer, and whether it is as it was pinned',
    load: async () => (await import('./tools/tools-command.ts')).toolsCommand,
  },
  {
    name: 'pii',
    summary: 'see the personal data that a run keeps sealed',
    load: async () => (await import('./pii/pii-command.ts')).piiCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion/completion-command.ts')).completionCommand,
  },
  {
    name: 'condition',
    summary: 'decide a condition over a payload',
    load: async () => (await import('./condition/condition-command.ts')).conditionCommand,
  },
  {
    name: 'transcode',
    summary: 'write a document in another encoding: JSON, YAML, CBOR, MessagePack',
    load: async () => (await import('./transcode/transcode-command.ts')).transcodeCommand,
  },
  {
    name: 'canonicalize',
    summary: 'print the one spelling that a document is hashed and signed in',
    load: async () => (await import('./canonicalize/canonicalize-command.ts')).canonicalizeCommand,
  },
  {
    name: 'keys',
    summary: 'make keys that sign, and say which keys of others are trusted',
    load: async () => (await import('./keys/keys-command.ts')).keysCommand,
  },
  {
    name: 'sign',
    summary: 'sign a document, in itself or beside it',
    load: async () => (await import('./sign/sign-command.ts')).signCommand,
  },
  {
    name: 'verify',
    summary: 'tell who signed a document, and whether it was changed since',
    load: async () => (await import('./verify/verify-command.ts')).verifyCommand,
  },
  {
    name: 'audit',
    summary: 'read the audit log, and prove that nobody has changed it',
    load: async () => (await import('./audit/audit-command.ts')).auditCommand,
  },
]
