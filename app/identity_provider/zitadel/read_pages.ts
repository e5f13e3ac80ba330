import { unusableList } from '#app/identity_provider/zitadel/call_provider'

/** The minimum number of items that can be added while a list is read. */
const MIN_NEWCOMERS = 1_000

/**
 * Reads a list to its end, which is an empty page, as pages may be smaller than requested.
 * @throws UpstreamUnreachable for a list that would not end
 */
export async function* readPages<Item>(
  search: (offset: number) => Promise<{ items: Item[]; total: number }>,
  idOf: (item: Item) => string
): AsyncGenerator<Item[]> {
  let [read, most] = [0, Number.POSITIVE_INFINITY]
  let previousIds = new Set<string>()
  for (;;) {
    const { items, total } = await search(read)
    if (items.length === 0) return
    if (items.every((item) => previousIds.has(idOf(item)))) throw unusableList('no_progress')
    if (read === 0) most = total + Math.max(MIN_NEWCOMERS, total / 10)
    read += items.length
    if (read > most) throw unusableList('more_than_total')
    yield items
    previousIds = new Set(items.map(idOf))
  }
}
