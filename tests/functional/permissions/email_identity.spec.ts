import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { allowed, inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const unique = () => randomUUID().slice(0, 8)

/** Spellings of one address, encoded for a path. */
const SPELLINGS = [
  { what: 'as it is', write: (name: string) => `${name}@tests.example` },
  { what: 'with an escaped @', write: (name: string) => `${name}%40tests.example` },
  { what: 'in upper case', write: (name: string) => `${name}@tests.example`.toUpperCase() },
  { what: 'with blanks around', write: (name: string) => `%20${name}@tests.example%20` },
  {
    what: 'in full-width letters',
    write: (name: string) => inPath(`ａ${name.slice(1)}@tests.example`),
  },
  {
    what: 'with every letter escaped',
    write: (name: string) =>
      [...`${name}@tests.example`].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  },
]

test.group('E-mail addresses in paths', () => {
  test('an address identifies the same user {what}')
    .with(SPELLINGS)
    .run(async ({ client, assert }, { write }) => {
      const name = `a${unique()}`
      const email = `${name}@tests.example`
      const { code } = await anApplication()
      const manage = manageApplication(client, code)
      const [role, permission] = [await manage.role(), await manage.permission()]
      const admin = superAdmin(client)
      const user = `/api/users/${write(name)}/apps/${code}`

      const assigned = await admin.put(`${user}/roles`, { roleIds: [role.id] })
      assert.equal(assigned.body().data[0].email, email)
      const overridden = await admin.put(`${user}/resources/doc/1/permissions`, {
        permissions: [{ permissionId: permission.id, granted: true }],
      })
      assert.equal(overridden.body().data[0].email, email)

      const canonical = `/api/users/${email}/apps/${code}`
      for (const path of ['roles', 'resources', 'resources/doc/1/permissions']) {
        const one = await admin.get(`${user}/${path}`)
        const other = await admin.get(`${canonical}/${path}`)
        one.assertStatus(200)
        assert.lengthOf(one.body().data, 1)
        assert.deepEqual(one.body(), other.body())
      }
      const check = { app: code, permission: permission.code, resourceType: 'doc', resourceId: '1' }
      assert.isTrue(await allowed(client, { ...check, email }))

      await manage.administrator(email)
      const removed = await admin.delete(`/api/users/admins/apps/${code}/${write(name)}`)
      removed.assertStatus(204)
    })

  test('a domain in Unicode equals the domain in punycode', async ({ client, assert }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role()
    const admin = superAdmin(client)
    const name = unique()
    const path = (domain: string) => `/api/users/${inPath(`${name}@${domain}`)}/apps/${code}/roles`
    const assigned = await admin.put(path('MÜLLER.example'), { roleIds: [role.id] })
    assigned.assertStatus(200)
    assert.equal(assigned.body().data[0].email, `${name}@xn--mller-kva.example`)
    for (const domain of ['xn--mller-kva.example', 'müller.example', 'mu\u0308ller.example']) {
      const read = await admin.get(path(domain))
      assert.deepEqual(read.body(), assigned.body())
    }
  })

  test('dots and tags make a different user, and a plus is taken literally', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const name = unique()
    await manage.userRoles(`${name}.x+tag@tests.example`, [role.id])
    const rolesOf = async (email: string) =>
      (await superAdmin(client).get(`/api/users/${email}/apps/${code}/roles`)).body().data
    assert.lengthOf(await rolesOf(`${name}.x+tag@tests.example`), 1)
    assert.lengthOf(await rolesOf(`${name}.x%2Btag@tests.example`), 1)
    for (const other of [`${name}x+tag`, `${name}.x`, `${name}.x%2520tag`, `${name}.x+other`]) {
      assert.deepEqual(await rolesOf(`${other}@tests.example`), [])
    }
  })

  test('an invalid address is refused on every path: {$self}')
    .with([
      'ada',
      'ada@',
      'ada@localhost',
      'ada%2540tests.example',
      'ada%00@tests.example',
      'ada%E2%80%8B@tests.example',
      'ada%0D%0A@tests.example',
      'a..b@tests.example',
      'ada@tests..example',
      'ada@tests.example,bob@tests.example',
      `${'a'.repeat(65)}@tests.example`,
      '__proto__',
    ])
    .run(async ({ client }, email) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      const user = `/api/users/${email}/apps/${code}`
      const responses = [
        await admin.get(`${user}/roles`),
        await admin.put(`${user}/roles`, { roleIds: [] }),
        await admin.get(`${user}/resources`),
        await admin.get(`${user}/resources/doc/1/permissions`),
        await admin.put(`${user}/resources/doc/1/permissions`, { permissions: [] }),
        await admin.delete(`/api/users/admins/apps/${code}/${email}`),
        await admin.delete(`/api/users/admins/${email}`),
      ]
      for (const response of responses) {
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
      }
    })

  test('an address in a body identifies the same user as in a path', async ({ client, assert }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const admin = superAdmin(client)
    const path = `/api/users/admins/apps/${code}`
    const created = await admin.post(path, { email: `\t${email.toUpperCase()} ` })
    assert.equal(created.body().data.email, email)
    const removed = await admin.delete(`${path}/${email}`)
    removed.assertStatus(204)
  })
})
