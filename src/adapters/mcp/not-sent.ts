/** The connection was closed before a message was sent: the message may be sent over another connection. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}
