import type { CodeEntries } from './code-entry.ts'

export const MEMORY_CODES = {
  MEMORY_EMBEDDING_FAILED: {
    meaning: 'Texts could not be compared by meaning; items were found by keyword.',
    remedy: 'Install the three packages of [embeddings](guides/memory.md#how-items-are-found) again.',
  },
  MEMORY_UNAVAILABLE: {
    meaning: 'This host offers runs no memory.',
    remedy: 'Use the command line, or `run` of the library.',
  },
  MEMORY_FAILED: {
    meaning: 'The memory failed for another reason.',
    remedy: 'Read the message.',
  },
  MEMORY_NOT_FOUND: {
    status: 404,
    meaning: 'The memory has no item under this key.',
    remedy: '`waybill memory list` shows all items.',
  },
  MEMORY_AMBIGUOUS: {
    meaning: 'The memory has several items under this key.',
    remedy: 'Name the owner with `--agent`, `--user` or `--session`.',
  },
} satisfies CodeEntries
