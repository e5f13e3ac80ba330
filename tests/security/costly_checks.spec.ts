import { test } from '@japa/runner'
import { checkPermission } from '#app/checks/actions/check_permissions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { checkScope } from '#app/checks/values/check_scope'
import { aCostlyCondition, costlyVariables } from '#tests/helpers/costly_conditions'
import { turnsDuring } from '#tests/helpers/event_loop'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const ROLES = 4
const CHECKS = 20

test.group('Conditions that take long', (group) => {
  group.each.timeout(20_000)

  test('let other work run between single checks', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const permission = await manage.permission()
    const roles: number[] = []
    for (let number = 0; number < ROLES; number++) {
      const { id } = await manage.role()
      const grant = { permissionId: permission.id, accessLevel: 'allowed' }
      await manage.rolePermissions(id, [{ ...grant, condition: aCostlyCondition(number) }])
      roles.push(id)
    }
    const email = uniqueEmail()
    await manage.userRoles(email, roles)
    const { context } = costlyVariables()
    const check = {
      scope: checkScope(email, code),
      permission: permission.code,
      attributes: { context },
    }
    for (const run of [checkPermission, explainPermission]) {
      await run(check)
      const turns = await turnsDuring(() =>
        Promise.all(Array.from({ length: CHECKS }, () => run(check)))
      )
      assert.isAtLeast(turns, CHECKS / 2, run.name)
    }
  })
})
