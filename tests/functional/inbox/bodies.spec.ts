import { test } from '@japa/runner'
import Notification from '#app/notifications/models/notification'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { inboxOf } from '#tests/helpers/inbox'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'

async function aShop(body = '<p>Thank you, <b>{{name}}</b></p>') {
  const application = await anApplication()
  const type = await aType(application)
  await aTemplate(type, { en: { subject: 'Order', body } })
  return { appCode: application.code, type: type.code }
}

test.group('The body of an inbox item', () => {
  test('is the rendered message without the layout of mails', async ({ client, assert }) => {
    const email = uniqueEmail()
    const data = { name: 'Ada <Lovelace>', url: 'https://shop.example/orders/7' }
    await sendNotification(client, { recipientEmail: email, ...(await aShop()), data })
    const [item] = await inboxOf(signedIn(client, email))
    assert.deepEqual(item.body, {
      text: 'Thank you, Ada <Lovelace>',
      html: '<p>Thank you, <b>Ada &lt;Lovelace&gt;</b></p>',
    })
    assert.equal(item.url, data.url)
  })

  test('of a message without a template is its text', async ({ client, assert }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const { code: type } = await aType(application)
    const data = { subject: 'Hello', body: 'One <b>\nTwo' }
    const send = { recipientEmail: email, appCode: application.code, type, data }
    await sendNotification(client, send)
    const [item] = await inboxOf(signedIn(client, email))
    assert.deepEqual(item.body, { text: 'One <b>\nTwo', html: 'One &lt;b&gt;<br>\nTwo' })
    assert.isNull(item.url)
  })

  test('is null if nothing was rendered', async ({ client, assert }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const { code: type } = await aType(application)
    const send = { recipientEmail: email, appCode: application.code, type, data: {} }
    await sendNotification(client, send)
    const [item] = await inboxOf(signedIn(client, email))
    assert.deepEqual(item.body, { text: null, html: null })
  })

  test('is bounded', async ({ client, assert }) => {
    const email = uniqueEmail()
    const data = { name: '🙂'.repeat(50_000) }
    await sendNotification(client, { recipientEmail: email, ...(await aShop()), data })
    const [{ body }] = await inboxOf(signedIn(client, email))
    assert.isNull(body.html)
    assert.lengthOf(body.text!, 65_536)
    assert.isTrue(body.text!.isWellFormed())
    assert.isTrue(body.text!.endsWith('…'))
  })

  test('is seen by the recipient only, and leaves with an erasure', async ({ client, assert }) => {
    const email = uniqueEmail()
    const shop = await aShop()
    await sendNotification(client, { recipientEmail: email, ...shop, data: { name: 'Hush-hush' } })
    const { id } = await Notification.findByOrFail({ email })
    await Notification.query().where({ id }).update({ payload: '{}' })
    const admin = superAdmin(client)
    for (const path of [`${shop.appCode}`, `${shop.appCode}/${id}`]) {
      const log = await admin.get(`/api/admin/notifications/log/${path}`)
      log.assertStatus(200)
      assert.notInclude(log.text(), 'Hush-hush')
    }
    const exported = await admin.get(`/api/users/${email}/export`)
    assert.include(exported.text(), 'Hush-hush')
    const erased = await admin.delete(`/api/users/${email}`)
    assert.include([200, 204], erased.status())
    const entry = await Notification.findOrFail(id)
    assert.isNull(entry.bodyText)
    assert.isNull(entry.bodyHtml)
  })

  test('is exported without sensitive values', async ({ client, assert }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const type = await aType(application)
    const variables = [{ key: 'code', required: true, sensitive: true }]
    await aTemplate(type, { en: { subject: 'Code', body: '<p>{{code}}</p>' } }, { variables })
    const send = { recipientEmail: email, appCode: application.code, type: type.code }
    await sendNotification(client, { ...send, data: { code: 'a&b-49152' } })
    const exported = await superAdmin(client).get(`/api/users/${email}/export`)
    exported.assertStatus(200)
    assert.notInclude(exported.text(), '49152')
    const [{ bodyText, bodyHtml }] = exported.body().data.notifications
    assert.deepEqual([bodyText, bodyHtml], ['***', '***'])
    const [item] = await inboxOf(signedIn(client, email))
    assert.equal(item.body.text, 'a&b-49152')
  })
})
