/** A TLS server in its own thread that reads and forgets what it gets. */
import { createServer } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'

const server = createServer(workerData as { readonly key: string; readonly cert: string }, (socket) => {
  socket.on('error', () => {})
  socket.on('end', () => socket.end('read'))
  socket.resume()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : 0)
})
