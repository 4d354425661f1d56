import type { Finding } from '../../../document/finding.ts'
import type { Schema } from '../../schema-builder.ts'
import type { PlatformManifest } from '../generated/manifest.ts'
import { manifestSchema } from '../manifest.schema.ts'
import { checkExtensionNames } from './extensions.ts'
import { checkAddress, checkOrder, checkTime } from './format-checks.ts'
import { checkScVersion } from './unusual-values.ts'

export function* checkManifestFormats({ platform }: PlatformManifest): Iterable<Finding> {
  yield* checkAddress('/platform/manifest_url', platform.manifest_url)
  yield* checkAddress('/platform/intake_endpoint/url', platform.intake_endpoint?.url)
  yield* checkTime('/platform/manifest_issued_at', platform.manifest_issued_at)
  yield* checkTime('/platform/manifest_expires_at', platform.manifest_expires_at)
  yield* checkOrder(
    ['/platform/manifest_issued_at', platform.manifest_issued_at],
    ['/platform/manifest_expires_at', platform.manifest_expires_at],
    'SPEC-U-05',
  )
}

/** Warns about a version of the format that this product does not know. */
export function checkManifestVersion(manifest: PlatformManifest): Iterable<Finding> {
  return checkScVersion(manifest)
}

/** Warns about an intake_endpoint without a url, which cannot receive definitions. */
export function* checkIntake({ platform }: PlatformManifest): Iterable<Finding> {
  const { intake_endpoint } = platform
  if (intake_endpoint === undefined || intake_endpoint.url !== undefined) return
  yield {
    severity: 'warning',
    code: 'INTAKE_URL_MISSING',
    pointer: '/platform/intake_endpoint/url',
    mark: 'parent',
    message: 'the intake_endpoint has no url, so nothing can be sent to it',
    hint: 'add "url", or leave intake_endpoint out',
    rule: 'SPEC-U-04',
  }
}

const MEMBERS: ReadonlySet<string> = new Set([
  ...Object.keys((manifestSchema as Schema).properties as object),
  ...Object.keys(manifestSchema.$defs.Platform.properties as object),
])

export function checkManifestExtensions(manifest: PlatformManifest): Iterable<Finding> {
  return checkExtensionNames(manifest, MEMBERS)
}
