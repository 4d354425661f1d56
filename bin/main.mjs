// What bin/waybill starts. Plain JavaScript that even an old Node can read, so that it can say it is too old.
const [major, minor, patch] = process.versions.node.split('.').map(Number)
// The lines of Node whose SQLite does not lose commits when several processes write.
const supported =
  major > 24 ||
  (major === 24 && minor >= 15) ||
  (major === 22 && (minor > 22 || (minor === 22 && patch >= 3)))

if (!supported) {
  process.stderr.write(
    `waybill: needs Node 24.15 or later, or 22.22.3 or a later 22, and ${process.execPath} is ${process.versions.node}\n` +
      'hint: install a newer one (https://nodejs.org), or name one: WAYBILL_NODE=/path/to/node\n' +
      'hint: on Linux, "npm install --include=optional" brings the right one along with waybill\n',
  )
  process.exitCode = 2
} else {
  // Two thirds of the start-up time are compiling. The cache is in the user's own folder: code
  // found in a shared /tmp could be anyone's.
  if (!process.env.NODE_COMPILE_CACHE) {
    // An import of a builtin module reads all of its exports, which costs more than what is used here.
    const { enableCompileCache } = process.getBuiltinModule('node:module')
    const { homedir } = process.getBuiltinModule('node:os')
    const { join } = process.getBuiltinModule('node:path')
    enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'waybill', 'compiled'))
  }
  const { start } = await import('../src/cli/main.ts')
  await start()
}
