import { test } from '@japa/runner'
import pg from 'pg'
import { usesPostgres } from '#core/database/dialect'
import UserRole from '#app/permissions/models/user_role'
import { memberPart } from '#app/permissions/queries/role_members'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { inFlight } from '#tests/helpers/metrics'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'

const USERS = 5
/** Users whom one statement reads, so that it takes three for all of them. */
const PART = 2
const STATEMENTS = 3
const PERMISSIONS = 4

test.group('Affected users', (group) => {
  group.setup(() => {
    const { users } = memberPart
    memberPart.users = PART
    return () => void (memberPart.users = users)
  })

  // One statement for all of them took longer than allowed, and on SQLite nothing else ran.
  test('of a role are read once and in parts, however many permissions change', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const other = await manage.role()
    const permissions = await Array.fromAsync({ length: PERMISSIONS }, () => manage.permission())
    const keeps = { permissionId: permissions[0].id, accessLevel: 'allowed' }
    await manage.rolePermissions(other.id, [keeps])
    const emails = Array.from({ length: USERS }, () => uniqueEmail())
    await UserRole.createMany(emails.map((email) => ({ email, roleId: role.id })))
    await UserRole.create({ email: emails.at(-1), roleId: other.id })
    const changes = permissions.map(({ id }) => {
      return { roleId: role.id, permissionId: id, accessLevel: 'allowed' }
    })
    const statements = await recordStatements(async () => {
      const path = `/api/applications/${code}/role-permissions?dryRun=true`
      const response = await superAdmin(client).patch(path, { changes })
      response.assertStatus(200)
      assert.deepEqual(
        response.body().data.changes.map(({ peopleAffected }: any) => peopleAffected),
        [USERS - 1, USERS, USERS, USERS]
      )
    })
    const parts = statements.filter((sql) => /from user_roles ur[^]*order by/.test(sql))
    assert.lengthOf(parts, STATEMENTS)
    const usersOfParts = /from user_roles ur\s+where ur\.email/
    assert.lengthOf(
      statements.filter((sql) => usersOfParts.test(sql)),
      STATEMENTS
    )
  })
})

/** More than there are connections in the pool. */
const REQUESTS = 30

// On SQLite there are no connections to wait for.
if (usesPostgres()) {
  test.group('Large changes of one caller', (group) => {
    let blocker: pg.Client

    group.each.setup(async () => {
      blocker = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await blocker.connect()
      return () => blocker.end()
    })

    test('leave connections for everything else', async ({ assert, client }) => {
      const { code } = await anApplication()
      const manage = manageApplication(client, code)
      const role = await manage.role()
      const permission = await manage.permission()
      const admin = superAdmin(client)
      const application = `/api/applications/${code}`
      const change = { roleId: role.id, permissionId: permission.id, accessLevel: 'allowed' }
      const rows = [{ email: uniqueEmail(), role: role.code }]
      await blocker.query('begin')
      await blocker.query('lock table audit_entries in access exclusive mode')
      const changing = Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          index % 2 === 0
            ? admin.patch(`${application}/role-permissions?dryRun=true`, { changes: [change] })
            : admin.post(`${application}/assignments/import?dryRun=true`, { rows })
        )
      )
      const waiting = async () => (await inFlight(serviceUrl(), 'other')) >= REQUESTS
      await eventually('all are in progress', waiting)
      for (let time = 0; time < 3; time++) {
        const check = { email: uniqueEmail(), app: code, permission: permission.code }
        const response = await client.post('/api/check').json(check)
        response.assertStatus(200)
      }
      await blocker.query('rollback')
      const statuses = (await changing).map((response) => response.status())
      assert.isNotEmpty(statuses.filter((status) => status === 200))
      assert.isEmpty(statuses.filter((status) => ![200, 503].includes(status)))
    })
  })
}
