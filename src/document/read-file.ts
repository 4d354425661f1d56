import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'

/**
 * The files that a caller accepts:
 *
 * - `regular`: a regular file. For paths that a definition, a folder or a configuration names.
 * - `placed`: the same, and no part of the path may be a link. For a path whose links were resolved and judged before:
 *   a link that was put there since then is refused.
 * - `given`: a regular file, a pipe or a character device. For paths that a person names, such as `<(command)`.
 */
export type AcceptedFile = 'regular' | 'placed' | 'given'

/** Limit in bytes for files that a person names and that have no limit of their own: logs, exports, batches. */
export const LARGEST_GIVEN_BYTES = 256 * 1024 * 1024

/**
 * Reads a file of bounded size.
 * @param check also checks the file that was opened, before it is read
 * @throws the errors of the file system; an error with code FILE_NOT_REGULAR, FILE_TOO_LARGE, FILE_MOVED or EISDIR
 */
export function readFileWithin(
  path: string,
  maxBytes: number,
  accepted: AcceptedFile = 'regular',
  check: (stats: Stats) => void = () => {},
): Buffer {
  return readOpened(path, accepted, (fd, stats) => {
    check(stats)
    if (stats.isFile() && stats.size > maxBytes) throw tooLarge(maxBytes)
    const bytes = readStart(fd, stats, maxBytes + 1, writerWaitMs(path, stats))
    if (bytes.length > maxBytes) throw tooLarge(maxBytes)
    return bytes
  })
}

/**
 * Reads the first bytes of a file, for callers that report a file of too many bytes themselves.
 * @throws as {@link readFileWithin}, but never FILE_TOO_LARGE
 */
export function readFileStart(path: string, maxBytes: number, accepted: AcceptedFile = 'regular'): Buffer {
  return readOpened(path, accepted, (fd, stats) => readStart(fd, stats, maxBytes, writerWaitMs(path, stats)))
}

/**
 * Checks a file that another program reads, such as a module to load. A missing file passes: its reader reports it.
 * @throws an error with code FILE_NOT_REGULAR or EISDIR
 */
export function assertRegularFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined) assertAccepted(stats, 'regular')
}

/**
 * Opens, checks and reads through one descriptor, so that the file cannot be replaced in between. Opening never waits:
 * a pipe without a writer would stop the process.
 */
function readOpened(
  path: string,
  accepted: AcceptedFile,
  read: (fd: number, stats: Stats) => Buffer,
): Buffer {
  // Opening a device can have effects, so its kind is checked before as well.
  assertAccepted(statSync(path), accepted)
  const noLinks = accepted === 'placed' ? constants.O_NOFOLLOW : 0
  // On Windows these constants are undefined, and there are no such files.
  const fd = openSync(
    path,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (noLinks ?? 0),
  )
  try {
    const stats = fstatSync(fd)
    assertAccepted(stats, accepted)
    if (accepted === 'placed') assertStillThere(fd, stats, path)
    return read(fd, stats)
  } finally {
    closeSync(fd)
  }
}

function assertAccepted(stats: Stats, accepted: AcceptedFile): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw fileError('EISDIR', 'it is a folder')
  if (accepted === 'given' && (stats.isFIFO() || stats.isCharacterDevice())) return
  throw fileError('FILE_NOT_REGULAR', `it is ${kindOf(stats)}, not a regular file`)
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Refuses a file that was reached through a link that replaced a folder of the path after the path was resolved. */
function assertStillThere(fd: number, { dev, ino }: Stats, path: string): void {
  const actual = pathOf(fd)
  if (actual === path) return
  if (actual === undefined) {
    // Without /proc, only a second look at the path is possible.
    const now = statSync(path)
    if (now.dev === dev && now.ino === ino) return
  }
  throw fileError('FILE_MOVED', 'it was replaced by a link while it was opened')
}

/** Returns the path of an open file, or undefined where the system does not tell. */
function pathOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

const CHUNK_BYTES = 64 * 1024

/** @param writerMs see {@link writerWaitMs} */
function readStart(fd: number, stats: Stats, maxBytes: number, writerMs: number): Buffer {
  const chunks: Buffer[] = []
  let size = 0
  let waited = 0
  // Files of /proc have size 0 and contents, and a file may grow: only a read of 0 bytes is the end.
  for (let wanted = stats.isFile() ? stats.size + 1 : CHUNK_BYTES; size < maxBytes; wanted = CHUNK_BYTES) {
    const chunk = Buffer.allocUnsafe(Math.min(wanted, maxBytes - size))
    const read = readWaiting(fd, chunk, stats)
    if (read === 0 && size === 0 && waited < writerMs) {
      waited += POLL_MS
      sleep(POLL_MS)
      continue
    }
    if (read === 0 && size === 0 && writerMs > 0)
      throw fileError('FILE_NOT_REGULAR', 'it is a pipe that no process writes to')
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    size += read
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
}

const POLL_MS = 10

/**
 * Returns how long to wait for a process that opens a named pipe for writing, because the reader may be first. The
 * pipes of `<(command)` and of standard input have had their writer before this process started.
 */
function writerWaitMs(path: string, stats: Stats): number {
  return stats.isFIFO() && !/^\/(?:dev(?!\/shm\/)|proc)\//.test(path) ? 2_000 : 0
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Waits for the next bytes of a pipe or a terminal whose writer has not written yet. */
function readWaiting(fd: number, into: Buffer, stats: Stats): number {
  for (;;) {
    try {
      return readSync(fd, into)
    } catch (error) {
      if (stats.isFile() || (error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      sleep(POLL_MS)
    }
  }
}

function tooLarge(maxBytes: number): Error {
  return fileError('FILE_TOO_LARGE', `it has more than ${maxBytes} bytes`)
}

function fileError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
