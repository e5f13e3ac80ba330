import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { uniqueEmail } from '#tests/helpers/people'
import { problemOf, serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

/** Routes that do not read a body. */
const WITHOUT_BODY = /\/explain$/

test.group('Bodies that users send about themselves', () => {
  const send = async (method: string, path: string, body: string) =>
    fetch(serviceUrl() + path, {
      method,
      body,
      headers: {
        'authorization': `Bearer ${await issuer.token(uniqueEmail())}`,
        'content-type': 'application/json',
      },
    })

  test('have at most 64 KiB, and 256 KiB for checks', async ({ assert }) => {
    const routes = Object.values(router.toJSON()).flat()
    const own = routes.filter(
      ({ pattern, methods }) =>
        /^\/api\/profile\/me(?:\/|$)/.test(pattern) &&
        !methods.includes('GET') &&
        !WITHOUT_BODY.test(pattern) &&
        !pattern.includes(':appCode')
    )
    assert.isAbove(own.length, 8)
    for (const { methods, pattern } of own) {
      const limit = pattern.includes('/check') ? 262_144 : 65_536
      const path = pattern.replaceAll(/:\w+/g, '1')
      const tooLarge = await send(methods[0], path, `{"a":"${'x'.repeat(limit)}"}`)
      assert.equal(tooLarge.status, 413, `${methods[0]} ${pattern}`)
      assert.equal((await problemOf(assert, tooLarge)).code, 'PAYLOAD_TOO_LARGE')
    }
  })

  test('can change 500 preferences or check 500 permissions in one request', async ({ assert }) => {
    const updates = Array.from({ length: 500 }, () => ({
      notificationTypeId: 2_147_483_647,
      email: false,
      push: false,
    }))
    const bulk = '/api/profile/me/notifications/preferences/bulk'
    const changed = await send('PUT', bulk, JSON.stringify({ updates }, null, 2))
    assert.notEqual(changed.status, 413)
    await changed.arrayBuffer()
    const permissions = Array.from({ length: 500 }, (_, i) => `${i}`.padStart(255, 'é'))
    const question = JSON.stringify({ app: 'shop', permissions })
    const checked = await send('POST', '/api/profile/me/check/bulk', question)
    assert.equal(checked.status, 200)
    await checked.arrayBuffer()
  })
})
