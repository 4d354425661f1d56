import { defined } from '../../document/defined.ts'
import { isObject, type Json } from '../../document/json.ts'
import { itemsAt, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, section } from './inspection.ts'

/** Describes a platform and the capabilities that it offers. */
export function inspectManifest(value: Json): Inspection {
  const platform = objectAt(value, 'platform')
  const capabilities = objectAt(platform, 'capabilities')
  const [name, version] = [textAt(platform, 'name'), textAt(platform, 'version')]
  const offers = Object.entries(capabilities).map(([area, flags]): [string, string[]] => [
    area,
    isObject(flags)
      ? Object.entries(flags).flatMap(([key, flag]) => (flag === true ? [key] : listed(key, flag)))
      : [],
  ])
  const intake = textAt(objectAt(platform, 'intake_endpoint'), 'url')
  const facts = defined({
    name,
    version,
    vendor: textAt(platform, 'vendor'),
    level: textAt(platform, 'aaif_conformance_level'),
    aaif_versions_supported: itemsAt(platform, 'aaif_versions_supported'),
    capabilities: offers.flatMap(([area, names]) => names.map((one) => `${area}.${one}`)),
    intake_endpoint: intake,
    manifest_url: textAt(platform, 'manifest_url'),
    expires_at: textAt(platform, 'manifest_expires_at'),
  })
  return {
    facts,
    headline: `${name ?? 'a platform'} ${version ?? ''}`.trim(),
    sections: [
      section('Platform', [
        fact('vendor', facts.vendor),
        fact('conformance level', facts.level),
        fact('takes AAIF', itemsAt(platform, 'aaif_versions_supported').join(', ')),
        fact('accepts definitions at', intake),
        fact('published at', facts.manifest_url),
        fact('expires', facts.expires_at),
      ]),
      section(
        'Offers',
        offers.map(([area, names]) => fact(area, names.join(', '))),
      ),
    ],
  }
}

/** Returns the items of a list, such as vaults, as `key=item`, and the flags that are nested deeper. */
function listed(key: string, value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => `${key}=${String(item)}`)
  if (isObject(value))
    return Object.entries(value).flatMap(([inner, flag]) =>
      flag === true ? [`${key}.${inner}`] : listed(inner, flag),
    )
  return []
}
