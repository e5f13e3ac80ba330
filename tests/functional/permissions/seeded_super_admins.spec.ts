import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import emitter from '@adonisjs/core/services/emitter'
import authConfig from '#config/auth'
import AccessChanged, { type AccessScope } from '#core/events/access_changed'
import { seedRequiredData } from '#database/seeders/required_data_seeder'
import SuperAdmin from '#app/permissions/models/super_admin'
import { eventually } from '#tests/helpers/eventually'
import { securityEvents } from '#tests/helpers/log_lines'
import { allowed } from '#tests/helpers/management'
import { uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'

/** Seeds this address, too. */
async function seedAlso(email: string) {
  const { superAdmins } = authConfig
  authConfig.superAdmins = [...superAdmins, email]
  try {
    await seedRequiredData()
  } finally {
    authConfig.superAdmins = superAdmins
  }
}

const isSuperAdmin = async (email: string) => (await SuperAdmin.findBy({ email })) !== null

test.group('SUPER_ADMINS', () => {
  test('an address is seeded once: a removed super admin stays removed after a restart', async ({
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const start = async (emails: string[]) => {
      const service = await startProductionService({
        ...sameDatabase(),
        SUPER_ADMINS: emails.join(','),
      })
      cleanup(() => void service.stop())
      return service
    }
    const first = await start([SUPER_ADMIN, email])
    assert.isTrue(await isSuperAdmin(email))
    const [seeded] = await eventually('the seeding is reported', () => {
      const events = securityEvents(first, 'super_admin_changed')
      return events.length > 0 && events
    })
    assert.containSubset(seeded, { change: 'seeded', email })

    const authorization = `Bearer ${await issuer.token(SUPER_ADMIN)}`
    const limit = () =>
      fetch(`${first.url}/api/users/admins`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ email, validUntil: '2099-01-01T00:00:00.000Z' }),
      })
    assert.equal((await limit()).status, 200)
    assert.equal((await limit()).status, 200)
    const response = await fetch(`${first.url}/api/users/admins/${encodeURIComponent(email)}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    assert.equal(response.status, 204)
    const removed = await eventually('the removal is reported', () =>
      securityEvents(first, 'super_admin_changed').find(({ change }) => change === 'removed')
    )
    assert.containSubset(removed, { email, actor: SUPER_ADMIN })
    const [, limited, ...others] = securityEvents(first, 'super_admin_changed')
    assert.containSubset(limited, { change: 'window_changed', email, actor: SUPER_ADMIN })
    assert.deepEqual(others, [removed])
    await first.stop()

    const second = await start([SUPER_ADMIN, email.toUpperCase()])
    assert.isFalse(await isSuperAdmin(email))
    assert.lengthOf(securityEvents(second, 'super_admin_changed'), 0)
    await second.stop()
  })

  test('a super admin whose time has ended is one again, at once and for all time', async ({
    client,
    assert,
    cleanup,
  }) => {
    const [email, unlimited] = [uniqueEmail(), uniqueEmail()]
    const validUntil = DateTime.utc().minus({ days: 1 })
    await SuperAdmin.createMany([{ email, validUntil }, { email: unlimited }])
    const announced: AccessScope[] = []
    cleanup(emitter.on(AccessChanged, ({ scopes }) => void announced.push(...scopes)))
    const question = { email, app: 'auth', permission: 'applications.manage' }
    assert.isFalse(await allowed(client, question))
    await seedAlso(email)
    assert.isTrue(await allowed(client, question))
    const admin = await SuperAdmin.findByOrFail({ email })
    assert.deepEqual([admin.validFrom, admin.validUntil], [null, null])
    assert.deepEqual(announced, [{ email }])

    announced.length = 0
    await seedAlso(unlimited)
    await admin.merge({ validUntil }).save()
    await seedAlso(email)
    assert.isEmpty(announced)
    assert.isNotNull((await SuperAdmin.findByOrFail({ email })).validUntil)
    await SuperAdmin.query().whereIn('email', [email, unlimited]).delete()
  })
})
