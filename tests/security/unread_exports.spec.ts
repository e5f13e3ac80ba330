import { test } from '@japa/runner'
import { inPath } from '#tests/helpers/management'
import { aSuperAdmin, uniqueEmail } from '#tests/helpers/people'
import { manyLargeNotifications } from '#tests/helpers/inbox'
import { serviceUrl } from '#tests/helpers/send'
import { issuer, SUPER_ADMIN } from '#tests/world/prepare'

const MESSAGES = 150

async function exportOf(email: string, caller: string) {
  const authorization = `Bearer ${await issuer.reusedToken(caller)}`
  const url = `${serviceUrl()}/api/users/${inPath(email)}/export`
  return fetch(url, { headers: { authorization } })
}

test.group('Exports of users that nobody reads', () => {
  test('are one per caller, and delay no others', async ({ assert, cleanup }) => {
    const [email, other] = [uniqueEmail(), await aSuperAdmin(cleanup)]
    await manyLargeNotifications(email, MESSAGES)
    const unread = await exportOf(email, SUPER_ADMIN)
    assert.equal(unread.status, 200)
    const again = await exportOf(email, SUPER_ADMIN)
    assert.equal(again.status, 503)
    assert.equal(again.headers.get('retry-after'), '5')
    assert.containSubset(await again.json(), { code: 'OVERLOADED' })
    const ofOther = await exportOf(email, other)
    assert.equal(ofOther.status, 200)
    assert.lengthOf(((await ofOther.json()) as Export).data.notifications, MESSAGES)
    await unread.body!.cancel()
    const next = await exportOf(email, SUPER_ADMIN)
    assert.equal(next.status, 200)
    await next.body!.cancel()
  })
})

interface Export {
  data: { notifications: object[] }
}
