import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { parse } from 'csv-parse/sync'
import { actingAs } from '#core/audit/audit_actor'
import { usesPostgres } from '#core/database/dialect'
import type Application from '#app/applications/models/application'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import User from '#app/profiles/models/user'
import { reviewOf } from '#tests/helpers/access_review'
import { recordStatements } from '#tests/helpers/count_statements'
import { TIMESTAMP, inPath, manageApplication } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const ENDED = { validFrom: null, validUntil: '2020-01-01T00:00:00.000Z' }

const byTheSuperAdmin = { kind: 'user', email: SUPER_ADMIN, name: null }

/** A clerk with two permissions, and a user with overrides, all given over HTTP. */
async function anApplicationInUse(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const role = await manage.role({ code: 'clerk' })
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  const open = await manage.permission({ code: 'open' })
  await manage.rolePermissions(role.id, [
    { permissionId: orders.id, accessLevel: 'view', condition: 'context.amount < 100' },
    { permissionId: open.id, accessLevel: 'allowed' },
  ])
  const [ada, alan] = [uniqueEmail('ada'), uniqueEmail('alan')]
  await manage.userRoles(ada, [role.id])
  await manage.overrides(alan, ['order', '1'], [{ permissionId: orders.id, granted: true }])
  await manage.overrides(alan, ['order', '2'], [{ permissionId: open.id, granted: false }])
  return { application, manage, role, orders, open, ada, alan }
}

/** Everything but super admins, whom other tests add. */
const withoutSuperAdmins = (rights: any[]) => rights.filter(({ source }) => source !== 'superadmin')

