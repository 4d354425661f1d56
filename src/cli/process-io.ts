import type { Io } from './io.ts'

/** The real process, as {@link Io}. */
export function processIo(): Io {
  const { env, stdout, stderr, stdin } = process
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
    stdin,
    outIsTty: stdout.isTTY === true,
    errIsTty: stderr.isTTY === true,
    color: stderr.isTTY === true && !plain,
    ...(stderr.isTTY === true && { columns: stderr.columns, rows: stderr.rows }),
  }
}

/**
 * A reader that has seen enough (`| head`) closes the pipe. That is no failure, and no reason to leave a run half
 * done: what is still written goes nowhere.
 */
function writer(stream: NodeJS.WriteStream): { write(text: string | Uint8Array): void; closed(): boolean } {
  let closed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    closed = true
  })
  return {
    write: (text) => {
      if (!closed) stream.write(text)
    },
    closed: () => closed,
  }
}

/** Resolves when everything that was written has left this process. */
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
}
