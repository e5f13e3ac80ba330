import { test } from '@japa/runner'
import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aType } from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'

const NEW_KEY = 'the-key-that-came-after-the-first'

test.group('APP_KEY', () => {
  test('can be replaced while the previous one is still configured for decryption', async ({
    assert,
    cleanup,
  }) => {
    const user = await ensureUser({ email: uniqueEmail() })
    const type = await aType(await anApplication())
    const { pathname } = new URL(unsubscribeUrl(user, type))
    const statusWith = async (settings: Record<string, string>) => {
      const service = await startService({ ...sameDatabase(), APP_KEY: NEW_KEY, ...settings })
      cleanup(async () => void (await service.stop()))
      return (await fetch(`${service.url}${pathname}`)).status
    }
    const previous = {
      APP_KEY_PREVIOUS: `another-key-of-long-long-ago-here,${process.env.APP_KEY}`,
    }
    assert.equal(await statusWith(previous), 200)
    assert.equal(await statusWith({}), 404)
  })
})
