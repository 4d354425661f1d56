/**
 * Packages whose code is part of the published files (decision 0023), because common commands load them when they
 * start. All other packages stay dependencies of the published package.
 */
export const BUNDLED_PACKAGES: readonly string[] = [
  'ajv',
  'canonicalize',
  'commander',
  'ibantools',
  'ipaddr.js',
  're2js',
  'tokenx',
  'uuid',
  'yaml',
]

/** Returns the package of an import: `ajv` of `ajv/dist/2020.js`; the empty text for a path. */
export function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^./@][^/]*/.exec(specifier)?.[0] ?? ''
}
