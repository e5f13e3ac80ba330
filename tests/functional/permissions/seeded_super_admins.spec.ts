import { test } from '@japa/runner'
import SuperAdmin from '#app/permissions/models/super_admin'
import { eventually } from '#tests/helpers/eventually'
import { securityEvents } from '#tests/helpers/log_lines'
import { uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'

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
    const [seeded] = securityEvents(first, 'super_admin_changed')
    assert.containSubset(seeded, { change: 'seeded', email })

    const response = await fetch(`${first.url}/api/users/admins/${encodeURIComponent(email)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await issuer.token(SUPER_ADMIN)}` },
    })
    assert.equal(response.status, 204)
    const removed = await eventually('the removal is reported', () =>
      securityEvents(first, 'super_admin_changed').find(({ change }) => change === 'removed')
    )
    assert.containSubset(removed, { email, actor: SUPER_ADMIN })
    await first.stop()

    const second = await start([SUPER_ADMIN, email.toUpperCase()])
    assert.isFalse(await isSuperAdmin(email))
    assert.lengthOf(securityEvents(second, 'super_admin_changed'), 0)
    await second.stop()
  })
})
