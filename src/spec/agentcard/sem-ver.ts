import { SEM_VER } from './agent-card.schema.ts'

const VERSION = new RegExp(SEM_VER)
/** The expression in §5: SemVer, except for the part after the three numbers. */
const LOOSE = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z\-.]+)?(?:\+[0-9A-Za-z\-.]+)?$/

/** Returns true if a version matches the looser expression of §5, even if it is not valid SemVer. */
export function isLooseVersion(version: string): boolean {
  return LOOSE.test(version)
}

/** Returns the reason why a text is not a Semantic Versioning 2.0.0 version: the violated clause, and a hint. */
export function versionError(text: string): { readonly message: string; readonly hint: string } {
  if (/^[vV=]/.test(text)) {
    return {
      message: 'a version begins with its number (SemVer §2)',
      hint: 'remove the text before the number',
    }
  }
  const [core = '', suffix = ''] = text.split(/[-+](.*)/s)
  if (!/^\d+\.\d+\.\d+$/.test(core)) {
    return {
      message: 'version is not MAJOR.MINOR.PATCH (SemVer §2)',
      hint: 'write three numbers, such as "1.0.0"',
    }
  }
  if (/(?:^|\.)0\d/.test(core)) {
    return { message: 'a number in version begins with 0 (SemVer §2)', hint: 'remove the leading zero' }
  }
  if (/[^0-9A-Za-z.+-]/.test(suffix)) {
    return {
      message: 'version has a character that is not allowed after the numbers (SemVer §9, §10)',
      hint: 'use letters, digits, "-" and "."',
    }
  }
  const [preRelease = ''] = text.includes('-') ? suffix.split('+') : []
  if (/(?:^|\.)0\d+(?:\.|$)/.test(preRelease)) {
    return {
      message: 'a number in the pre-release part of version begins with 0 (SemVer §9)',
      hint: 'remove the leading zero, or add a letter',
    }
  }
  return {
    message: 'an identifier after the numbers of version is empty, or there are two "+" (SemVer §9, §10)',
    hint: 'write an identifier between the dots, such as "1.0.0-rc.1"',
  }
}

export interface SemVer {
  readonly core: readonly [major: bigint, minor: bigint, patch: bigint]
  /** Empty for a release. */
  readonly preRelease: readonly string[]
}

/**
 * Returns the parts of a version that determine its order; undefined if it is not a version. Numbers may have any size.
 */
export function readSemVer(text: string): SemVer | undefined {
  if (!VERSION.test(text)) return undefined
  const [precedence = ''] = text.split('+')
  const [core = '', preRelease] = precedence.split(/-(.*)/s)
  const [major = '0', minor = '0', patch = '0'] = core.split('.')
  return {
    core: [BigInt(major), BigInt(minor), BigInt(patch)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  }
}

/** Compares two versions (SemVer §11): below 0, 0 or above 0. */
export function compareSemVer(a: SemVer, b: SemVer): number {
  for (const [index, part] of a.core.entries()) {
    const other = b.core[index] ?? 0n
    if (part !== other) return part < other ? -1 : 1
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return Number(a.preRelease.length === 0) - Number(b.preRelease.length === 0)
  }
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index]
    if (other === undefined) return 1
    if (part !== other) return compareIdentifiers(part, other)
  }
  return a.preRelease.length - b.preRelease.length
}

/** Compares identifiers: numbers by size and before words, words by their characters. */
function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (aIsNumber) return BigInt(a) < BigInt(b) ? -1 : 1
  return a < b ? -1 : 1
}
