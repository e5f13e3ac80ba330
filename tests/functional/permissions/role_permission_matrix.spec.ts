import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Application from '#app/applications/models/application'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { allowed, manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'

const matrixOf = (appCode: string) => `/api/applications/${appCode}/role-permissions`

/** Two roles, a tiered and a binary permission; the first role gives the first at `view`. */
async function aMatrix(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const clerk = await manage.role({ name: 'Clerk' })
  const chief = await manage.role()
  const orders = await manage.permission({ type: 'tiered', name: 'Orders', groupName: 'Sales' })
  const exporting = await manage.permission()
  await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'view' }])
  const admin = superAdmin(client)
  const read = async () => (await admin.get(matrixOf(code))).body().data
  const change = (changes: unknown, query = '') =>
    admin.patch(`${matrixOf(code)}${query}`, { changes })
  const to = (role: { id: number }, permission: { id: number }, accessLevel: string | null) => {
    return { roleId: role.id, permissionId: permission.id, accessLevel }
  }
  return { code, manage, clerk, chief, orders, exporting, read, change, to }
}

const NO_CONDITION = { condition: null, previousCondition: null }

test.group('Role permission matrix', () => {
  test('shows roles, permissions and what each role grants', async ({ client, assert }) => {
    const { code, clerk, chief, orders, exporting, read, to } = await aMatrix(client)
    await aMatrix(client)
    assert.deepEqual(await read(), {
      roles: [
        { id: clerk.id, code: clerk.code, name: 'Clerk' },
        { id: chief.id, code: chief.code, name: null },
      ],
      permissions: [
        {
          id: orders.id,
          code: orders.code,
          name: 'Orders',
          type: 'tiered',
          groupName: 'Sales',
        },
        {
          id: exporting.id,
          code: exporting.code,
          name: null,
          type: 'binary',
          groupName: null,
        },
      ],
      grants: [{ ...to(clerk, orders, 'view'), condition: null }],
    })
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    ;(await viewer.get(matrixOf(code))).assertStatus(200)
    ;(await viewer.patch(matrixOf(code), { changes: [] })).assertProblem(403, 'FORBIDDEN')
  })

  test('makes several changes in one request, which the next check sees', async ({
    client,
    assert,
  }) => {
    const { code, manage, clerk, chief, orders, exporting, read, change, to } =
      await aMatrix(client)
    const email = uniqueEmail()
    await manage.userRoles(email, [chief.id])
    const check = { email, app: code, permission: orders.code }
    assert.isFalse(await allowed(client, check))
    const response = await change([
      to(clerk, orders, null),
      to(chief, orders, 'edit'),
      to(chief, exporting, 'allowed'),
    ])
    response.assertStatus(200)
    assert.deepEqual(response.body().data, {
      dryRun: false,
      changes: [
        { ...to(clerk, orders, null), previousLevel: 'view', ...NO_CONDITION, peopleAffected: 0 },
        { ...to(chief, orders, 'edit'), previousLevel: null, ...NO_CONDITION, peopleAffected: 1 },
        {
          ...to(chief, exporting, 'allowed'),
          previousLevel: null,
          ...NO_CONDITION,
          peopleAffected: 1,
        },
      ],
    })
    const { grants } = await read()
    assert.deepEqual(grants, [
      { ...to(chief, orders, 'edit'), condition: null },
      { ...to(chief, exporting, 'allowed'), condition: null },
    ])
    assert.isTrue(await allowed(client, { ...check, level: 'edit' }))
  })

  test('a dry run counts the users and changes nothing', async ({ client, assert, cleanup }) => {
    const { code, manage, clerk, chief, orders, read, change, to } = await aMatrix(client)
    const [both, only, inactive, administrator] = ['both', 'only', 'inactive', 'admin'].map(
      (name) => uniqueEmail(name)
    )
    const superior = await aSuperAdmin(cleanup)
    await manage.userRoles(both, [clerk.id, chief.id])
    for (const email of [only, inactive, administrator, superior]) {
      await manage.userRoles(email, [clerk.id])
    }
    await addApplicationAdmin(administrator, code)
    const user = await ensureUser({ email: inactive })
    await user.merge({ active: false }).save()
    await manage.rolePermissions(chief.id, [{ permissionId: orders.id, accessLevel: 'view' }])
    const before = await read()
    const affected = async (changes: object[]) => {
      const response = await change(changes, '?dryRun=true')
      response.assertStatus(200)
      assert.isTrue(response.body().data.dryRun)
      return response.body().data.changes.map(({ peopleAffected }: any) => peopleAffected)
    }
    // Someone who has the permission from another role keeps it.
    assert.deepEqual(await affected([to(clerk, orders, null)]), [1])
    assert.deepEqual(await affected([to(clerk, orders, 'edit')]), [2])
    assert.deepEqual(await affected([to(clerk, orders, 'view')]), [0])
    // Both sources end together.
    assert.deepEqual(await affected([to(clerk, orders, null), to(chief, orders, null)]), [2, 1])
    assert.deepEqual(await affected([to(clerk, orders, null), to(chief, orders, 'edit')]), [2, 1])
    assert.deepEqual(await read(), before)
    assert.isNotNull(await SuperAdmin.findBy({ email: superior }))
  })

  test('counts the users for whom a condition starts or stops to matter', async ({
    client,
    assert,
  }) => {
    const { manage, clerk, chief, orders, change, to } = await aMatrix(client)
    const [both, only] = [uniqueEmail('both'), uniqueEmail('only')]
    await manage.userRoles(both, [clerk.id, chief.id])
    await manage.userRoles(only, [clerk.id])
    const grant = { permissionId: orders.id, accessLevel: 'edit' }
    await manage.rolePermissions(chief.id, [{ ...grant, condition: 'context.a == 1' }])
    const affected = async (...changes: object[]) => {
      const response = await change(changes, '?dryRun=true')
      response.assertStatus(200)
      return response.body().data.changes.map(({ peopleAffected }: any) => peopleAffected)
    }
    const view = (condition?: string | null) => ({ ...to(clerk, orders, 'view'), condition })
    const edit = (condition?: string | null) => ({ ...to(chief, orders, 'edit'), condition })
    assert.deepEqual(await affected(view('context.b == 1')), [2])
    assert.deepEqual(await affected(view(null), edit()), [0, 0])
    assert.deepEqual(await affected(edit('context.b == 1')), [1])
    assert.deepEqual(await affected(edit(null)), [1])
    assert.deepEqual(await affected(to(chief, orders, null)), [1])
    // Below what another role gives without a condition.
    assert.deepEqual(await affected({ ...to(chief, orders, 'view'), condition: 'true' }), [1])
    const lowered = await change([to(chief, orders, 'view')])
    lowered.assertStatus(200)
    assert.deepEqual(await affected({ ...to(chief, orders, 'view'), condition: 'true' }), [0])
    assert.deepEqual(await affected(to(chief, orders, null)), [0])
  })

  test('refuses a wrong change and makes none of the others', async ({ client, assert }) => {
    const { clerk, chief, orders, exporting, read, change, to } = await aMatrix(client)
    const other = await aMatrix(client)
    const good = to(chief, orders, 'edit')
    const before = await read()
    const cases: [object, string, string | null][] = [
      [to(other.clerk, orders, 'edit'), 'VALIDATION_ERROR', 'changes.1.roleId'],
      [to(clerk, other.orders, 'edit'), 'VALIDATION_ERROR', 'changes.1.permissionId'],
      [to(clerk, orders, 'all'), 'VALIDATION_ERROR', 'changes.1.accessLevel'],
      [{ roleId: clerk.id, permissionId: orders.id }, 'VALIDATION_ERROR', 'changes.1.accessLevel'],
      [to(chief, orders, 'view'), 'VALIDATION_ERROR', 'changes'],
      [
        { ...to(clerk, orders, null), condition: 'true' },
        'VALIDATION_ERROR',
        'changes.1.condition',
      ],
      [to(clerk, orders, 'allowed'), 'INVALID_ACCESS_LEVEL', null],
      [to(clerk, exporting, 'view'), 'INVALID_ACCESS_LEVEL', null],
    ]
    for (const [wrong, code, field] of cases) {
      for (const query of ['', '?dryRun=true']) {
        const response = await change([good, wrong], query)
        response.assertProblem(400, code)
        if (field) assert.equal(response.body().details.errors[0].field, field)
      }
    }
    const many = Array.from({ length: 1_001 }, (_, index) => to({ id: index + 1 }, orders, null))
    ;(await change(many)).assertProblem(400, 'VALIDATION_ERROR')
    assert.deepEqual(await read(), before)
  })

  test('the built-in roles of the panel keep their levels', async ({ client, assert }) => {
    const panel = await Application.withCode('auth')
    const admin = superAdmin(client)
    const { roles, permissions } = (await admin.get(matrixOf(panel.code))).body().data
    const idOf = (list: any[], code: string) => list.find((each) => each.code === code).id
    const permissionId = idOf(permissions, 'applications.manage')
    for (const [role, accessLevel] of [
      ['panel_admin', null],
      ['panel_admin', 'view'],
      ['application_manager', 'view'],
    ] as const) {
      const response = await admin.patch(matrixOf(panel.code), {
        changes: [{ roleId: idOf(roles, role), permissionId, accessLevel }],
      })
      response.assertProblem(409, 'PANEL_PROTECTED')
    }
    const kept = await admin.patch(matrixOf(panel.code), {
      changes: [{ roleId: idOf(roles, 'panel_admin'), permissionId, accessLevel: 'edit' }],
    })
    assert.equal(kept.status(), 200)
  })

  test('concurrent changes of one cell end with one of them', async ({ client, assert }) => {
    const { clerk, orders, read, change, to } = await aMatrix(client)
    const levels = ['view', 'edit', null, 'view', 'edit', null]
    const responses = await Promise.all(levels.map((level) => change([to(clerk, orders, level)])))
    for (const response of responses) response.assertStatus(200)
    assert.isAtMost((await read()).grants.length, 1)
  })
})
