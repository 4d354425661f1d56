import type { FastifyRequest } from 'fastify'
import { WaybillError } from '../document/issue.ts'
import type { DescribedRoute } from '../http/route.ts'

/** Returns the error for a path that the server has with other methods, and those; undefined for an unknown path. */
export function methodNotAllowed(
  routes: readonly Pick<DescribedRoute, 'method' | 'path'>[],
  { method, url }: FastifyRequest,
): { readonly error: WaybillError; readonly methods: readonly string[] } | undefined {
  const [path = ''] = url.split('?')
  const matching = routes.filter((route) => matches(route.path, path))
  // As the router does: a path without a parameter here comes before one with it.
  const fewest = Math.min(...matching.map((route) => parameters(route.path)))
  const found = matching.filter((route) => parameters(route.path) === fewest).map(({ method }) => method)
  if (found.length === 0) return undefined
  const methods = [...new Set(found.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])))].sort()
  const error = new WaybillError('METHOD_NOT_ALLOWED', {
    fault: 'usage',
    message: `this path does not support ${method}`,
    hint: `use ${methods.join(', ')}`,
  })
  return { error, methods }
}

/**
 * Returns whether the router has taken a path for a parameter that is a path of its own with other methods:
 * `DELETE /v1/rules/preview` for the rule `preview`.
 */
export function isShadowed(
  routes: readonly Pick<DescribedRoute, 'path'>[],
  { url, routeOptions }: FastifyRequest,
): boolean {
  if (routeOptions.url?.includes(':') !== true) return false
  const [path] = url.split('?')
  return routes.some((route) => route.path === path)
}

export function routeNotFound({ method }: FastifyRequest): WaybillError {
  return new WaybillError('ROUTE_NOT_FOUND', {
    fault: 'usage',
    message: `the server has no such path for ${method}`,
    hint: '/openapi.json lists the paths',
  })
}

function parameters(path: string): number {
  return path.split('{').length - 1
}

/** Compares a path with that of a route, step by step. A parameter matches every step that is not empty. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const steps = path.split('/')
  return (
    wanted.length === steps.length &&
    wanted.every((step, index) => (step.startsWith('{') ? steps[index] !== '' : step === steps[index]))
  )
}
