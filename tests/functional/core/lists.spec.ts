import { test } from '@japa/runner'
import type { ApiResponse } from '@japa/api-client'
import { createEntity } from '#app/applications/actions/create_entity'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { aBroadcast } from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'
import { anotherService } from '#tests/helpers/internal'
import { allPages } from '#tests/helpers/pages'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'

type Item = { id: number; code?: string; key?: string }

const total = (response: ApiResponse) => response.header('x-total-count')
const keysOf = (response: ApiResponse) =>
  response.body().data.map(({ code, key }: Item) => code ?? key) as string[]

/** An application with three items of each kind, and another one with more. */
async function aFullApplication() {
  const application = await anApplication()
  const type = await aType(application, { code: 'first_one', name: 'Příliš' })
  for (const own of [application, await anApplication()]) {
    for (const code of ['a_1', 'a%2', 'aX3']) {
      const key = code.replace('%', '.')
      await Role.create({ applicationId: own.id, code })
      await Permission.create({ applicationId: own.id, code, type: 'binary', global: false })
      await createEntity(own.code, { code: key, name: `Entity ${code}` })
      await aType(own, { code: key, name: `Type ${code}` })
    }
  }
  for (const key of ['a_1', 'a.2', 'aX3']) await aTemplate(application, type, { key, name: key })
  return { application, type }
}

test.group('Short lists', () => {
  test('are complete without parameters, and paged with them', async ({ assert, client }) => {
    const { application, type } = await aFullApplication()
    const admin = superAdmin(client)
    const service = anotherService(client)
    const lists = [
      [admin, `/api/applications/${application.code}/roles`],
      [admin, `/api/applications/${application.code}/permissions`],
      [admin, `/api/applications/${application.code}/entities`],
      [admin, `/api/admin/notifications/types/${application.code}`],
      [admin, `/api/admin/notifications/templates/${application.code}`],
      [admin, `/api/admin/notifications/types/${application.code}/${type.code}/templates`],
      [service, `/api/internal/notifications/types?appCode=${application.code}`],
      [service, `/api/internal/notifications/templates/${application.code}`],
    ] as const
    for (const [caller, path] of lists) {
      const list = path.includes('?') ? `${path}&` : `${path}?`
      const all = await caller.get(path)
      all.assertStatus(200)
      assert.notProperty(all.headers(), 'link', path)
      assert.notProperty(all.headers(), 'x-total-count', path)
      const ids = all.body().data.map(({ id }: Item) => id)
      const { items, sizes } = await allPages<Item>(caller.get, `${list}limit=2`)
      assert.deepEqual(
        items.map(({ id }) => id),
        ids,
        path
      )
      assert.isTrue(sizes.every((size) => size <= 2))
      const counted = await caller.get(`${list}limit=1&count=true`)
      assert.equal(total(counted), String(ids.length), path)
      const next = await caller.get(`${list}limit=1&count=1&cursor=${cursorIn(counted)}`)
      assert.equal(total(next), String(ids.length), path)
      assert.deepEqual(next.body().data[0].id, ids[1])

      const found = await caller.get(`${list}search=A_&count=true`)
      assert.deepEqual(keysOf(found), ['a_1'], path)
      assert.equal(total(found), '1')
      const none = await caller.get(`${list}search=nowhere&limit=1&count=true`)
      assert.deepEqual(none.body().data, [])
      assert.equal(total(none), '0')
      const foreign = Buffer.from("id:1' or 1=1").toString('base64url')
      const cursors = [`cursor=${foreign}`, 'cursor=']
      for (const bad of ['limit=0', 'limit=201', 'limit=x', 'count=yes', ...cursors]) {
        const refused = await caller.get(list + bad)
        refused.assertProblem(400, 'VALIDATION_ERROR')
      }
      const long = await caller.get(`${list}search=${'a'.repeat(255)}`)
      long.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'search' }] })
    }
    const types = `/api/admin/notifications/types/${application.code}`
    for (const search of ['PŘÍLIŠ', 'příliš', 'íli']) {
      const czech = await admin.get(`${types}?search=${encodeURIComponent(search)}`)
      assert.deepEqual(keysOf(czech), ['first_one'])
    }
  })

  test('of applications count and show only those that the caller sees', async ({
    assert,
    client,
  }) => {
    const name = uniqueCode('list')
    const mine = await anApplication({ name: `${name} one` })
    const other = await anApplication({ name: `${name} two` })
    const admin = signedIn(client, await anAdministratorOf(mine))
    const own = await admin.get(`/api/applications?search=${name}&limit=1&count=true`)
    assert.deepEqual(keysOf(own), [mine.code])
    assert.equal(total(own), '1')
    assert.notProperty(own.headers(), 'link')
    const { items } = await allPages<Item>(
      superAdmin(client).get,
      `/api/applications?search=${name}&limit=1`
    )
    assert.deepEqual(
      items.map(({ code }) => code),
      [mine.code, other.code]
    )
    const nothing = await signedIn(client, uniqueEmail()).get('/api/applications?count=true')
    assert.deepEqual(nothing.body().data, [])
    assert.equal(total(nothing), '0')
  })
})

function cursorIn(response: ApiResponse): string {
  return /cursor=([\w-]+)/.exec(String(response.header('link')))![1]
}

test.group('Paged lists', () => {
  test('return the total number of entries if requested', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    for (let count = 0; count < 3; count++)
      await aNotification(email, { appCode: application.code })
    for (let count = 0; count < 2; count++) await aBroadcast(application)
    await signedIn(client, email).get(`/api/profile/me/apps/${application.code}`)
    await aTemplate(application, await aType(application))
    const role = await Role.create({ applicationId: application.id, code: 'reader' })
    for (const someone of [email, uniqueEmail()]) {
      await UserRole.create({ email: someone, roleId: role.id })
    }
    await anAdministratorOf(application)
    const [admin, person] = [superAdmin(client), signedIn(client, email)]
    const lists = [
      [person, '/api/profile/me/notifications/inbox', 3],
      [admin, `/api/admin/notifications/log/${application.code}`, 3],
      [admin, `/api/admin/notifications/log?recipientEmail=${email}`, 3],
      [admin, `/api/admin/notifications/broadcast/${application.code}`, 2],
      [anotherService(client), `/api/internal/notifications/log/${email}`, 3],
      [admin, `/api/users?search=${email}`, 1],
      [admin, `/api/admin/languages/coverage?appCode=${application.code}`, 1],
      [admin, `/api/applications/${application.code}/assignments`, 3],
      [admin, `/api/applications/${application.code}/assignments?kind=administrator`, 1],
      [admin, `/api/applications/${application.code}/login-records`, 1],
      [admin, `/api/users/${email}/login-records`, 1],
    ] as const
    for (const [caller, path, expected] of lists) {
      const list = path.includes('?') ? `${path}&` : `${path}?`
      const plain = await caller.get(`${list}limit=1&count=false`)
      assert.isUndefined(total(plain), path)
      const first = await caller.get(`${list}limit=1&count=true`)
      assert.equal(total(first), String(expected), path)
      if (expected === 1) continue
      const second = await caller.get(`${list}limit=1&count=true&cursor=${cursorIn(first)}`)
      assert.equal(total(second), String(expected), path)
    }
  })
})
