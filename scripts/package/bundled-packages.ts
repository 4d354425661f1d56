/**
 * Packages whose code is part of the published files (decision 0023): those that starts of common commands load, in
 * many files or in one. All others stay dependencies of the published package.
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
