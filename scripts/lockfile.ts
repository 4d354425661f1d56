interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** Returns the optional packages that the lock file names but does not contain, each with its path. */
export function missingOptionals({ packages }: Lockfile): { path: string; version: string; dev: boolean }[] {
  const missing = new Map<string, { path: string; version: string; dev: boolean }>()
  for (const [owner, { optionalDependencies = {}, dev = false }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isHeld(packages, owner, name)) continue
      const path = `node_modules/${name}`
      missing.set(path, { path, version, dev: (missing.get(path)?.dev ?? true) && dev })
    }
  }
  return [...missing.values()]
}

/** The resolution of Node: in the owner's node_modules, then in that of each parent folder. */
function isHeld(packages: Lockfile['packages'], owner: string, name: string): boolean {
  for (let folder = owner; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const prefix = folder === '' ? '' : `${folder}/`
    if (packages[`${prefix}node_modules/${name}`] !== undefined) return true
    if (folder === '') return false
  }
}

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

/** What machine a platform build is for, as its name tells: `…-linux-arm64-musl`, or `…-wasm32-wasi` on any system. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> | null {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.find((system) => words.includes(system))
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return null
  const musl = words.some((word) => word.startsWith('musl'))
  const glibc = words.some((word) => word.startsWith('gnu'))
  return {
    cpu: [cpu],
    ...(musl && { libc: ['musl'] }),
    ...(glibc && { libc: ['glibc'] }),
    ...(os !== undefined && { os: [os] }),
  }
}

/** @throws Error if a missing package is not a platform build of an exact version, and must be installed. */
export function completeLockfile(lockfile: Lockfile): { lockfile: Lockfile; added: string[] } {
  const added: [string, LockedPackage][] = []
  for (const { path, version, dev } of missingOptionals(lockfile)) {
    const platform = platformOf(path)
    if (platform === null || !/^\d+\.\d+\.\d+/.test(version)) {
      throw new Error(`${path}@${version} is missing and its name has no platform: install it`)
    }
    const { cpu, libc, os } = platform
    const flags = { ...(dev && { dev: true }), ...(libc !== undefined && { libc }), optional: true }
    added.push([
      path,
      { version, ...(cpu !== undefined && { cpu }), ...flags, ...(os !== undefined && { os }) },
    ])
  }
  const packages = Object.fromEntries(
    [...Object.entries(lockfile.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en')),
  )
  return { lockfile: { ...lockfile, packages }, added: added.map(([path]) => path) }
}
