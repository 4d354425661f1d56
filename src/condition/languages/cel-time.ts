import { createRequire } from 'node:module'
import type * as Cel from '@bufbuild/cel'
import type * as Wkt from '@bufbuild/protobuf/wkt'

const require = createRequire(import.meta.url)
const DAY_MS = 86_400_000

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
}

/**
 * Returns the parts of a timestamp. The library uses the time zone of the machine, where an hour may be missing, and
 * zone names from data that differs between machines; this function supports only UTC and offsets such as `+02:00`.
 */
export function timeFunctions({ celMethod, objectType, CelScalar }: typeof Cel): Cel.CelFunc[] {
  const { TimestampSchema } = require('@bufbuild/protobuf/wkt') as typeof Wkt
  const timestamp = objectType(TimestampSchema)
  return Object.entries(PARTS).flatMap(([name, part]) => [
    celMethod(name, timestamp, [], CelScalar.INT, function () {
      return BigInt(part(dateOf(this.message, 'UTC')))
    }),
    celMethod(name, timestamp, [CelScalar.STRING], CelScalar.INT, function (zone) {
      return BigInt(part(dateOf(this.message, zone)))
    }),
  ])
}

/** Returns a date whose UTC parts are those of the timestamp in the zone. */
function dateOf({ seconds, nanos }: { seconds: bigint; nanos: number }, zone: string): Date {
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (offset === null && zone !== 'UTC') {
    throw new Error(`time zones by name differ between machines: write an offset such as +02:00 for ${zone}`)
  }
  const minutes = Number(offset?.[2] ?? 0) * 60 + Number(offset?.[3] ?? 0)
  const shift = (offset?.[1] === '-' ? -minutes : minutes) * 60_000
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000) + shift)
}
