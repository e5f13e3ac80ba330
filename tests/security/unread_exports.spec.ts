import { test } from '@japa/runner'
import Notification from '#app/notifications/models/notification'
import { inPath } from '#tests/helpers/management'
import { aSuperAdmin, uniqueEmail } from '#tests/helpers/people'
import { aNotification } from '#tests/helpers/inbox'
import { serviceUrl } from '#tests/helpers/send'
import { issuer, SUPER_ADMIN } from '#tests/world/prepare'

const [MESSAGES, CHARACTERS] = [150, 60_000]

async function exportOf(email: string, caller: string) {
  const authorization = `Bearer ${await issuer.reusedToken(caller)}`
  const url = `${serviceUrl()}/api/users/${inPath(email)}/export`
  return fetch(url, { headers: { authorization } })
}

/** Someone whose export is larger than the buffers of the operating system. */
async function anAvidReader() {
  const email = uniqueEmail()
  const { $attributes } = await aNotification(email, { payload: { text: 'x'.repeat(CHARACTERS) } })
  const { id, ...message } = $attributes
  await Notification.createMany(Array.from({ length: MESSAGES }, () => message))
  return email
}

test.group('Exports of users that nobody reads', () => {
  test('are one per caller, and delay no others', async ({ assert, cleanup }) => {
    const [email, other] = [await anAvidReader(), await aSuperAdmin(cleanup)]
    const unread = await exportOf(email, SUPER_ADMIN)
    assert.equal(unread.status, 200)
    const again = await exportOf(email, SUPER_ADMIN)
    assert.equal(again.status, 503)
    assert.equal(again.headers.get('retry-after'), '5')
    assert.containSubset(await again.json(), { code: 'OVERLOADED' })
    const ofOther = await exportOf(email, other)
    assert.equal(ofOther.status, 200)
    assert.lengthOf(((await ofOther.json()) as Export).data.notifications, MESSAGES + 1)
    await unread.body!.cancel()
    const next = await exportOf(email, SUPER_ADMIN)
    assert.equal(next.status, 200)
    await next.body!.cancel()
  })
})

interface Export {
  data: { notifications: object[] }
}
