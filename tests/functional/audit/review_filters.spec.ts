import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { countLogin } from '#app/profiles/queries/count_login'
import User from '#app/profiles/models/user'
import { transaction } from '#core/database/transaction'
import { reviewOf } from '#tests/helpers/access_review'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { serviceUrl } from '#tests/helpers/send'

const inDays = (days: number) => DateTime.utc().plus({ days }).toISO()

/** Holders of two roles with time windows, of an override, and of everything. */
async function anApplicationToReview(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const [clerk, seller] = [
    await manage.role({ code: 'clerk' }),
    await manage.role({ code: 'seller' }),
  ]
  const [open, close] = [
    await manage.permission({ code: 'open' }),
    await manage.permission({ code: 'close' }),
  ]
  await manage.rolePermissions(clerk.id, [{ permissionId: open.id, accessLevel: 'allowed' }])
  await manage.rolePermissions(seller.id, [{ permissionId: close.id, accessLevel: 'allowed' }])
  const [ada, alan, grace] = ['ada', 'alan', 'grace'].map(uniqueEmail) as [string, string, string]
  const give = async (email: string, roles: object[]) => {
    const path = `/api/users/${inPath(email)}/apps/${application.code}/roles`
    ;(await superAdmin(client).put(path, { roles })).assertStatus(200)
  }
  await give(ada, [{ roleId: clerk.id, validUntil: inDays(3) }, { roleId: seller.id }])
  await give(alan, [
    { roleId: clerk.id, validUntil: '2020-01-01T00:00:00.000Z' },
    { roleId: seller.id, validFrom: inDays(2), validUntil: inDays(4) },
  ])
  await manage.overrides(grace, ['order', '1'], [{ permissionId: open.id, granted: true }])
  const boss = await anAdministratorOf(application)
  return { application, ada, alan, grace, boss, manage, clerk }
}

const linesOf = (rights: any[]) =>
  rights
    .filter(({ email }) => email !== SUPER_ADMIN)
    .map(({ email, role, permission }) => [email, role ?? permission ?? '*'].join(' '))

