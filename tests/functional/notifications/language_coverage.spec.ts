import { test } from '@japa/runner'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { allPages } from '#tests/helpers/pages'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const PATH = '/api/admin/languages/coverage'

test.group('Language coverage', () => {
  test('counts versions per type and language', async ({ assert, client }) => {
    const application = await anApplication()
    const [first, second] = [await aType(application), await aType(application)]
    await aType(application)
    const templates = [
      await aTemplate(application, first, { key: 'one' }),
      await aTemplate(application, first, { key: 'two' }),
      await aTemplate(application, second),
    ]
    for (const locale of ['en', 'cs']) await aVersion(templates[0], locale)
    await aVersion(templates[1], 'en')
    const expected = [
      {
        appCode: application.code,
        type: first.code,
        name: first.name,
        templates: 2,
        languages: [
          { code: 'cs', versions: 1 },
          { code: 'en', versions: 2 },
        ],
      },
      {
        appCode: application.code,
        type: second.code,
        name: second.name,
        templates: 1,
        languages: [],
      },
    ]
    const admin = signedIn(client, await anAdministratorOf(application))
    const own = await admin.get(PATH)
    assert.deepEqual(own.body(), { success: true, data: expected })
    const { items, sizes } = await allPages(admin.get, `${PATH}?limit=1`)
    assert.deepEqual(items, expected)
    assert.deepEqual(sizes, [1, 1])
    const all = await superAdmin(client).get(`${PATH}?appCode=${application.code}`)
    assert.deepEqual(all.body().data, expected)
  })

  test('shows only applications that the caller sees', async ({ assert, client }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    await aTemplate(other, await aType(other))
    const admin = signedIn(client, await anAdministratorOf(mine))
    const own = await admin.get(PATH)
    assert.deepEqual(own.body().data, [])
    const hidden = await admin.get(`${PATH}?appCode=${other.code}`)
    hidden.assertProblem(403, 'FORBIDDEN')
    const nobody = await signedIn(client, uniqueEmail()).get(PATH)
    nobody.assertProblem(403, 'FORBIDDEN')
  })
})
