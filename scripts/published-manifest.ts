/** An `exports` target: a path, or targets by condition. */
type Target = string | { readonly [condition: string]: Target }

export interface RepositoryManifest {
  readonly exports: Readonly<Record<string, Target>>
  readonly [member: string]: unknown
}

/** Members that mean nothing, or something wrong, outside of the repository. */
const LEFT_BEHIND = ['private', 'scripts', 'devDependencies', 'workspaces', 'files']

/** The package.json of the published package: its entries point at the built JavaScript and its types. */
export function publishedManifest(manifest: RepositoryManifest): Record<string, unknown> {
  const kept = Object.entries(manifest).filter(([member]) => !LEFT_BEHIND.includes(member))
  const entries = Object.entries(manifest.exports).map(([entry, target]) => [entry, publishedTarget(target)])
  return {
    ...Object.fromEntries(kept),
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
  }
}

function publishedTarget(target: Target): Target {
  if (typeof target !== 'string') {
    return Object.fromEntries(
      Object.entries(target).map(([condition, inner]) => [condition, publishedTarget(inner)]),
    )
  }
  const source = /^\.\/src\/(.*)\.ts$/.exec(target)?.[1]
  return source === undefined ? target : { types: `./lib/${source}.d.ts`, default: `./lib/${source}.js` }
}
