import type { Registry } from '../generated/registry.ts'

/** `memory[].backend` (§4.5). */
export const memoryBackendsRegistry: Registry = {
  registry: 'aaif-memory-backends',
  sc_standard: 'SC-006',
  description: 'Backends in which memory can be kept.',
  registration_policy: 'Specification Required',
  entries: [
    backend('in_memory', false, 'The process; lost when the process ends.'),
    backend('redis', false, 'Keys and values that expire.'),
    backend('postgres', false, 'A relational database; similarity search with pgvector.'),
    backend('sqlite', false, 'A database in one file.'),
    backend('pinecone', true, 'A vector store in the cloud.'),
    backend('weaviate', true, 'A vector store that also has keyword search.'),
    backend('qdrant', true, 'An open vector store.'),
    backend('chroma', true, 'A vector store that can run in the process.'),
    backend('custom', null, 'Defined by the platform.'),
  ],
}

function backend(id: string, vector: boolean | null, meaning: string) {
  return { id, status: 'standard', since: '2.0.0', vector, meaning } as const
}
