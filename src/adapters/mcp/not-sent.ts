/** The connection was gone before a message left: it may be sent again over another. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}
