/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Images are bytes, but for SVG, which is a text. */
export function isBinary(mediaType: string): boolean {
  const essence = essenceOf(mediaType)
  return essence.startsWith('image/') && essence !== 'image/svg+xml'
}
