import { setImmediate } from 'node:timers/promises'
import type { Io } from './io.ts'

/** The real process, and what became of its output. */
export interface ProcessIo extends Io {
  /** Why standard output could not be written, when that was not because its reader had seen enough. */
  outLost(): NodeJS.ErrnoException | undefined
}

/** The real process, as {@link Io}. */
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
    ...(stderr.isTTY === true && { columns: stderr.columns, rows: stderr.rows }),
  }
}

interface Writer {
  write(text: string | Uint8Array): void
  closed(): boolean
  lost(): NodeJS.ErrnoException | undefined
}

/**
 * A reader that has seen enough (`| head`) closes the pipe, and a log may be on a disk that is full. Neither is a
 * reason to stop a run in the middle: what is still written is dropped. The first is no failure; the second is
 * reported at the end.
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

/** Resolves when everything that was written has left this process, and failures to write have been noticed. */
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
