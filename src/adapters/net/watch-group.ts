import { spawn } from 'node:child_process'

/**
 * When this process ends for any reason, its end of the pipe closes: `read` returns, and the started processes get
 * SIGTERM and then SIGKILL.
 */
const WATCH =
  'read -r _; sleep 1; kill -s TERM -- "-$1" 2>/dev/null; sleep 1; kill -s KILL -- "-$1" 2>/dev/null'

/**
 * Ends the process group of a started process when this process has ended.
 * @param pid of the process, which leads its own group
 * @returns ends the watching
 */
export function watchGroup(pid: number, path: string | undefined): () => void {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: path === undefined ? {} : { PATH: path },
    detached: true,
  })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  ;(watcher.stdin as unknown as { unref?: () => void }).unref?.()
  return () => {
    watcher.kill('SIGKILL')
    watcher.stdin.destroy()
  }
}

/** Sends a signal to a process group, if it still exists. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The process group has ended.
  }
}
