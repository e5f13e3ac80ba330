import { DateTime, Settings } from 'luxon'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { permissionSweeps } from '#app/permissions/retention'
import { transaction } from '#core/database/transaction'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { removeOtherSuperAdmins } from '#tests/access/callers'

const HOUR = 3_600_000
const START = Date.parse('2027-03-01T00:00:00.000Z')
const at = (hours: number) => new Date(START + hours * HOUR).toISOString()

/** Someone with a role that grants one permission, in an application with an entity. */
async function aMember(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const permission = await manage.permission({ type: 'tiered' })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'view' }])
  const email = uniqueEmail()
  const admin = superAdmin(client)
  const roles = `/api/users/${email}/apps/${code}/roles`
  const overrides = `/api/users/${email}/apps/${code}/resources/doc/1/permissions`
  const asked = { email, app: code, permission: permission.code }
  const onDoc = { ...asked, resourceType: 'doc', resourceId: '1' }
  const check = async (body: object) =>
    (await client.post('/api/check').json(body)).body().data.allowed
  return { code, email, permission, role, admin, roles, overrides, asked, onDoc, check, client }
}

const setClock = (hours: number) => (Settings.now = () => START + hours * HOUR)

test.group('Time windows', (group) => {
  group.each.teardown(() => void (Settings.now = () => Date.now()))
  group.teardown(removeOtherSuperAdmins)

  test('a role counts from its beginning to just before its end, though decisions are cached', async ({
    assert,
    client,
  }) => {
    const member = await aMember(client)
    setClock(0)
    const window = { validFrom: at(1), validUntil: at(2) }
    const response = await member.admin.put(member.roles, {
      roles: [{ roleId: member.role.id, ...window }],
    })
    response.assertStatus(200)
    assert.containSubset(response.body().data, [{ ...window, state: 'scheduled' }])
    const expected = [
      [0, false, 'scheduled'],
      [0.99, false, 'scheduled'],
      [1, true, 'active'],
      [1.99, true, 'active'],
      [2, false, 'ended'],
      [1.5, true, 'active'],
    ] as const
    for (const [hours, allowed, state] of expected) {
      setClock(hours)
      for (let round = 0; round < 2; round++) {
        assert.equal(await member.check(member.asked), allowed, `${hours} h`)
      }
      const [listed] = (await member.admin.get(member.roles)).body().data
      assert.equal(listed.state, state)
      const effective = await client.post('/api/check/effective').json(member.asked)
      assert.equal(effective.body().data[0].granted, allowed)
    }
  })

  test('a deny override ends, and a granting one begins', async ({ assert, client }) => {
    const member = await aMember(client)
    setClock(0)
    await member.admin.put(member.roles, { roleIds: [member.role.id] })
    const permissionId = member.permission.id
    await member.admin.put(member.overrides, {
      permissions: [{ permissionId, granted: false, validUntil: at(1) }],
    })
    assert.isFalse(await member.check(member.onDoc))
    setClock(1)
    assert.isTrue(await member.check(member.onDoc))
    await member.admin.put(member.overrides, {
      permissions: [{ permissionId, granted: true, accessLevel: 'edit', validFrom: at(2) }],
    })
    assert.isFalse(await member.check({ ...member.onDoc, level: 'edit' }))
    setClock(2)
    assert.isTrue(await member.check({ ...member.onDoc, level: 'edit' }))
  })

  test('an administrator and a super admin lose everything when their time ends', async ({
    assert,
    client,
  }) => {
    setClock(0)
    const { admin, code, asked, check } = await aMember(client)
    const limits = { email: asked.email, validUntil: at(1) }
    const added = await admin.post(`/api/users/admins/apps/${code}`, limits)
    added.assertStatus(201)
    assert.containSubset(added.body().data, { validUntil: at(1), state: 'active' })
    assert.isTrue(await check(asked))
    setClock(1)
    assert.isFalse(await check(asked))
    const again = await admin.post('/api/users/admins', { ...limits, validUntil: at(2) })
    again.assertStatus(201)
    assert.isTrue(await check(asked))
    setClock(2)
    assert.isFalse(await check(asked))
  })

  test('explain says when a row counts, and how long to wait', async ({ assert, client }) => {
    const member = await aMember(client)
    setClock(0)
    await member.admin.put(member.roles, {
      roles: [{ roleId: member.role.id, validFrom: at(1), validUntil: at(2) }],
    })
    const explain = async () => {
      const response = await client.post('/api/check/explain').json(member.asked)
      return response.body().data
    }
    const waiting = await explain()
    assert.isFalse(waiting.allowed)
    assert.deepEqual(waiting.wouldAllow[0], { kind: 'wait', from: at(1) })
    const cited = (explanation: any) => explanation.steps[4].evidence[0]
    assert.deepEqual(cited(waiting).window, {
      validFrom: at(1),
      validUntil: at(2),
      state: 'scheduled',
    })
    assert.include(cited(waiting).description, `begins on ${at(1)}`)
    setClock(1)
    const active = await explain()
    assert.isTrue(active.allowed)
    assert.include(cited(active).description, `ends on ${at(2)}`)
    setClock(2)
    const ended = await explain()
    assert.isFalse(ended.allowed)
    assert.include(cited(ended).description, `ended on ${at(2)}`)
    assert.notInclude(
      ended.wouldAllow.map(({ kind }: any) => kind),
      'wait'
    )
    assert.include(
      ended.wouldAllow.map(({ kind }: any) => kind),
      'role'
    )
  })

  test('a window that ends before it begins is refused, and nothing changes', async ({
    assert,
    client,
  }) => {
    const member = await aMember(client)
    const { admin, role, permission } = member
    const backwards = { validFrom: at(2), validUntil: at(2) }
    const refusals = [
      await admin.put(member.roles, { roles: [{ roleId: role.id, ...backwards }] }),
      await admin.put(member.overrides, {
        permissions: [{ permissionId: permission.id, granted: true, ...backwards }],
      }),
      await admin.post(`/api/users/admins/apps/${member.code}`, {
        email: member.email,
        ...backwards,
      }),
      await admin.post('/api/users/admins', { email: member.email, ...backwards }),
    ]
    for (const response of refusals) response.assertProblem(400, 'INVALID_WINDOW')
    assert.deepEqual((await admin.get(member.roles)).body().data, [])
    assert.deepEqual((await admin.get(member.overrides)).body().data, [])
    assert.isFalse(await member.check(member.asked))
  })

  test('a set of roles is refused as {what}')
    .with<{ what: string; body: (id: number) => object; field: string }[]>([
      {
        what: 'ids and roles',
        body: (id) => ({ roleIds: [id], roles: [{ roleId: id }] }),
        field: 'roles',
      },
      { what: 'neither', body: () => ({}), field: 'roleIds' },
      {
        what: 'a role twice',
        body: (id) => ({ roles: [{ roleId: id }, { roleId: id }] }),
        field: 'roles',
      },
      {
        what: 'a role that does not exist',
        body: () => ({ roles: [{ roleId: 2_000_000_000 }] }),
        field: 'roles.0.roleId',
      },
      {
        what: 'a date without a time',
        body: (id) => ({ roles: [{ roleId: id, validUntil: '2027-01-01' }] }),
        field: 'roles.0.validUntil',
      },
    ])
    .run(async ({ assert, client }, { body, field }) => {
      const member = await aMember(client)
      await member.admin.put(member.roles, { roleIds: [member.role.id] })
      const response = await member.admin.put(member.roles, body(member.role.id))
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      assert.lengthOf((await member.admin.get(member.roles)).body().data, 1)
    })

  test('the last super admin without an end cannot get one', async ({ client }) => {
    await removeOtherSuperAdmins()
    const admin = superAdmin(client)
    const temporary = uniqueEmail()
    await admin.post('/api/users/admins', { email: temporary, validUntil: at(1) })
    const response = await admin.post('/api/users/admins', {
      email: admin.email,
      validUntil: at(1),
    })
    response.assertProblem(409, 'LAST_SUPER_ADMIN')
  })

  test('an import stores windows, and replaces only assignments that have ended', async ({
    assert,
    client,
  }) => {
    const member = await aMember(client)
    setClock(0)
    const path = `/api/applications/${member.code}/assignments/import`
    const row = { email: member.email, role: member.role.code }
    const send = async (window: object) =>
      (await member.admin.post(path, { rows: [{ ...row, ...window }] })).body().data
    assert.containSubset(await send({ validUntil: at(1) }), { created: 1 })
    assert.containSubset(await send({ validUntil: at(9) }), { created: 0, unchanged: 1 })
    const held = async () => (await member.admin.get(member.roles)).body().data
    assert.containSubset(await held(), [{ validUntil: at(1), state: 'active' }])
    setClock(1)
    assert.containSubset(await send({}), { created: 1 })
    assert.containSubset(await held(), [{ validUntil: null, state: 'active' }])
  })

  test('an import takes the window of the first of several rows with the same assignment', async ({
    assert,
    client,
  }) => {
    const member = await aMember(client)
    setClock(0)
    const row = { email: member.email, role: member.role.code }
    const response = await member.admin.post(
      `/api/applications/${member.code}/assignments/import`,
      {
        rows: [{ ...row, validUntil: at(1) }, row, { ...row, validUntil: at(9) }],
      }
    )
    assert.containSubset(response.body().data, { created: 1, unchanged: 2 })
    const held = (await member.admin.get(member.roles)).body().data
    assert.containSubset(held, [{ validUntil: at(1) }])
  })

  test('rows that ended 30 days ago are removed', async ({ assert, client }) => {
    const member = await aMember(client)
    setClock(0)
    await member.admin.put(member.roles, {
      roles: [{ roleId: member.role.id, validUntil: at(1) }],
    })
    const sweep = permissionSweeps.find(({ name }) => name === 'user_roles')!
    const remove = (hours: number) =>
      transaction((trx) => {
        const now = DateTime.fromMillis(START + hours * HOUR, { zone: 'utc' })
        return sweep.deleteExpired(now, 1_000, trx)
      })
    const count = async () => (await UserRole.query().where('email', member.email)).length
    await remove(1 + 30 * 24)
    assert.equal(await count(), 1)
    await remove(1.01 + 30 * 24)
    assert.equal(await count(), 0)
  })

  test('of every kind leave an audit entry when they are removed', async ({ assert, client }) => {
    const { admin, code, role, permission, email } = await aMember(client)
    const window = { validFrom: null, validUntil: DateTime.utc().minus({ days: 31 }) }
    await UserRole.query().where({ email }).delete()
    await UserRole.create({ email, roleId: role.id, ...window })
    const on = { email, permissionId: permission.id, resourceType: 'doc', granted: false }
    await ResourceOverride.create({ ...on, resourceId: '1', ...window })
    const applicationId = (await Application.withCode(code)).id
    await ApplicationAdmin.create({ email, applicationId, ...window })
    await SuperAdmin.create({ email, ...window })
    for (const sweep of permissionSweeps) {
      await transaction((trx) => sweep.deleteExpired(DateTime.utc(), 1_000, trx))
    }
    const { data } = (await admin.get(`/api/users/${inPath(email)}/audit?actorKind=system`)).body()
    const entries = Object.fromEntries(data.map((entry: any) => [entry.action, entry]))
    const fields = { validFrom: null, validUntil: window.validUntil.toISO() }
    assert.containSubset(entries, {
      'user.roles_replaced': { application: code, before: { [role.code]: fields }, after: {} },
      'user.overrides_replaced': {
        application: code,
        before: { 'doc/1': { [permission.code]: { granted: false, ...fields } } },
        after: { 'doc/1': {} },
      },
      'application_admin.removed': { application: code, before: fields, after: null },
      'super_admin.removed': { application: null, before: fields, after: null },
    })
  })
})
