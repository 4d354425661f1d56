/**
 * A process that uses the embedded server of a folder: `node embedded-process.ts FOLDER`. Prints one line, the pid and
 * URL of the server or an error code and message, and stops the server when its input ends.
 */
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'

const [, , folder = ''] = process.argv
try {
  const server = await startEmbedded(folder, { settings: { fsync: 'off' } })
  process.stdout.write(`${JSON.stringify({ pid: server.pid, url: server.url })}\n`)
  process.stdin.resume().once('end', () => void server.stop().then(() => process.exit()))
} catch (error) {
  const { code, message } = error as { code: string; message: string }
  process.stdout.write(`${JSON.stringify({ code, message })}\n`)
}
