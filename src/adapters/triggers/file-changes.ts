import {
  existsSync,
  type FSWatcher,
  lstatSync,
  readdirSync,
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

/** Writing a file makes several events, and editors replace files: a change is told when it has been quiet so long. */
const QUIET_MS = 200

/**
 * Tells of changes of a file, or of the files in a folder and the folders in it. What begins with a dot and what lies
 * in `node_modules` is passed over.
 * @param folder paths are told relative to it
 * @param target absolute, in that folder; it need not exist yet when its folder does
 * @param ignore files that are none of anybody's business
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
      const there = existsSync(file)
      if (!there || statSync(file).isFile()) onChange({ path, change: there ? 'changed' : 'removed' })
    }
    timers.set(path, setTimeout(tell, QUIET_MS))
  }
  let inside: FSWatcher | undefined
  const watchInside = () => {
    inside = watching(target, true, (_, name) => {
      if (name !== null) seen(join(target, name))
    })
  }
  if (isFolder(target)) watchInside()
  // A folder that comes later, or again, is told by the one that it lies in.
  const outside =
    target === folder
      ? undefined
      : watching(dirname(target), false, (event, name) => {
          if (name !== basename(target)) return
          if (!isFolder(target)) {
            // What was in a folder that has gone is told by the one who watched it.
            if (inside === undefined || existsSync(target)) seen(target)
          } else if (event === 'rename' || inside === undefined) {
            inside?.close()
            watchInside()
            for (const file of readdirSync(target, { recursive: true })) seen(join(target, String(file)))
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

/** A link is none: what comes later under the target's name must not lead elsewhere. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function watching(path: string, recursive: boolean, listener: WatchListener<string>): FSWatcher {
  const watcher = watch(path, { recursive }, listener)
  // A folder that is removed under the watcher is no reason to end the others.
  watcher.on('error', () => {})
  return watcher
}
