import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import UserRole from '#app/permissions/models/user_role'
import User from '#app/profiles/models/user'
import { recordStatements } from '#tests/helpers/count_statements'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'

test.group('Explanation of a check', () => {
  test('of access by a role cites the assignment, with and without envelope D', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const user = await User.findByOrFail({ email })
    const assignment = await UserRole.findByOrFail({ email })
    const expected = {
      allowed: true,
      accessLevel: 'view',
      source: 'role',
      decidedBy: 5,
      unknown: null,
      steps: [
        {
          rule: 1,
          outcome: 'passed',
          evidence: [{ kind: 'user', id: user.id, description: `${email} is active` }],
        },
        { rule: 2, outcome: 'passed', evidence: [] },
        { rule: 3, outcome: 'passed', evidence: [] },
        { rule: 4, outcome: 'skipped', evidence: [] },
        {
          rule: 5,
          outcome: 'decided',
          evidence: [
            {
              kind: 'role_assignment',
              id: assignment.id,
              description: 'Role clerk grants orders at view',
            },
          ],
        },
      ],
      wouldAllow: [],
    }
    const internal = await client
      .post('/api/check/explain')
      .json({ email, app, permission: 'orders' })
    internal.assertStatus(200)
    assert.deepEqual(internal.body(), { data: expected })

    const own = await signedIn(client, email).post('/api/profile/me/check/explain', {
      email: 'someone@else.example',
      app,
      permission: 'orders',
    })
    own.assertStatus(200)
    assert.deepEqual(own.body(), expected)
  })

  test('of a denying override suggests the changes that would allow the check', async ({
    client,
    assert,
  }) => {
    const { app, email, permissions } = await aShop(client)
    const permissionId = permissions.exporting.id
    const override = await ResourceOverride.findByOrFail({ email, permissionId })
    const response = await client
      .post('/api/check/explain')
      .json({ email, app, permission: 'export', ...ORDER_1 })
    const { steps, ...rest } = response.body().data
    assert.deepEqual(rest, {
      allowed: false,
      accessLevel: null,
      source: null,
      decidedBy: 4,
      unknown: null,
      wouldAllow: [
        { kind: 'override', change: 'remove', permissionId, ...ORDER_1, accessLevel: null },
        { kind: 'override', change: 'grant', permissionId, ...ORDER_1, accessLevel: null },
        { kind: 'administrator', application: app },
      ],
    })
    assert.deepEqual(steps[3], {
      rule: 4,
      outcome: 'decided',
      evidence: [{ kind: 'override', id: override.id, description: 'export on order 1 is denied' }],
    })
    assert.lengthOf(steps, 4)
  })

  test('of a missing role suggests the roles that would do, lowest level first', async ({
    client,
    assert,
  }) => {
    const { app, email, permissions, shop } = await aShop(client)
    const stranger = uniqueEmail('stranger')
    const chief = await shop.role({ code: 'chief' })
    await shop.rolePermissions(chief.id, [
      { permissionId: permissions.orders.id, accessLevel: 'edit' },
    ])
    const ask = async (body: object) => {
      const response = await client
        .post('/api/check/explain')
        .json({ app, permission: 'orders', ...body })
      return response.body().data
    }
    const nobody = await ask({ email: stranger })
    assert.containsSubset(nobody, { allowed: false, decidedBy: 6, accessLevel: null, source: null })
    assert.deepEqual(
      nobody.wouldAllow.map(({ kind, role }: Record<string, string>) => [kind, role]),
      [
        ['role', 'clerk'],
        ['role', 'chief'],
        ['administrator', undefined],
      ]
    )
    assert.deepEqual(
      nobody.steps.map(({ rule, outcome }: Record<string, unknown>) => [rule, outcome]),
      [
        [1, 'passed'],
        [2, 'passed'],
        [3, 'passed'],
        [4, 'skipped'],
        [5, 'passed'],
        [6, 'decided'],
      ]
    )

    const clerk = await ask({ email, level: 'edit' })
    assert.containsSubset(clerk, {
      allowed: false,
      decidedBy: 5,
      accessLevel: 'view',
      source: 'role',
    })
    assert.deepEqual(clerk.wouldAllow, [
      { kind: 'role', application: app, roleId: chief.id, role: 'chief', accessLevel: 'edit' },
      { kind: 'administrator', application: app },
    ])
  })

  test('cites roles that do not grant the permission', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const { id } = await UserRole.findByOrFail({ email })
    const response = await client
      .post('/api/check/explain')
      .json({ email, app, permission: 'audit' })
    assert.deepEqual(response.body().data.steps[4], {
      rule: 5,
      outcome: 'passed',
      evidence: [{ kind: 'role_assignment', id, description: 'Role clerk does not grant audit' }],
    })
  })

  test('of an inactive user cites the record, and suggests activation if that is enough', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    await handleLifecycleEvent({
      type: 'user.deactivated',
      email,
      userId: null,
      orgId: null,
      names: {},
      occurredAt: DateTime.utc(),
    })
    const ask = async (permission: string) => {
      const response = await client.post('/api/check/explain').json({ email, app, permission })
      return response.body().data
    }
    const { id } = await User.findByOrFail({ email })
    assert.deepEqual(await ask('orders'), {
      allowed: false,
      accessLevel: null,
      source: null,
      decidedBy: 1,
      unknown: null,
      steps: [
        {
          rule: 1,
          outcome: 'decided',
          evidence: [{ kind: 'user', id, description: `${email} is inactive` }],
        },
      ],
      wouldAllow: [{ kind: 'activate', email }],
    })
    // A role alone fails by rule 1, and activation alone by rule 6.
    assert.deepEqual((await ask('audit')).wouldAllow, [])
  })

  test('of an administrator cites the row', async ({ client, assert }) => {
    const { app } = await aShop(client)
    const email = uniqueEmail('admin')
    await addApplicationAdmin(email, app)
    const { id } = await ApplicationAdmin.findByOrFail({ email })
    const response = await client
      .post('/api/check/explain')
      .json({ email, app, permission: 'export', ...ORDER_1 })
    const explanation = response.body().data
    assert.containsSubset(explanation, {
      allowed: true,
      accessLevel: 'allowed',
      source: 'app_admin',
      decidedBy: 3,
    })
    assert.deepEqual(explanation.steps.at(-1), {
      rule: 3,
      outcome: 'decided',
      evidence: [{ kind: 'administrator', id, description: `${email} administers ${app}` }],
    })
  })

  test('does not suggest a change that the service would refuse', async ({ client, assert }) => {
    const { app, shop } = await aShop(client)
    const email = uniqueEmail()
    const kinds = async (body: object) => {
      const response = await client.post('/api/check/explain').json({ email, app, ...body })
      return response.body().data.wouldAllow.map(({ kind }: { kind: string }) => kind)
    }
    // The permission is global, and no role gives it.
    assert.deepEqual(await kinds({ permission: 'settings', ...ORDER_1 }), ['administrator'])
    assert.deepEqual(await kinds({ permission: 'audit', ...ORDER_1 }), [
      'override',
      'administrator',
    ])
    await shop.entity({ code: 'invoice' })
    assert.deepEqual(await kinds({ permission: 'audit', ...ORDER_1 }), ['administrator'])
    assert.deepEqual(
      await kinds({ permission: 'audit', resourceType: 'invoice', resourceId: '1' }),
      ['override', 'administrator']
    )
    // Only super admins can have edit on a binary permission.
    assert.deepEqual(await kinds({ permission: 'audit', level: 'edit', ...ORDER_1 }), [])
    assert.deepEqual(await kinds({ permission: 'never-defined' }), ['administrator'])
    assert.deepEqual(await kinds({ app: 'no-such-application', permission: 'orders' }), [])
  })

  test('is never cached and runs one statement', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const ask = async () =>
      client.post('/api/check/explain').json({ email, app, permission: 'orders', ...ORDER_1 })
    await ask()
    assert.lengthOf(await recordStatements(ask), 1)
    await UserRole.query().where('email', email).delete()
    await ResourceOverride.query().where('email', email).delete()
    assert.isFalse((await ask()).body().data.allowed)
  })

  test('returns 401 without a token on the user-scoped route', async ({ client }) => {
    const response = await client
      .post('/api/profile/me/check/explain')
      .json({ app: 'shop', permission: 'orders' })
    response.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('distinguishes unknown applications and permissions from missing permissions', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const administrator = uniqueEmail('administrator')
    await addApplicationAdmin(administrator, app)
    const unknownTo = async (person: string, body: object) => {
      const response = await client.post('/api/check/explain').json({ email: person, ...body })
      const { allowed, unknown } = response.body().data
      return { allowed, unknown }
    }
    const orders = { app, permission: 'orders', level: 'edit' }
    const misspelled = { app, permission: 'order' }
    const nowhere = { app: 'no-such-app', permission: 'orders' }
    assert.deepEqual(await unknownTo(email, orders), { allowed: false, unknown: null })
    assert.deepEqual(await unknownTo(email, misspelled), { allowed: false, unknown: 'permission' })
    assert.deepEqual(await unknownTo(email, nowhere), { allowed: false, unknown: 'application' })
    assert.deepEqual(await unknownTo(administrator, misspelled), {
      allowed: true,
      unknown: 'permission',
    })
  })
})
