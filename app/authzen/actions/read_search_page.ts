import { invalidField } from '#core/exceptions/problems'
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT } from '#app/checks/actions/search_candidates'
import { openToken, sealToken } from '#app/authzen/values/page_token'
import type { ResultPage, SearchPage } from '#app/authzen/values/result_page'
import type { PageRequest } from '#app/authzen/values/authzen_search'

/** See authzen.md#pages. */
export interface SearchResponse<Result> {
  page: {
    /** Empty on the last page. */
    next_token: string
    count: number
    /** Absent if they were not counted. */
    total?: number
  }
  results: Result[]
}

/**
 * Finds the page that a request asks for.
 *
 * @param searched everything that the search asks for
 * @throws ValidationError for a token of another search, and what `find` throws
 */
export async function readSearchPage<Result>(
  searched: unknown,
  request: PageRequest,
  find: (page: SearchPage) => Promise<ResultPage<Result>>
): Promise<SearchResponse<Result>> {
  const { cursor, limit } = positionOf(request, searched)
  const seal = (next: string | null) => sealToken({ cursor: next, limit }, searched)
  const size = Math.min(Math.max(limit, 1), MAX_SEARCH_LIMIT)
  const { results, nextCursor, total } = await find({ limit: size, cursor: cursor ?? undefined })
  const counted = total === null ? {} : { total }
  if (limit === 0) {
    const isEnd = results.length === 0 && nextCursor === null
    return { page: { next_token: isEnd ? '' : seal(cursor), count: 0, ...counted }, results: [] }
  }
  const nextToken = nextCursor === null ? '' : seal(nextCursor)
  return { page: { next_token: nextToken, count: results.length, ...counted }, results }
}

function positionOf({ token, limit }: PageRequest, searched: unknown) {
  if (token === undefined) return { cursor: null, limit: limit ?? DEFAULT_SEARCH_LIMIT }
  const position = openToken(token, searched)
  if (limit === undefined || limit === position.limit) return position
  const message = 'page.limit must be that of the first page, or be left out'
  throw invalidField('page.limit', 'limit', message)
}
