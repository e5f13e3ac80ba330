import type { ApiResponse } from '@japa/api-client'

/** The next page of the `Link` header; undefined on the last page. */
export function nextPage(response: ApiResponse): string | undefined {
  const link: string | undefined = response.header('link')
  return link === undefined ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
}

/** The items of all pages, in order, and the size of each page. */
export async function allPages<T>(
  get: (path: string) => Promise<ApiResponse>,
  path: string
): Promise<{ items: T[]; sizes: number[] }> {
  const items: T[] = []
  const sizes: number[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const response: ApiResponse = await get(next)
    response.assertStatus(200)
    items.push(...response.body().data)
    sizes.push(response.body().data.length)
    next = nextPage(response)
  }
  return { items, sizes }
}
