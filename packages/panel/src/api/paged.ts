import { type QueryKey, keepPreviousData, useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, ref, toValue, watch } from 'vue'
import { nextCursor, totalCount } from '@/api/client'

export const PAGE_SIZE = 25
/** A page can be empty and have a next one; so many of them are read at once. */
const MOST_EMPTY_PAGES = 10

/** What a page of a list asks for. */
export interface PageRequest {
  limit: number
  cursor: string | undefined
  count?: 'true'
}

interface Found<Row> {
  data?: { data: Row[] }
  response: Response
}

/** A page of a list, however it was read. */
export interface PageOfRows<Row> {
  rows: Row[]
  /** The cursor of the next page; null on the last one. */
  next: string | null
  /** Null if they were not counted. */
  total: number | null
}

interface PagesOptions<Row> {
  /** How long a page counts as fresh, in milliseconds. */
  staleTime?: number
  /** After how many milliseconds a page with these rows is read again; null for never. */
  watchMs?: (rows: Row[]) => number | null
}

interface PagedQueryOptions<Row> extends PagesOptions<Row> {
  /** Whether to ask how many rows all pages have; true by default. */
  isCounted?: boolean
}

/** A list whose pages are linked by the `Link` header. */
export const usePagedQuery = <Row>(
  key: MaybeRefOrGetter<QueryKey>,
  fetchPage: (page: PageRequest, signal: AbortSignal) => Promise<Found<Row>>,
  enabled: MaybeRefOrGetter<boolean> = true,
  { isCounted = true, ...options }: PagedQueryOptions<Row> = {}
) =>
  usePages(
    key,
    (first, signal) =>
      skipEmptyPages(first, async (cursor): Promise<PageOfRows<Row>> => {
        const page: PageRequest = { limit: PAGE_SIZE, cursor, ...(isCounted && { count: 'true' }) }
        const { data, response } = await fetchPage(page, signal)
        return { rows: data!.data, next: nextCursor(response), total: totalCount(response) }
      }),
    enabled,
    options
  )

/** The first page from a cursor on that has rows, unless that is far away. */
async function skipEmptyPages<Row>(
  cursor: string | undefined,
  readPage: (cursor: string | undefined) => Promise<PageOfRows<Row>>
): Promise<PageOfRows<Row>> {
  let page = await readPage(cursor)
  for (let read = 1; read < MOST_EMPTY_PAGES; read++) {
    if (page.rows.length > 0 || page.next === null) break
    page = await readPage(page.next)
  }
  return page
}

/**
 * A list, a page at a time. When the key changes (another search, another application), it starts
 * with the first page again.
 */
export function usePages<Row, More = unknown>(
  key: MaybeRefOrGetter<QueryKey>,
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOfRows<Row> & More>,
  enabled: MaybeRefOrGetter<boolean> = true,
  options: PagesOptions<Row> = {}
) {
  /** Of the pages after the first, up to the present one. */
  const cursors = ref<string[]>([])
  watch(
    () => JSON.stringify(toValue(key)),
    () => (cursors.value = [])
  )
  const { watchMs, ...others } = options
  const query = useQuery<PageOfRows<Row> & More>({
    queryKey: computed(() => [...toValue(key), 'page', cursors.value.at(-1) ?? null]),
    enabled: computed(() => toValue(enabled)),
    ...others,
    refetchInterval: ({ state }) => watchMs?.(state.data?.rows ?? []) ?? false,
    placeholderData: keepPreviousData as never,
    queryFn: ({ signal }) => readPage(cursors.value.at(-1), signal),
  })
  return {
    ...query,
    rows: computed((): Row[] => query.data.value?.rows ?? []),
    pager: computed(() => ({
      page: cursors.value.length + 1,
      total: query.data.value?.total ?? null,
      hasPrevious: cursors.value.length > 0,
      hasNext: Boolean(query.data.value?.next),
    })),
    toPrevious: () => (cursors.value = cursors.value.slice(0, -1)),
    toNext: () => {
      const next = query.data.value?.next
      if (next) cursors.value = [...cursors.value, next]
    },
  }
}
