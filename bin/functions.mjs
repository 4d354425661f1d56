// A process for the functions of one module and one organisation; see docs/decisions/0039. Its argument is the module.
const { serveFunctions } = await import('../src/adapters/functions/serve-functions.ts')
await serveFunctions(process.argv[2])
