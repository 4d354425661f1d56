import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Folders that code of modules must not read. */
export interface KeptFolders {
  /** The folder of the configuration; modules may be in a folder of it. */
  readonly home: string
  /** Keys and database, which have no modules. */
  readonly closed: readonly string[]
}

/**
 * Returns the paths that code of a module must read: its folder without the kept ones, and the packages that it can
 * import. In the home itself, and in a closed folder, a module can read only itself.
 * @param file the real path of the module
 */
export function readablePaths(file: string, kept: KeptFolders): readonly string[] {
  const folder = dirname(file)
  const [home, ...closed] = [kept.home, ...kept.closed].map((path) =>
    existsSync(path) ? realpathSync(path) : path,
  )
  const isClosed = folder === home || closed.some((path) => path === folder || isInside(folder, path))
  const own = isClosed ? [file] : without(folder, [home, ...closed])
  return [...own, ...packagesAbove(folder)]
}

function without(folder: string, hidden: readonly (string | undefined)[]): readonly string[] {
  if (!hidden.some((path) => path !== undefined && isInside(path, folder))) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (hidden.includes(path)) return []
    return entry.isDirectory() ? without(path, hidden) : [path]
  })
}

/** Returns where imports look for packages, and for the package.json that decides what `.js` is. */
export function packagesAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  const own = [join(folder, 'node_modules'), join(folder, 'package.json')].filter(existsSync)
  return parent === folder ? own : [...own, ...packagesAbove(parent)]
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
