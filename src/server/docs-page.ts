import { fastifySwaggerUi } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Json } from '../document/json.ts'

/** The path of the documentation page. */
export const DOCS_PATH = '/docs'

/** Everything comes from this server: the page works without an internet connection. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the OpenAPI document as a page. */
export async function serveDocsPage(app: FastifyInstance, openapi: () => Json): Promise<void> {
  // The page asks the plugin `@fastify/swagger` for the document, and the document is ours.
  app.decorate('swagger', ((options?: { readonly yaml?: boolean }) =>
    options?.yaml === true ? JSON.stringify(openapi()) : openapi()) as never)
  await app.register(named('@fastify/swagger'))
  await app.register(fastifySwaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY_POLICY,
    // Its default is a validator on the internet.
    uiConfig: { validatorUrl: null, docExpansion: 'list', deepLinking: true } as never,
  })
}

/** Returns an empty plugin that Fastify knows by this name. */
function named(name: string) {
  const plugin = async () => undefined
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('plugin-meta')]: { name },
  })
}
