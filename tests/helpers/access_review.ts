import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import UserRole from '#app/permissions/models/user_role'
import { anApplication, type signedIn, uniqueEmail } from '#tests/helpers/people'

const [HOLDERS, PERMISSIONS] = [400, 100]

/**
 * All rights of a review, page by page.
 *
 * @param filter as in a query string
 */
export async function reviewOf(
  admin: ReturnType<typeof signedIn>,
  { code }: { code: string },
  filter = ''
) {
  const rights: any[] = []
  let path: string | undefined = `/api/applications/${code}/access-review?limit=200&${filter}`
  while (path) {
    const page = await admin.get(path)
    page.assertStatus(200)
    rights.push(...page.body().data)
    path = /<([^>]+)>; rel="next"/.exec(page.header('link') ?? '')?.[1]
  }
  return rights
}

/** An application whose review is larger than the buffers of the operating system. */
export async function aLargeApplication() {
  const application = await anApplication()
  const of = { applicationId: application.id }
  const role = await Role.create({ ...of, code: 'clerk' })
  const permissions = await Permission.createMany(
    Array.from({ length: PERMISSIONS }, (_, count) => ({
      ...of,
      code: `p${count}-${'x'.repeat(50)}`,
      type: 'binary' as const,
    }))
  )
  await RolePermission.createMany(
    permissions.map(({ id }) => ({
      roleId: role.id,
      permissionId: id,
      accessLevel: 'allowed' as const,
      condition: `context.text == "${'x'.repeat(200)}"`,
    }))
  )
  await UserRole.createMany(
    Array.from({ length: HOLDERS }, () => ({ email: uniqueEmail(), roleId: role.id }))
  )
  return application
}
