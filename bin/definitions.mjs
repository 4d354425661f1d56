// A thread that reads and examines definitions; see docs/decisions/0059.
const { serveDefinitions } = await import('../src/compose/serve-definitions.ts')
serveDefinitions()
