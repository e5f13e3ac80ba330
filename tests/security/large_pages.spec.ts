import { test } from '@japa/runner'
import type { ApiResponse } from '@japa/api-client'
import { recordStatements } from '#tests/helpers/count_statements'
import { aNotification } from '#tests/helpers/inbox'
import { aBroadcast, pathOf } from '#tests/helpers/broadcasts'
import { manageApplication } from '#tests/helpers/management'
import { nextPage } from '#tests/helpers/pages'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { INTERNAL_KEY } from '#tests/world/prepare'

const MIB = 1_048_576
/** A page and the row that exceeds it. */
const MAX_PAGE_BYTES = 5 * MIB
const INBOX = '/api/profile/me/notifications/inbox'

/** Compresses well, so that the database stores much less than it returns. */
const text = (length: number) => 'x'.repeat(length)

interface Item {
  id: number
}

const itemsOf = (response: ApiResponse): Item[] => response.body().data ?? response.body().response

const sizeOf = (response: ApiResponse) => JSON.stringify(response.body()).length

/** Reads all pages of a list and checks the size of each. */
async function readPages(get: (path: string) => Promise<ApiResponse>, path: string) {
  const ids: number[] = []
  const counts: number[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const response: ApiResponse = await get(next)
    response.assertStatus(200)
    if (sizeOf(response) > MAX_PAGE_BYTES) throw new Error(`A page has ${sizeOf(response)} bytes`)
    const items = itemsOf(response)
    ids.push(...items.map(({ id }) => id))
    counts.push(items.length)
    next = nextPage(response)
  }
  return { ids, counts }
}

test.group('Pages of large rows', (group) => {
  group.each.timeout(60_000)

  test('of the inbox end early, and the next page starts there', async ({ client, assert }) => {
    const email = uniqueEmail()
    const ids: number[] = []
    for (let index = 0; index < 10; index++) {
      const payload = { text: text(index === 5 ? 100 : MIB) }
      const { id } = await aNotification(email, { payload })
      ids.unshift(id)
    }
    const person = signedIn(client, email)
    const { ids: listed, counts } = await readPages(
      (path) => person.get(path),
      `${INBOX}?limit=200`
    )
    assert.deepEqual(listed, ids)
    assert.deepEqual(counts, [3, 4, 3])
  })

  test('end early if their values take much more memory than text', async ({ client, assert }) => {
    const lists = (count: number) => ({ lists: Array.from({ length: count }, () => []) })
    const email = uniqueEmail()
    for (let index = 0; index < 3; index++) {
      await aNotification(email, { payload: lists(100_000) })
    }
    const person = signedIn(client, email)
    const inbox = await readPages((path) => person.get(path), `${INBOX}?limit=200`)
    assert.deepEqual(inbox.counts, [1, 1, 1])

    const { code } = await anApplication()
    const { id } = await manageApplication(client, code).entity()
    const resources = Array.from({ length: 40 }, (_, index) => {
      return { resourceId: String(index), properties: lists(5_000) }
    })
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/entities/${id}/resources`
    ;(await admin.put(path, { resources })).assertStatus(200)
    const pages: string[][] = []
    let next: string | undefined = `${path}?limit=200`
    while (next !== undefined) {
      const response: ApiResponse = await admin.get(next)
      pages.push(response.body().data.map((item: { resourceId: string }) => item.resourceId))
      next = nextPage(response)
    }
    assert.deepEqual(
      pages.flat(),
      resources.map(({ resourceId }) => resourceId)
    )
    assert.isBelow(pages[0].length, 20)
  })

  test('have at least one row, and small rows fill them', async ({ client, assert }) => {
    const email = uniqueEmail()
    for (const size of [10, 4.5 * MIB, 10, 10]) {
      await aNotification(email, { payload: { text: text(size) } })
    }
    const person = signedIn(client, email)
    const sizes: number[] = []
    for (const path of [`${INBOX}?limit=200`, `${INBOX}?limit=2`]) {
      let next: string | undefined = path
      while (next !== undefined) {
        const response: ApiResponse = await person.get(next)
        sizes.push(itemsOf(response).length)
        next = nextPage(response)
      }
    }
    assert.deepEqual(sizes, [2, 1, 1, 2, 1, 1])
  })

  test('of the inbox are read in a fixed number of statements', async ({ client, assert }) => {
    const email = uniqueEmail()
    for (let index = 0; index < 8; index++) {
      await aNotification(email, { payload: { text: text(MIB) } })
    }
    const person = signedIn(client, email)
    // The first request binds the record to the account, so that the second reads it again.
    await person.get(INBOX)
    await person.get(INBOX)
    const countStatements = async (path: string) =>
      (await recordStatements(() => person.get(path))).length
    assert.equal(
      await countStatements(`${INBOX}?limit=8`),
      await countStatements(`${INBOX}?limit=1`)
    )
  })

  test('of the log end early for every reader', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const ids: number[] = []
    for (let index = 0; index < 10; index++) {
      const { id } = await aNotification(email, { appCode, subject: text(MIB) })
      ids.unshift(id)
    }
    const internal = (path: string) => client.get(path).header('x-internal-api-key', INTERNAL_KEY)
    const readers: [string, (path: string) => Promise<ApiResponse>][] = [
      [`/api/admin/notifications/log/${appCode}`, (path) => superAdmin(client).get(path)],
      [`/api/internal/notifications/log/app/${appCode}`, async (path) => internal(path)],
      [`/api/internal/notifications/log/${email}`, async (path) => internal(path)],
    ]
    for (const [path, get] of readers) {
      const { ids: listed, counts } = await readPages(get, `${path}?limit=200`)
      assert.deepEqual(listed, ids, path)
      assert.isAtMost(Math.max(...counts), 4, path)
    }
  })

  test('of the log read only the rows they show', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    for (let index = 0; index < 5; index++) {
      await aNotification(uniqueEmail(), { appCode, payload: { text: text(MIB) } })
    }
    const statements = await recordStatements(() =>
      superAdmin(client).get(`/api/admin/notifications/log/${appCode}?limit=200`)
    )
    const reads = statements.filter((sql) => /from ["`]?notifications/.test(sql))
    assert.isNotEmpty(reads)
    for (const sql of reads) assert.notMatch(sql, /payload|\*/)
  })

  test('of broadcasts and language versions read only what they show', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const template = await aTemplate(application, await aType(application))
    await aVersion(template, 'en')
    const statements = await recordStatements(async () => {
      const broadcasts = await superAdmin(client).get(pathOf(application))
      assert.lengthOf(itemsOf(broadcasts), 1)
      const path = `/api/admin/notifications/templates/${template.id}/locales`
      assert.lengthOf(itemsOf(await superAdmin(client).get(path)), 1)
    })
    for (const table of ['broadcasts', 'template_versions']) {
      const reads = statements.filter((sql) => new RegExp(`from ["\`]?${table}`).test(sql))
      assert.isNotEmpty(reads)
      for (const sql of reads) assert.notMatch(sql, /\bdata\b|inlined_body|text_template|\*/)
    }
  })
})
