/** Which part of the results a search asks for (authzen.md#pages). */
export interface SearchPage {
  /** The most results of a page. */
  limit: number
  /** Of the previous page. */
  cursor?: string
}

/** Identifies a subject or a resource. */
export interface TypedId {
  type: string
  id: string
}

/** What a search found, in the order of the pages. */
export interface ResultPage<Result> {
  results: Result[]
  /** Null on the last page. */
  nextCursor: string | null
  /** Null if they were not counted. */
  total: number | null
}

export const NOTHING: ResultPage<never> = { results: [], nextCursor: null, total: 0 }
