import {
  type Dirent,
  existsSync,
  type FSWatcher,
  lstatSync,
  readdirSync,
  type Stats,
  statSync,
  type WatchListener,
  watch,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

export interface FileChange {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string
  readonly change: 'changed' | 'removed'
}

export interface FileChanges {
  stop(): void
}

/**
 * Writing a file causes several events, and editors replace files: a change is reported after this time without events,
 * in milliseconds.
 */
const QUIET_MS = 200

/**
 * Reports changes of a file, or of the files in a folder and its subfolders. Ignores names that begin with a dot and
 * `node_modules`.
 * @param folder reported paths are relative to it
 * @param target absolute, in that folder; it need not exist yet when its folder does
 * @param ignore files to ignore
 */
export function watchFiles(
  folder: string,
  target: string,
  onChange: (change: FileChange) => void,
  ignore: (path: string) => boolean,
): FileChanges {
  const timers = new Map<string, NodeJS.Timeout>()
  const seen = (file: string) => {
    const path = relative(folder, file).split(sep).join('/')
    if (path.split('/').some((part) => part.startsWith('.') || part === 'node_modules') || ignore(path))
      return
    clearTimeout(timers.get(path))
    const tell = () => {
      timers.delete(path)
      const change = changeOf(file)
      if (change !== undefined) onChange({ path, change })
    }
    timers.set(path, setTimeout(tell, QUIET_MS))
  }
  let inside: FSWatcher | undefined
  const watchInside = () => {
    inside = watching(target, true, (_, name) => {
      if (name !== null) seen(join(target, name))
    })
  }
  const watchAgain = () => {
    inside?.close()
    inside = undefined
    try {
      watchInside()
    } catch {
      // The folder was removed again: its next creation is reported.
    }
  }
  if (isFolder(target)) watchInside()
  // A folder that is created later, or again, is reported by its parent folder.
  const outside =
    target === folder
      ? undefined
      : watching(dirname(target), false, (event, name) => {
          if (name !== basename(target)) return
          if (!isFolder(target)) {
            // Files in a removed folder are reported by the watcher of that folder.
            if (inside === undefined || existsSync(target)) seen(target)
          } else if (event === 'rename' || inside === undefined) {
            watchAgain()
            for (const file of pathsIn(target)) seen(file)
          }
        })
  return {
    stop() {
      outside?.close()
      inside?.close()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

/** Returns the paths of all entries below a folder. Links are not followed: they may lead outside, or in a circle. */
function pathsIn(folder: string): readonly string[] {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsIn(path)] : [path]
  })
}

/**
 * Returns the state of a path that events were received for, or undefined if it is not a file. A broken link is not a
 * removed file: Node reports it again at each change beside it.
 */
function changeOf(path: string): FileChange['change'] | undefined {
  const there = ifReached(() => statSync(path))
  if (there !== undefined) return there.isFile() ? 'changed' : undefined
  return ifReached(() => lstatSync(path)) === undefined ? 'removed' : undefined
}

/** Returns undefined for a file that cannot be reached: that must not end the watch. */
function ifReached(stat: () => Stats): Stats | undefined {
  try {
    return stat()
  } catch {
    return undefined
  }
}

/** Links are ignored: a later link under the target's name must not point to another place. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function watching(path: string, recursive: boolean, listener: WatchListener<string>): FSWatcher {
  const watcher = watch(path, { recursive }, listener)
  // The removal of a watched folder must not end the other watchers.
  watcher.on('error', () => {})
  return watcher
}
