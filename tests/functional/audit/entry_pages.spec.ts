import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sealAll } from '#tests/helpers/audit_chain'
import { manageApplication } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const PATH = '/api/admin/audit'

type Reader = ReturnType<typeof superAdmin>

/** The labels of the targets on each page. */
async function pagesOf(reader: Reader, query: string, limit = 1): Promise<string[][]> {
  const pages: string[][] = []
  let path: string | undefined = `${PATH}?${query}&limit=${limit}`
  while (path) {
    const page = await reader.get(path)
    page.assertStatus(200)
    pages.push(page.body().data.map(({ target }: any) => target.label))
    path = /<([^>]+)>; rel="next"/.exec(page.header('link') ?? '')?.[1]
  }
  return pages
}

/** Entries whose places are before the chain, so that they are no part of it. */
async function addSealed(count: number, fields: (index: number) => object) {
  const [{ lowest }] = await db.from('audit_entries').min('sequence as lowest')
  const first = Math.min(0, Number(lowest ?? 0)) - count
  const rows = Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2002, 0, 1) + index * 1_000).toISOString(),
    actor_kind: 'user',
    action: 'role.updated',
    target_kind: 'role',
    target_id: '1',
    target_label: String(index),
    sequence: first + index,
    hash: '0'.repeat(64),
    ...fields(index),
  }))
  for (let start = 0; start < count; start += 500) {
    await db.table('audit_entries').multiInsert(rows.slice(start, start + 500))
  }
}

test.group('Pages of audit entries', () => {
  test('have the newest entry first', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    for (let index = 0; index < 3; index++) await manage.role({ code: `role-${index}` })
    const query = `application=${code}&targetKind=role`
    const pages = await pagesOf(superAdmin(client), query, 2)
    assert.deepEqual(pages, [['role-2', 'role-1'], ['role-0']])
    const counted = await superAdmin(client).get(`${PATH}?${query}&limit=1&count=true`)
    assert.equal(counted.header('x-total-count'), '3')
  })

  test('are the same before and after entries are sealed', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const labels = ['a', 'b', 'c', 'd'].map((prefix) => uniqueCode(prefix))
    for (const [index, label] of labels.entries()) {
      await manage.role({ code: label })
      if (index === 1) await sealAll()
    }
    const admin = superAdmin(client)
    const filters = [
      `application=${code}&targetKind=role`,
      `application=${code}&action=role.created`,
      `application=${code}&targetKind=role&actor=${encodeURIComponent(SUPER_ADMIN)}`,
      `application=${code}&targetKind=role&actorKind=user&from=2020-01-01T00:00:00Z`,
    ]
    for (const seal of [async () => {}, sealAll]) {
      await seal()
      for (const filter of filters) {
        assert.deepEqual((await pagesOf(admin, filter)).flat(), labels.toReversed(), filter)
        const counted = await admin.get(`${PATH}?${filter}&limit=1&count=true`)
        assert.equal(counted.header('x-total-count'), '4')
      }
    }
  })

  for (const [name, seal] of [
    ['before', async () => {}],
    ['after', sealAll],
  ] as const) {
    test(`are in the order of time, whatever the clock said, ${name} sealing`, async ({
      assert,
      client,
    }) => {
      const { code } = await anApplication()
      const manage = manageApplication(client, code)
      for (const role of ['a', 'b', 'c', 'd']) await manage.role({ code: role })
      const times = { a: '2001-01-03', b: '2001-01-02', c: '2001-01-04', d: '2001-01-05' }
      for (const [label, day] of Object.entries(times)) {
        const ofRole = { application: code, target_kind: 'role', target_label: label }
        await db
          .from('audit_entries')
          .where(ofRole)
          .update({ at: `${day}T00:00:00.000Z` })
      }
      await seal()
      const query = `application=${code}&targetKind=role`
      const whole = await pagesOf(superAdmin(client), query)
      assert.deepEqual(whole.flat(), ['d', 'c', 'a', 'b'])
      const period = 'from=2001-01-02T00:00:00Z&to=2001-01-05T00:00:00Z'
      for (const narrowed of [`application=${code}`, query]) {
        const found = await pagesOf(superAdmin(client), `${narrowed}&${period}`)
        assert.deepEqual(found.flat(), ['c', 'a', 'b'], narrowed)
      }
    })
  }

  test('have the entries of all applications that the caller can see', async ({
    assert,
    client,
  }) => {
    const [first, second, other] = [
      await anApplication(),
      await anApplication(),
      await anApplication(),
    ]
    const labels = Array.from({ length: 6 }, (_, index) => `${uniqueCode('role')}-${index}`)
    for (const [index, code] of labels.entries()) {
      await manageApplication(client, [first, second, other][index % 3].code).role({ code })
    }
    const visible = labels.filter((_, index) => index % 3 < 2).toReversed()
    const email = await anAdministratorOf(first)
    await manageApplication(client, second.code).administrator(email)
    const filters = [
      'targetKind=role',
      'targetKind=role&action=role.created',
      `targetKind=role&actor=${encodeURIComponent(SUPER_ADMIN)}`,
    ]
    for (const seal of [async () => {}, sealAll]) {
      await seal()
      for (const filter of filters) {
        const found = await pagesOf(signedIn(client, email), filter, 3)
        assert.deepEqual(found.flat(), visible, filter)
      }
    }
  })

  test('end early if few of many entries match, and the next ones have the others', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const { id, code } = application
    const actor = uniqueEmail()
    // Both filters leave many entries, but both together only three.
    const rare = new Set([2, 7_000, 21_000])
    await addSealed(22_000, (index) => ({
      application: code,
      application_id: id,
      actor_email: rare.has(index) ? actor : SUPER_ADMIN,
      action: rare.has(index) ? 'role.created' : 'role.updated',
    }))
    const query = `application=${code}&action=role.created`
    for (const reader of [
      superAdmin(client),
      signedIn(client, await anAdministratorOf(application)),
    ]) {
      const pages = await pagesOf(reader, query, 50)
      assert.deepEqual(pages, [['21000'], ['7000'], ['2']])
      const period = `from=2002-01-01T00:00:00Z&to=2002-01-01T02:00:00Z`
      assert.deepEqual(await pagesOf(reader, `${query}&${period}`, 50), [['7000', '2']])
    }
    const own = await pagesOf(superAdmin(client), `${query}&actor=${encodeURIComponent(actor)}`, 50)
    assert.deepEqual(own, [['21000', '7000', '2']])
  })
})
