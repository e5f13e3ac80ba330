import type { signedIn } from '#tests/helpers/people'

/**
 * All rights of a review, page by page.
 *
 * @param filter as in a query string
 */
export async function reviewOf(
  admin: ReturnType<typeof signedIn>,
  { code }: { code: string },
  filter = ''
) {
  const rights: any[] = []
  let path: string | undefined = `/api/applications/${code}/access-review?limit=200&${filter}`
  while (path) {
    const page = await admin.get(path)
    page.assertStatus(200)
    rights.push(...page.body().data)
    path = /<([^>]+)>; rel="next"/.exec(page.header('link') ?? '')?.[1]
  }
  return rights
}
