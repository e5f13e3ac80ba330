import { test } from '@japa/runner'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { replaceRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { applyEach } from '#app/permissions/changes/apply_each'
import { readAccessChanges } from '#app/permissions/changes/read_access_changes'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import UserRole from '#app/permissions/models/user_role'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { previewFlips } from '#app/checks/actions/preview_flips'
import { exportPolicy } from '#app/policies/actions/export_policy'
import { comparePolicies } from '#app/policies/values/policy_changes'
import { asOneChange } from '#core/database/access_transaction'
import { usesPostgres } from '#core/database/dialect'
import { ChangesTakeTooLong } from '#core/exceptions/problems'
import { partLimits, transaction } from '#core/database/transaction'
import { rehearse } from '#core/database/rehearse'
import { recordStatements } from '#tests/helpers/count_statements'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { ALAN, anApplicationWithPolicy } from '#tests/helpers/policies'
import { burn, turnsDuring } from '#tests/helpers/event_loop'

const PARTS = 20
/** Longer than work may take before it lets others run. */
const PART_MS = 6

test.group('A large policy', () => {
  test('lets other requests run between its changes', async ({ assert }) => {
    const plan = () =>
      rehearse(({ tryOut }) =>
        tryOut(async () => {
          for (let part = 0; part < PARTS; part++) await transaction(async () => burn(PART_MS))
        })
      )
    assert.isAtLeast(await turnsDuring(plan), PARTS)
  })

  test('is refused if its changes keep the only connection of SQLite for too long', async ({
    assert,
    cleanup,
  }) => {
    cleanup(() => void Object.assign(partLimits, { cpuSeconds: 5 }))
    partLimits.cpuSeconds = 0.001
    let parts = 0
    const part = async () => {
      parts++
      burn(PART_MS)
    }
    const work = async () => {
      for (let count = 0; count < PARTS; count++) await transaction(part)
    }
    const tries = [() => rehearse(({ tryOut }) => tryOut(work)), () => asOneChange(work)]
    for (const attempt of tries) {
      parts = 0
      const error: unknown = await attempt().then(
        () => null,
        (reason: unknown) => reason
      )
      if (usesPostgres()) {
        assert.deepEqual([error, parts], [null, PARTS])
        continue
      }
      assert.instanceOf(error, ChangesTakeTooLong)
      assert.isBelow(parts, PARTS)
    }
  })

  test('lets other requests run while it is compared', async ({ assert }) => {
    const permissions = Array.from({ length: 2_000 }, (_, index) => `p${index}`)
    const granting = (accessLevel: AccessLevel) => ({
      application: 'shop',
      roles: Array.from({ length: 25 }, (_, index) => ({
        code: `r${index}`,
        name: null,
        description: null,
        permissions: permissions.map((permission) => {
          return { permission, accessLevel, condition: null }
        }),
      })),
    })
    const compare = async () => {
      const changes = await comparePolicies(granting('view'), granting('edit'))
      assert.lengthOf(changes, 25)
    }
    assert.isAbove(await turnsDuring(compare), 1)
  })

  // Lucid makes each attribute of a model observable, which takes ten times as long as reading it.
  test('is read, and its changes are tried out, without a model of each row', async ({
    assert,
    cleanup,
  }) => {
    const { code, id: applicationId } = await anApplicationWithPolicy()
    const { id: permissionId } = await Permission.findByOrFail({ applicationId, code: 'orders' })
    const { id: roleId } = await Role.findByOrFail({ applicationId, code: 'clerk' })
    const made: string[] = []
    for (const Model of [Permission, Role, RolePermission, UserRole, ResourceOverride]) {
      const note = (rows: unknown[]) => void (rows.length > 0 && made.push(Model.name))
      Model.after('fetch', note)
      cleanup(() => void Model.$hooks.remove('after:fetch', note))
    }
    await exportPolicy(code, { assignments: true })
    const permissions = [{ permissionId, accessLevel: 'view' }]
    const overridden = { resourceType: 'order', resourceId: '42' }
    const changes = await readAccessChanges([
      {
        op: 'replaceOverrides',
        email: ALAN,
        ...overridden,
        permissions: [{ ...permissions[0], granted: true }],
      },
      { op: 'replaceRolePermissions', roleId, permissions },
      { op: 'replaceRolePermissions', role: 'clerk', permissions },
    ])
    const options = { page: {}, asked: null, changer: { caller: 'a test', application: null } }
    const { total } = await previewFlips(code, applyEach(code, changes), options)
    assert.isAbove(total, 0)
    assert.isEmpty(made)
  })

  // Models are kept until the transaction ends: with 2,000 permissions, a policy with 1,000 changed
  // overrides took all memory.
  test('reads for each change only the permissions and roles that it names', async ({ assert }) => {
    const { id: applicationId, code } = await anApplication()
    const codes = Array.from({ length: 50 }, (_, index) => `c${index}`)
    const [permission] = await Permission.createMany(
      codes.map((each) => ({ applicationId, code: each, type: 'binary' as const, global: false }))
    )
    const [role] = await Role.createMany(codes.map((each) => ({ applicationId, code: each })))
    const grant = { permissionId: permission!.id, accessLevel: 'allowed' as const }
    const list = { email: uniqueEmail(), appCode: code, resourceType: 'order', resourceId: '1' }
    const statements = await recordStatements(async () => {
      await replaceRolePermissions(code, role!.id, [grant])
      await replaceUserRoles(uniqueEmail(), code, [{ roleId: role!.id }])
      await replaceOverrides(list, [{ permissionId: permission!.id, granted: true }])
    })
    const reads = statements.filter((sql) =>
      /^select [^(]* from .(permissions|roles). where/.test(sql)
    )
    assert.isNotEmpty(reads)
    assert.isEmpty(reads.filter((sql) => !/["`]id["`] (in|=) /.test(sql)))
  })
})
