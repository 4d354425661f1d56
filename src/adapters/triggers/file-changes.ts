import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
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
  const isFolder = existsSync(target) && statSync(target).isDirectory()
  const timers = new Map<string, NodeJS.Timeout>()
  const seen = (name: string | null) => {
    if (name === null || (!isFolder && name !== basename(target))) return
    const file = join(isFolder ? target : dirname(target), name)
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
  const watcher: FSWatcher = watch(isFolder ? target : dirname(target), { recursive: isFolder }, (_, name) =>
    seen(name),
  )
  // A folder that is removed under the watcher is no reason to end the others.
  watcher.on('error', () => {})
  return {
    stop() {
      watcher.close()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
