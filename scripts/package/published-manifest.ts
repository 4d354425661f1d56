/** An `exports` target: a path, or targets by condition. */
type Target = string | { readonly [condition: string]: Target }

export interface RepositoryManifest {
  readonly exports: Readonly<Record<string, Target>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** Members that are useless or wrong outside the repository. */
const LEFT_BEHIND = ['private', 'scripts', 'devDependencies', 'workspaces', 'files']

/**
 * Returns the package.json of the published package, whose entries name the built JavaScript and its types.
 * @param bundled packages whose code is part of the built files; they are not dependencies of the published package
 */
export function publishedManifest(
  manifest: RepositoryManifest,
  bundled: readonly string[] = [],
): Record<string, unknown> {
  const kept = Object.entries(manifest).filter(([member]) => !LEFT_BEHIND.includes(member))
  const entries = Object.entries(manifest.exports).map(([entry, target]) => [entry, publishedTarget(target)])
  const needed = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !bundled.includes(name))
  return {
    ...Object.fromEntries(kept),
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    dependencies: Object.fromEntries(needed),
  }
}

/** Returns the entries of the repository's `exports`, each as the path of its source without `src/` and `.ts`. */
export function entrySources({ exports }: RepositoryManifest): string[] {
  return [...new Set(Object.values(exports).flatMap(sourcesOf))]
}

/** Returns the name of the built file of an entry: `index`, `spec` for `spec/index`, `cli-main` for `cli/main`. */
export function builtName(source: string): string {
  return source.replace(/\/index$/, '').replaceAll('/', '-')
}

function sourcesOf(target: Target): string[] {
  if (typeof target !== 'string') return Object.values(target).flatMap(sourcesOf)
  const source = sourceOf(target)
  return source === undefined ? [] : [source]
}

function sourceOf(target: string): string | undefined {
  return /^\.\/src\/(.*)\.ts$/.exec(target)?.[1]
}

function publishedTarget(target: Target): Target {
  if (typeof target !== 'string') {
    return Object.fromEntries(
      Object.entries(target).map(([condition, inner]) => [condition, publishedTarget(inner)]),
    )
  }
  const source = sourceOf(target)
  if (source === undefined) return target
  return { types: `./lib/${source}.d.ts`, default: `./lib/${builtName(source)}.js` }
}
