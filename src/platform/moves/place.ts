import { WaybillError } from '../../document/issue.ts'

/** Returns the name of an organisation for other platforms: a URL below that of its platform. */
export function placeOf(url: string, organisation: string): string {
  return new URL(`/organisations/${encodeURIComponent(organisation)}`, url).href
}

/** Returns the place of the own organisation. @throws PUBLIC_URL_MISSING */
export function ownPlace(publicUrl: string | undefined, organisation: string): string {
  if (publicUrl !== undefined) return placeOf(publicUrl, organisation)
  throw new WaybillError('PUBLIC_URL_MISSING', {
    fault: 'usage',
    message: 'this platform does not know the URL under which others reach it, so no token can name it',
    hint: 'start the server and its workers with --public-url https://NAME',
  })
}
