/** Reads pages until the last one. */
export async function* pages<Page extends { nextCursor: string | null }>(
  read: (cursor: { cursor?: string }) => Promise<Page>
): AsyncGenerator<Page> {
  for (let cursor = {}; ;) {
    const page = await read(cursor)
    yield page
    if (page.nextCursor === null) return
    cursor = { cursor: page.nextCursor }
  }
}
