/** Returns the rule for a pointer: that of the first pattern that matches; `*` is any array index. */
export type PlaceTable = readonly (readonly [pattern: RegExp, rule: string])[]

export function ruleAt(pointer: string, table: PlaceTable, otherwise: string): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return table.find(([pattern]) => pattern.test(place))?.[1] ?? otherwise
}
