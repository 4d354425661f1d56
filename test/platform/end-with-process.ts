import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** Waits for the end of its input; the process of the pid file must still work in the folder of the data. */
const SCRIPT = `
read -r _
if cd "$1" 2>&- && pid=$(head -n 1 postmaster.pid 2>&-) && [ "$(readlink "/proc/$pid/cwd")" = "$(pwd -P)" ]; then
  kill -QUIT "$pid"
  n=0
  while [ -e "/proc/$pid/cwd/postmaster.pid" ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
fi
cd /
rm -rf "$2"`

/**
 * Ends the PostgreSQL server on these data, and removes the folder around them, when this process has ended in any way:
 * a server lives on if its process is killed, as by a time limit of the tests, and would use memory until the machine
 * is restarted. A shell watches a pipe that only this process holds open.
 */
export function endWithProcess(data: string, folder: string): void {
  const watch = spawn('sh', ['-c', SCRIPT, 'end-with-process', data, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Signals to the group of this process must not reach it.
    detached: true,
  })
  watch.once('error', () => {})
  watch.unref()
  const pipe = watch.stdin as unknown as Socket
  pipe.on('error', () => {})
  pipe.unref()
}
