import { writeSync } from 'node:fs'
import type { Io } from './io.ts'

/** The real process, as {@link Io}. */
export function processIo(): Io {
  const { env, stdout, stderr, stdin } = process
  const plain = (env.NO_COLOR ?? '') !== '' || (env.CI ?? '') !== '' || env.TERM === 'dumb'
  // A reader that has seen enough (`| head`) closes the pipe: that is no failure.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
  return {
    cwd: process.cwd(),
    env,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    stdin,
    outIsTty: stdout.isTTY === true,
    errIsTty: stderr.isTTY === true,
    color: stderr.isTTY === true && !plain,
  }
}

/** For the last words of a process that must not wait for its streams. */
export function errNow(text: string): void {
  writeSync(2, text)
}