test.group('Filters of a review of access', () => {
  test('leave what matches, alone and together', async ({ client, assert }) => {
    const { application, ada, alan, grace, boss } = await anApplicationToReview(client)
    const expected: [string, string[]][] = [
      [`email=${inPath(ada)}`, [`${ada} clerk`, `${ada} seller`]],
      [`email=${inPath(uniqueEmail())}`, []],
      ['source=override', [`${grace} open`]],
      ['source=app_admin', [`${boss} *`]],
      ['role=clerk', [`${ada} clerk`, `${alan} clerk`]],
      ['role=unknown', []],
      ['permission=open', [`${ada} clerk`, `${alan} clerk`, `${boss} *`, `${grace} open`]],
      ['state=ended', [`${alan} clerk`]],
      ['state=scheduled', [`${alan} seller`]],
      ['state=active', [`${ada} clerk`, `${ada} seller`, `${boss} *`, `${grace} open`]],
      ['endsWithinDays=7', [`${ada} clerk`]],
      ['endsWithinDays=1', []],
      ['role=clerk&state=active', [`${ada} clerk`]],
    ]
    for (const [query, lines] of expected) {
      const found = linesOf(await reviewOf(superAdmin(client), application, query))
      assert.sameMembers(found, lines, query)
    }
  })

  test('find inactive users', async ({ client, assert }) => {
    const { application, ada, grace } = await anApplicationToReview(client)
    await User.create({ email: ada, active: false, displayName: 'Ada', theme: 'system' })
    await User.create({ email: grace, active: true, displayName: 'Grace', theme: 'system' })
    const admin = superAdmin(client)
    const inactive = await reviewOf(admin, application, 'active=false')
    assert.sameMembers(linesOf(inactive), [`${ada} clerk`, `${ada} seller`])
    const active = await reviewOf(admin, application, 'active=true')
    assert.sameMembers(linesOf(active), [`${grace} open`])
  })

  test('find users who have not logged in to the application', async ({ client, assert }) => {
    const { application, ada, alan, grace, boss } = await anApplicationToReview(client)
    const logins = new Map([
      [ada, DateTime.utc().minus({ days: 100 })],
      [alan, DateTime.utc().minus({ days: 1 })],
    ])
    for (const [email, at] of logins) {
      const { id: userId } = await User.create({ email, active: true, theme: 'system' })
      const key = { userId, applicationId: application.id }
      await transaction((trx) => countLogin(key, at, trx))
    }
    const admin = superAdmin(client)
    const found = await reviewOf(admin, application, 'noLoginForDays=90')
    const others = found.filter(({ email }) => email !== SUPER_ADMIN)
    assert.sameMembers([...new Set(others.map(({ email }) => email))], [ada, grace, boss])
    const at = new Map(others.map((right) => [right.email, right.lastLoginAt]))
    assert.equal(at.get(ada), logins.get(ada)!.toISO())
    assert.isNull(at.get(grace))
    const longer = await reviewOf(admin, application, 'noLoginForDays=120')
    assert.notInclude(
      longer.map(({ email }) => email),
      ada
    )
  })

  test('go through all users, of whom few match, page by page', async ({ client, assert }) => {
    const { application, ada, alan, grace } = await anApplicationToReview(client)
    const rows = Array.from({ length: 2_100 }, () => ({ email: uniqueEmail('b'), role: 'seller' }))
    const path = `/api/applications/${application.code}/assignments/import`
    const admin = superAdmin(client)
    ;(await admin.post(path, { rows })).assertStatus(200)
    const review = `/api/applications/${application.code}/access-review`
    const first = await admin.get(`${review}?role=clerk&limit=200`)
    assert.sameMembers(linesOf(first.body().data), [`${ada} clerk`, `${alan} clerk`])
    assert.match(first.header('link')!, /rel="next"/)
    const all = await reviewOf(admin, application, 'source=override')
    assert.deepEqual(linesOf(all), [`${grace} open`])
    const sellers = await reviewOf(admin, application, 'role=seller')
    assert.lengthOf(sellers, rows.length + 2)
  })

  test('narrow the exports, too', async ({ client, assert }) => {
    const { application, grace } = await anApplicationToReview(client)
    const headers = {
      authorization: `Bearer ${await issuer.token(SUPER_ADMIN)}`,
      accept: 'text/csv',
    }
    const url = `${serviceUrl()}/api/applications/${application.code}/access-review?source=override`
    const text = await (await fetch(url, { headers })).text()
    const [header, line, ...rest] = text.trimEnd().split('\n')
    assert.match(header!, /^email,.*,lastLoginAt$/)
    assert.include(line!, grace)
    assert.isEmpty(rest)
  })

  test('refuse other values, and the cursor of other filters', async ({ client, assert }) => {
    const { application } = await anApplicationToReview(client)
    const admin = superAdmin(client)
    const review = `/api/applications/${application.code}/access-review`
    for (const [field, value] of [
      ['email', 'nobody'],
      ['source', 'group'],
      ['role', 'x'.repeat(129)],
      ['permission', '%00'],
      ['state', 'gone'],
      ['endsWithinDays', '0'],
      ['endsWithinDays', '367'],
      ['active', 'maybe'],
      ['noLoginForDays', '3651'],
    ]) {
      const response = await admin.get(`${review}?${field}=${value}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.equal(response.body().details.errors[0].field, field)
    }
    const { link } = (await admin.get(`${review}?limit=1&state=active`)).headers()
    const cursor = /cursor=([^&>]+)/.exec(link)![1]
    ;(await admin.get(`${review}?state=active&cursor=${cursor}`)).assertStatus(200)
    const other = await admin.get(`${review}?state=ended&cursor=${cursor}`)
    other.assertProblem(400, 'VALIDATION_ERROR')
  })
})
