/** Returns a media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Returns true for media types whose content is bytes: all images except SVG, which is text. */
export function isBinary(mediaType: string): boolean {
  const essence = essenceOf(mediaType)
  return essence.startsWith('image/') && essence !== 'image/svg+xml'
}
