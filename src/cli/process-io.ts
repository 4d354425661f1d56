import { setImmediate } from 'node:timers/promises'
import type { Io } from './io.ts'

/** The real process, with the state of its output. */
export interface ProcessIo extends Io {
  /** The error that made standard output incomplete, unless its reader closed it. */
  outLost(): NodeJS.ErrnoException | undefined
}

/** Returns the real process as {@link Io}. */
export function processIo(): ProcessIo {
  const { env, stdout, stderr } = process
  const plain = (env.NO_COLOR ?? '') !== '' || (env.CI ?? '') !== '' || env.TERM === 'dumb'
  const out = writer(stdout)
  const err = writer(stderr)
  return {
    cwd: process.cwd(),
    env,
    out: out.write,
    outBytes: out.write,
    err: err.write,
    outClosed: out.closed,
    outLost: out.lost,
    // Opened when it is read: most commands do not, and it costs 2 ms.
    get stdin() {
      return process.stdin
    },
    outIsTty: stdout.isTTY === true,
    errIsTty: stderr.isTTY === true,
    color: stderr.isTTY === true && !plain,
    // Read at each use, because a person may resize the window.
    get columns() {
      return stderr.isTTY === true ? stderr.columns : undefined
    },
    get rows() {
      return stderr.isTTY === true ? stderr.rows : undefined
    },
  }
}

interface Writer {
  write(text: string | Uint8Array): void
  closed(): boolean
  lost(): NodeJS.ErrnoException | undefined
}

/**
 * Keeps the program running if standard output cannot be written: a reader such as `head` may close the pipe, and a disk
 * may be full. A run must not stop for that, so further output is dropped. A closed pipe is not a failure; a write
 * error is reported at the end.
 */
function writer(stream: NodeJS.WriteStream): Writer {
  let closed = false
  let lost: NodeJS.ErrnoException | undefined
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true
    if (error.code !== 'EPIPE' && error.code !== 'EIO') lost ??= error
  })
  return {
    write: (text) => {
      if (!closed) stream.write(text)
    },
    closed: () => closed,
    lost: () => lost,
  }
}

/** Resolves when all output has left this process and all write errors are known. */
export async function flushed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.destroyed || stream.writableLength === 0) resolve()
          else stream.write('', () => resolve())
        }),
    ),
  )
  // A write to a file or a device fails at once, but 'error' is emitted on a later tick.
  await setImmediate()
}
