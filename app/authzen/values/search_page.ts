/** Which part of the results a search asks for (authzen.md#pages). */
export interface SearchPage {
  /** The most results of a page. */
  limit: number
  /** Of the previous page. */
  cursor?: string
}

/** A subject or a resource that was found. */
export interface ThingReference {
  type: string
  id: string
}

/** What a search found, in the order of the pages. */
export interface FoundThings<Thing> {
  things: Thing[]
  /** Null on the last page. */
  nextCursor: string | null
  /** Null if they were not counted. */
  total: number | null
}

export const NOTHING: FoundThings<never> = { things: [], nextCursor: null, total: 0 }
