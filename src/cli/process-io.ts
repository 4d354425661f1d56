import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Io } from './io.ts'

/** The real process, with the state of its output. */
export interface ProcessIo extends Io {
  /** The error that made standard output incomplete, unless its reader closed it. */
  outLost(): NodeJS.ErrnoException | undefined
  /** Takes what other code writes; in the form of `write` of a stream. */
  readonly stray: NodeJS.WriteStream['write']
}

/** Returns the real process as {@link Io}. */
export function processIo(): ProcessIo {
  const { env, stdout, stderr } = process
  const plain = (env.NO_COLOR ?? '') !== '' || (env.CI ?? '') !== '' || env.TERM === 'dumb'
  const out = writer(stdout)
  const err = writer(stderr)
  const stray = strayOutput(err.write)
  return {
    cwd: process.cwd(),
    env,
    out: out.write,
    outBytes: out.write,
    err: err.write,
    stray: stray.write,
    takeStray: stray.take,
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

/**
 * From now on, only this `Io` writes to standard output: functions of the user, hooks and libraries write to standard
 * error, so that `--json` is one value and `> answer.txt` is the answer.
 */
export function ownOutput({ stray }: ProcessIo): void {
  for (const stream of [process.stdout, process.stderr]) stream.write = stray
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
      if (!closed) writeTo(stream, text)
    },
    closed: () => closed,
    lost: () => lost,
  }
}

/** Writes to a stream itself, also if its own `write` is replaced. */
function writeTo(stream: Writable, text: string | Uint8Array, done?: () => void): void {
  Writable.prototype.write.call(stream, text, 'utf8', done)
}

/** The output of code that is not Waybill, and who takes it: the last one that asked, else standard error. */
function strayOutput(err: (text: string | Uint8Array) => void) {
  const takers: ((text: string) => void)[] = []
  const write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    const taker = takers.at(-1)
    const text =
      typeof chunk === 'string' && typeof encoding === 'string' ? Buffer.from(chunk, encoding) : chunk
    if (taker === undefined) err(text)
    else taker(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    const written = typeof encoding === 'function' ? encoding : done
    if (written !== undefined) process.nextTick(written)
    return true
  }
  return {
    write,
    take(taker: (text: string) => void): () => void {
      takers.push(taker)
      return () => {
        const index = takers.indexOf(taker)
        if (index >= 0) takers.splice(index, 1)
      }
    },
  }
}

/** Resolves when all output has left this process and all write errors are known. */
export async function flushed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.destroyed || stream.writableLength === 0) resolve()
          else writeTo(stream, '', () => resolve())
        }),
    ),
  )
  // A write to a file or a device fails at once, but 'error' is emitted on a later tick.
  await setImmediate()
}
