import { createRequire } from 'node:module'
import type * as Cbor from './cbor.ts'
import type * as Diagnostic from './diagnostic.ts'
import { lazyModule } from './lazy-module.ts'
import type * as Msgpack from './msgpack.ts'
import type * as PrintYaml from './print-yaml.ts'

/** Encodings that most documents do not use: each library is loaded on first use. */

const require = createRequire(import.meta.url)
const loadPrintYaml = lazyModule<typeof PrintYaml>(() => require('./print-yaml.ts'))
const loadDiagnostic = lazyModule<typeof Diagnostic>(() => require('./diagnostic.ts'))
const cbor = lazyModule<typeof Cbor>(() => require('./cbor.ts'))
const msgpack = lazyModule<typeof Msgpack>(() => require('./msgpack.ts'))

export const encodeCbor: typeof Cbor.encodeCbor = (value) => cbor().encodeCbor(value)
export const decodeCbor: typeof Cbor.decodeCbor = (bytes, options) => cbor().decodeCbor(bytes, options)
export const parseCbor: typeof Cbor.parseCbor = (bytes, limits) => cbor().parseCbor(bytes, limits)

export const encodeMsgpack: typeof Msgpack.encodeMsgpack = (value) => msgpack().encodeMsgpack(value)
export const decodeMsgpack: typeof Msgpack.decodeMsgpack = (bytes, options) =>
  msgpack().decodeMsgpack(bytes, options)
export const parseMsgpack: typeof Msgpack.parseMsgpack = (bytes, limits) =>
  msgpack().parseMsgpack(bytes, limits)

export const printYaml: typeof PrintYaml.printYaml = (value) => loadPrintYaml().printYaml(value)

export const toDiagnostic: typeof Diagnostic.toDiagnostic = (bytes) => loadDiagnostic().toDiagnostic(bytes)
