/** A field that someone else has changed, and so have you. */
export interface Conflict {
  field: string
  theirs: unknown
}

interface Versions<Values> {
  mine: Values
  theirs: Values
  /** What both began with. */
  base: Values
}

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Takes their changes of what is unchanged here, and lists what both have changed. */
export function mergeChanges<Values extends object>({ mine, theirs, base }: Versions<Values>) {
  const taken: Partial<Values> = {}
  const conflicts: Conflict[] = []
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (same(theirs[field], base[field]) || same(theirs[field], mine[field])) continue
    if (same(mine[field], base[field])) taken[field] = theirs[field]
    else conflicts.push({ field, theirs: theirs[field] })
  }
  return { taken, conflicts }
}
