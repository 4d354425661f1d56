import type { Json } from '../document/json.ts'
import { resolveAddress, resolveReference, type SchemaAddress } from './schema-address.ts'

/** The parts of a document that have a name of their own: resources with `$id`, and anchors. */
export class SchemaResources {
  /** The address of each resource, by its pointer. */
  readonly #addresses: Map<string, string>
  readonly #resources = new Map<string, string>()
  /** Pointers of anchors, by `address#name`, and by `#name` for all resources together. */
  readonly #anchors = new Map<string, string>()

  /** @param address the address at which the document was found; empty if it is not known */
  constructor(address: string) {
    this.#addresses = new Map([['', address]])
    this.#resources.set(address, '')
  }

  /** Records the `$id` of a schema. Draft-06 and draft-07 also write anchors as `$id`. */
  identify(pointer: string, id: string): void {
    if (id.startsWith('#')) {
      if (id.length > 1) this.anchor(pointer, id.slice(1))
      return
    }
    const address = resolveAddress(id.replace(/#.*$/s, ''), this.#resourceOf(pointer).address)
    this.#addresses.set(pointer, address)
    if (!this.#resources.has(address)) this.#resources.set(address, pointer)
  }

  anchor(pointer: string, name: string): void {
    for (const key of [`${this.#resourceOf(pointer).address}#${name}`, `#${name}`])
      if (!this.#anchors.has(key)) this.#anchors.set(key, pointer)
  }

  /**
   * Resolves a reference of the schema at a pointer.
   * @returns the places in this document that it may mean, best first; null if it means another document
   */
  resolve(from: string, reference: string): { readonly to: SchemaAddress; readonly places: string[] | null } {
    const resource = this.#resourceOf(from)
    const to = resolveReference(reference, resource.address)
    // Many authors write `#/$defs/x` for the root of the document below another $id, so that is the second place.
    const places = reference.startsWith('#') ? this.#places(to, [resource.pointer, '']) : this.locate(to)
    return { to, places }
  }

  /** Returns the places that an address means in this document; null if the address is of another document. */
  locate(to: SchemaAddress): string[] | null {
    const resource = this.#resources.get(to.address)
    return resource === undefined ? null : this.#places(to, [resource])
  }

  #places({ address, fragment }: SchemaAddress, resources: readonly string[]): string[] {
    if (fragment === null) return []
    if (fragment === '' || fragment.startsWith('/')) return resources.map((pointer) => pointer + fragment)
    const anchor = this.#anchors.get(`${address}#${fragment}`) ?? this.#anchors.get(`#${fragment}`)
    return anchor === undefined ? [] : [anchor]
  }

  /** Returns the resource that contains a schema. */
  #resourceOf(pointer: string): { readonly pointer: string; readonly address: string } {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const address = this.#addresses.get(at)
      if (address !== undefined) return { pointer: at, address }
    }
  }
}

/** Returns whether a document follows draft-03 or draft-04, in which `id` is what later drafts call `$id`. */
export function isDraft4({ $schema }: { readonly $schema?: Json | undefined }): boolean {
  return typeof $schema === 'string' && /draft-0[34]/.test($schema)
}
