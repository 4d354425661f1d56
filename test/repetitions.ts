/** Whether the long forms of random tests run: `npm run test:all` says so. */
const IS_LONG = process.env.WAYBILL_TEST_LONG === '1'

/** Returns how often a random test repeats its case: the whole number in the long form, else a quarter. */
export function repetitions(whole: number): number {
  return IS_LONG ? whole : Math.ceil(whole / 4)
}