test.group('A review of access', () => {
  test('lists every right with its source, and who gave it when', async ({ client, assert }) => {
    const { application, manage, ada, alan } = await anApplicationInUse(client)
    const grace = uniqueEmail('grace')
    await manage.administrator(grace)
    const all = await reviewOf(superAdmin(client), application)
    for (const { since } of all) assert.match(since, TIMESTAMP)
    const given = {
      displayName: null,
      active: null,
      lastLoginAt: null,
      givenBy: byTheSuperAdmin,
      reason: null,
    }
    const nothing = { role: null, resourceType: null, resourceId: null, condition: null }
    const always = { ...given, ...ALWAYS_ACTIVE }
    const clerk = { email: ada, source: 'role', ...always, ...nothing, role: 'clerk' }
    const override = { email: alan, source: 'override', ...always, ...nothing }
    assert.deepEqual(
      withoutSuperAdmins(all).map(({ since, ...right }) => right),
      [
        { ...clerk, permission: 'orders', granted: true, accessLevel: 'view' },
        { ...clerk, permission: 'open', granted: true, accessLevel: 'allowed' },
        { ...override, permission: 'orders', granted: true, accessLevel: 'edit', resourceId: '1' },
        { ...override, permission: 'open', granted: false, accessLevel: null, resourceId: '2' },
        { email: grace, source: 'app_admin', ...always, ...nothing, ...ALL_PERMISSIONS },
      ].map((right) => ({
        ...right,
        resourceType: right.source === 'override' ? 'order' : null,
        condition: right.accessLevel === 'view' ? 'context.amount < 100' : null,
      }))
    )
    const own = all.find(({ email }) => email === SUPER_ADMIN)
    assert.containSubset(own, { source: 'superadmin', ...ALL_PERMISSIONS, role: null })
    assert.equal(own.givenBy.kind, 'system')
  })

  test('says that the giver is unknown if the audit trail has no entry', async ({
    client,
    assert,
  }) => {
    const { application, ada } = await anApplicationInUse(client)
    const administrator = await anAdministratorOf(application)
    await db.from('audit_entries').where({ email: ada }).delete()
    const rights = await reviewOf(superAdmin(client), application)
    for (const email of [administrator, ada]) {
      const right = rights.find((each) => each.email === email)
      assert.isNull(right.givenBy, email)
    }
    const rows = await csvOf(application)
    assert.equal(rows.find(({ email }) => email === ada)!.givenBy, 'unknown')
  })

  test('names who gave a right first, whatever was given later', async ({ client, assert }) => {
    const { application, manage, role, orders, ada, alan } = await anApplicationInUse(client)
    const other = await manage.role({ code: 'seller' })
    await manage.rolePermissions(other.id, [{ permissionId: orders.id, accessLevel: 'edit' }])
    const before = await reviewOf(superAdmin(client), application)
    const admin = signedIn(client, await anAdministratorOf(application))
    const path = `/api/users/${inPath(ada)}/apps/${application.code}/roles`
    ;(await admin.put(path, { roleIds: [other.id, role.id] })).assertStatus(200)
    const onResource = `/api/users/${inPath(alan)}/apps/${application.code}/resources/order/1/permissions`
    const same = { permissionId: orders.id, granted: true, validUntil: '2100-01-01T00:00:00Z' }
    ;(await admin.put(onResource, { permissions: [same] })).assertStatus(200)

    const rights = await reviewOf(superAdmin(client), application)
    const find = (list: any[], email: string, code: string | null) =>
      list.find((each) => each.email === email && each.role === code && each.resourceId !== '2')
    for (const [email, code] of [
      [ada, 'clerk'],
      [alan, null],
    ] as const) {
      const { since, givenBy } = find(rights, email, code)
      assert.equal(since, find(before, email, code).since, email)
      assert.deepEqual(givenBy, byTheSuperAdmin)
    }
    assert.equal(find(rights, ada, 'seller').givenBy.email, admin.email)

    const denied = { permissionId: orders.id, granted: false }
    ;(await admin.put(onResource, { permissions: [denied] })).assertStatus(200)
    const changed = find(await reviewOf(superAdmin(client), application), alan, null)
    assert.equal(changed.givenBy.email, admin.email)
  })

  test('still knows who gave a role that was renamed', async ({ client, assert }) => {
    const { application, role, ada } = await anApplicationInUse(client)
    const path = `/api/applications/${application.code}/roles/${role.id}`
    ;(await superAdmin(client).put(path, { code: 'renamed' })).assertStatus(200)
    const rights = await reviewOf(superAdmin(client), application)
    const right = rights.find(({ email }) => email === ada)
    assert.containSubset(right, { role: 'renamed', givenBy: byTheSuperAdmin })
  })

  test('names the command that gave a right', async ({ client, assert }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const command = { kind: 'command', name: 'auth:seed' } as const
    await actingAs(command, () => addApplicationAdmin(email, application.code))
    const rights = await reviewOf(superAdmin(client), application)
    const right = rights.find((each) => each.email === email)
    assert.deepEqual(right.givenBy, { ...command, email: null })
    const row = (await csvOf(application)).find((each) => each.email === email)!
    assert.equal(row.givenBy, 'auth:seed')
  })

  test('has the reason of the request', async ({ client, assert }) => {
    const { application, role } = await anApplicationInUse(client)
    const email = uniqueEmail()
    const token = await issuer.token(SUPER_ADMIN)
    const response = await client
      .put(`/api/users/${inPath(email)}/apps/${application.code}/roles`)
      .header('authorization', `Bearer ${token}`)
      .header('x-audit-reason', 'T-1')
      .json({ roleIds: [role.id] })
    response.assertStatus(200)
    const rights = await reviewOf(superAdmin(client), application)
    assert.equal(rights.find((each) => each.email === email).reason, 'T-1')
  })

  test('marks inactive users, and what has ended or not begun', async ({ client, assert }) => {
    const { application, role, ada } = await anApplicationInUse(client)
    await User.create({ email: ada, active: false, displayName: 'Ada', theme: 'system' })
    const [former, future] = [uniqueEmail('former'), uniqueEmail('future')]
    const later = { validFrom: '2100-01-01T00:00:00.000Z', validUntil: null }
    for (const [email, window] of [
      [former, ENDED],
      [future, later],
    ] as const) {
      const path = `/api/users/${inPath(email)}/apps/${application.code}/roles`
      const roles = [{ roleId: role.id, ...window }]
      ;(await superAdmin(client).put(path, { roles })).assertStatus(200)
    }
    const rights = await reviewOf(superAdmin(client), application)
    const of = (email: string) => rights.find((each) => each.email === email)
    assert.containSubset(of(ada), { displayName: 'Ada', active: false })
    assert.containSubset(of(former), { state: 'ended', ...ENDED })
    assert.containSubset(of(future), { state: 'scheduled', ...later })
  })

  test('has no rights of erased users, and a pseudonym for erased administrators', async ({
    client,
    assert,
  }) => {
    const { application, role, ada, alan } = await anApplicationInUse(client)
    const administrator = await anAdministratorOf(application)
    const email = uniqueEmail()
    const path = `/api/users/${inPath(email)}/apps/${application.code}/roles`
    const given = await signedIn(client, administrator).put(path, { roleIds: [role.id] })
    given.assertStatus(200)
    for (const erased of [ada, administrator]) {
      ;(await superAdmin(client).delete(`/api/users/${inPath(erased)}`)).assertStatus(204)
    }
    const rights = withoutSuperAdmins(await reviewOf(superAdmin(client), application))
    assert.sameMembers([...new Set(rights.map((right) => right.email))], [alan, email])
    const { givenBy } = rights.find((right) => right.email === email)
    assert.equal(givenBy.kind, 'user')
    assert.notEqual(givenBy.email, administrator)
    assert.isNotEmpty(givenBy.email)
  })

  test('leaves out overrides without effect, and other applications', async ({
    client,
    assert,
  }) => {
    const { application, orders, ada } = await anApplicationInUse(client)
    const other = await anApplicationInUse(client)
    const path = `/api/applications/${application.code}/permissions/${orders.id}?force=true`
    ;(await superAdmin(client).put(path, { global: true })).assertStatus(200)
    const rights = withoutSuperAdmins(await reviewOf(superAdmin(client), application))
    assert.deepEqual(
      rights.map(({ permission, resourceId }) => [permission, resourceId]),
      [
        ['orders', null],
        ['open', null],
        ['open', '2'],
      ]
    )
    assert.notInclude([other.ada, other.alan], rights[0].email)
    assert.equal(rights[0].email, ada)
  })

  test('does not tell administrators of an application who made someone a super admin', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const rights = await reviewOf(admin, application)
    const own = rights.find(({ email }) => email === SUPER_ADMIN)
    assert.containSubset(own, { source: 'superadmin', givenBy: null, reason: null })
  })

  test('is hidden from administrators of other applications', async ({ client }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const admin = signedIn(client, await anAdministratorOf(other))
    const path = `/api/applications/${application.code}/access-review`
    const response = await admin.get(path)
    response.assertProblem(403, 'FORBIDDEN')
  })

  test('refuses the cursor of another application', async ({ client, assert }) => {
    const [one, other] = [await anApplicationInUse(client), await anApplicationInUse(client)]
    const admin = superAdmin(client)
    const path = ({ application }: { application: Application }) =>
      `/api/applications/${application.code}/access-review?limit=1`
    const { link } = (await admin.get(path(one))).headers()
    const cursor = /cursor=([^&>]+)/.exec(link)![1]
    for (const wrong of [cursor, 'forged']) {
      const response = await admin.get(`${path(other)}&cursor=${wrong}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    assert.isString(cursor)
  })
})

const ALL_PERMISSIONS = { permission: null, granted: true, accessLevel: null }

async function exportOf({ code }: Application, accept: string) {
  const headers = { authorization: `Bearer ${await issuer.token(SUPER_ADMIN)}`, accept }
  const response = await fetch(`${serviceUrl()}/api/applications/${code}/access-review`, {
    headers,
  })
  return { type: response.headers.get('content-type')!, text: await response.text() }
}

async function csvOf(application: Application) {
  const { text } = await exportOf(application, 'text/csv')
  return parse(text, { columns: true }) as Record<string, string>[]
}

test.group('The export of a review of access', () => {
  test('reads the roles of its users, however many others have them', async ({
    client,
    assert,
  }) => {
    // PostgreSQL decides by its statistics.
    if (usesPostgres()) return
    const { application } = await anApplicationInUse(client)
    const statements = await recordStatements(async () => {
      await reviewOf(superAdmin(client), application)
    })
    const rights = statements.find((statement) => /rights as \(/.test(statement))!
    const plan = await db.rawQuery(`explain query plan ${rights.replace(/\+?\$\d+/g, 'null')}`)
    const details = plan.map(({ detail }: { detail: string }) => detail).join('\n')
    assert.match(details, /SEARCH ur USING (?:COVERING )?INDEX \S+ \(email=\?/)
    assert.match(details, /SEARCH o USING (?:COVERING )?INDEX \S+ \(email=\?/)
  })

  test('has all rights as CSV, in which no text is a formula', async ({ client, assert }) => {
    const { application, manage, orders, ada } = await anApplicationInUse(client)
    const email = uniqueEmail('=cmd')
    await manage.overrides(email, ['order', '=1+1'], [{ permissionId: orders.id, granted: true }])
    const { type } = await exportOf(application, 'text/csv')
    assert.match(type, /^text\/csv/)
    const rows = await csvOf(application)
    const right = rows.find((row) => row.resourceId.endsWith('=1+1'))!
    assert.equal(right.resourceId, "'=1+1")
    assert.equal(right.email, `'${email}`)
    assert.containSubset(
      rows.find((row) => row.email === ada),
      { role: 'clerk', permission: 'orders', granted: 'true', givenBy: SUPER_ADMIN }
    )
    assert.equal(rows.find((row) => row.email === SUPER_ADMIN)!.permission, '*')
  })

  test('has all rights of many users, in the order of the pages', async ({ client, assert }) => {
    const { application, manage, role } = await anApplicationInUse(client)
    const rows = Array.from({ length: 300 }, () => ({ email: uniqueEmail(), role: 'clerk' }))
    const path = `/api/applications/${application.code}/assignments/import`
    ;(await superAdmin(client).post(path, { rows })).assertStatus(200)
    const many = uniqueEmail('many')
    const permissions = await Promise.all(Array.from({ length: 8 }, () => manage.permission()))
    for (let resource = 0; resource < 30; resource++) {
      const items = permissions.map(({ id }) => ({ permissionId: id, granted: true }))
      await manage.overrides(many, ['order', String(resource)], items)
    }
    const { type, text } = await exportOf(application, 'application/x-ndjson')
    assert.match(type, /^application\/x-ndjson/)
    const rights = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(rights, await reviewOf(superAdmin(client), application))
    assert.lengthOf(withoutSuperAdmins(rights), 2 * 301 + 2 + 30 * 8)
    const emails = rights.map(({ email }) => email)
    assert.deepEqual(emails, emails.toSorted())
    const imported = rights.filter(({ email }) => rows.some((row) => row.email === email))
    assert.isTrue(imported.every(({ givenBy }) => givenBy?.email === SUPER_ADMIN))
    assert.isTrue(imported.every((right) => right.role === role.code))
  })
})
