import { test } from '@japa/runner'
import { secrets } from '#core/secrets'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import NotificationPreference from '#app/notifications/models/notification_preference'
import { aType, sendNotification, subscribe } from '#tests/helpers/deliveries'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'

const unfolded = ({ raw }: { raw: Buffer }) => raw.toString().replace(/\r\n\s+/g, ' ')

const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' }

async function aSubscriber(fields = {}) {
  const application = await anApplication({ name: 'Shop <&> Co' })
  const type = await aType(application, { name: 'Offers <b>', ...fields })
  const user = await ensureUser({ email: uniqueEmail() })
  const path = new URL(unsubscribeUrl(user, type)).pathname
  const preference = () =>
    NotificationPreference.findBy({ userId: user.id, notificationTypeId: type.id })
  return { application, type, user, path, preference }
}

test.group('Unsubscribing without a login', () => {
  test('stops only the mails of this type with one click', async ({ assert, client }) => {
    const { application, type, user, preference } = await aSubscriber()
    const send = async (code: string) => {
      const data = { subject: code, body: 'x' }
      const body = { recipientEmail: user.email, appCode: application.code, type: code, data }
      return (await sendNotification(client, body)).body().data
    }
    await send(type.code)
    const [mail] = smtp.mailsTo(user.email)
    const [, url] = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(unfolded(mail))!
    const response = await client.post(new URL(url).pathname).form(ONE_CLICK)
    response.assertStatus(200)
    assert.containSubset(await preference(), { email: false, push: true })
    assert.containSubset(await send(type.code), { status: 'skipped', statusReason: 'NO_CHANNEL' })
    assert.equal((await send('generic')).status, 'sent')
  })

  test('has the same link in the text and the HTML of a mail as in its header', async ({
    assert,
    client,
  }) => {
    const { application, type, user } = await aSubscriber()
    await user.merge({ locale: 'cs' }).save()
    const data = { subject: 'Sale', body: 'Now' }
    const body = { recipientEmail: user.email, appCode: application.code, type: type.code, data }
    await sendNotification(client, body)
    const [mail] = smtp.mailsTo(user.email)
    const [, url] = /^List-Unsubscribe: <([^>]+)>/m.exec(unfolded(mail))!
    assert.equal(mail.parsed.text!.trim(), `Now\n\nOdhlásit odběr: ${url}`)
    assert.match(String(mail.parsed.html), new RegExp(`<a href="${url}"[^>]*>Odhlásit odběr</a>`))
  })

  test('is not offered in mails of types that users cannot switch off', async ({
    assert,
    client,
  }) => {
    const types = [{ userCanDisable: false }, { system: true }, { selfServiceEnabled: false }]
    for (const fields of types) {
      const { application, type, user } = await aSubscriber(fields)
      const data = { subject: 'Sale', body: 'Now' }
      const body = { recipientEmail: user.email, appCode: application.code, type: type.code, data }
      await sendNotification(client, body)
      const [mail] = smtp.mailsTo(user.email)
      assert.notMatch(mail.raw.toString(), /unsubscribe/i)
      assert.equal(mail.parsed.text!.trim(), 'Now')
    }
  })

  test('is not offered in a push message', async ({ assert, client, cleanup }) => {
    const { application, type, user } = await aSubscriber()
    const pushService = await new PushService().start()
    cleanup(() => pushService.stop())
    const browser = pushService.newBrowser()
    await subscribe(user.email, browser)
    const data = { subject: 'Sale', body: 'Now' }
    const body = { recipientEmail: user.email, appCode: application.code, type: type.code, data }
    await sendNotification(client, body)
    assert.equal(browser.messages[0].payload.body, 'Now')
  })

  test('changes nothing until the button of the page is clicked', async ({ assert, client }) => {
    const { path, preference } = await aSubscriber()
    const page = await client.get(path)
    page.assertStatus(200)
    assert.equal(page.type(), 'text/html')
    assert.match(
      page.text(),
      /<html lang="en">[\s\S]*<title>[\s\S]*<h1>[\s\S]*<form method="post">/
    )
    assert.include(page.text(), 'Shop &lt;&amp;&gt; Co')
    assert.include(page.text(), 'Offers &lt;b&gt;')
    assert.notInclude(page.text(), '<b>')
    assert.equal(page.header('cache-control'), 'no-store')
    assert.equal(page.header('referrer-policy'), 'no-referrer')
    assert.isNull(await preference())
    const [, name, value] = /<input type="hidden" name="([^"]+)" value="([^"]+)">/.exec(
      page.text()
    )!
    const done = await client.post(path).form({ [name]: value })
    done.assertStatus(200)
    assert.containSubset(await preference(), { email: false })
  })

  test("responds in the browser's language", async ({ assert, client }) => {
    const { path } = await aSubscriber()
    const page = await client.get(path).header('accept-language', 'cs-CZ,cs;q=0.9,en;q=0.8')
    assert.include(page.text(), '<html lang="cs">')
    assert.include(page.text(), 'Nechcete už dostávat e-maily „<strong>Offers &lt;b&gt;</strong>“')
    const done = await client.post(path).form(ONE_CLICK).header('accept-language', 'cs')
    assert.include(done.text(), 'Odběr je odhlášen')
    const unknown = await client.get(path).header('accept-language', 'fi, *;q=0.1')
    assert.include(unknown.text(), '<html lang="en">')
  })

  test('accepts both form encodings, also repeatedly', async ({ assert, client }) => {
    const { path, preference } = await aSubscriber()
    const first = await client.post(path).fields(ONE_CLICK)
    first.assertStatus(200)
    const second = await client.post(path).form(ONE_CLICK)
    second.assertStatus(200)
    assert.containSubset(await preference(), { email: false })
  })

  test('keeps the preference for push', async ({ assert, client }) => {
    const { path, preference, user, type } = await aSubscriber()
    await NotificationPreference.create({
      userId: user.id,
      notificationTypeId: type.id,
      email: true,
      push: false,
    })
    await client.post(path).form(ONE_CLICK)
    assert.containSubset(await preference(), { email: false, push: false })
  })

  test('rejects any other body', async ({ assert, client }) => {
    const { path, preference } = await aSubscriber()
    const other = await client.post(path).form({ 'List-Unsubscribe': 'No' })
    other.assertProblem(400, 'VALIDATION_ERROR')
    const json = await client.post(path).json(ONE_CLICK)
    json.assertProblem(415, 'UNSUPPORTED_MEDIA_TYPE')
    assert.isNull(await preference())
  })

  test('accepts an empty POST with any content type', async ({ assert, client }) => {
    for (const contentType of [null, 'application/x-www-form-urlencoded', 'text/plain']) {
      const { path, preference } = await aSubscriber()
      const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {}
      const response = await client.post(path).headers(headers)
      response.assertStatus(200)
      assert.containSubset(await preference(), { email: false, push: true })
    }
  })

  test('is rejected for types that cannot be switched off', async ({ assert, client }) => {
    for (const fields of [{ userCanDisable: false }, { selfServiceEnabled: false }]) {
      const { path, preference, type } = await aSubscriber()
      await type.merge(fields).save()
      const page = await client.get(path)
      page.assertProblem(403, 'TYPE_NOT_OPTIONAL')
      const response = await client.post(path).form(ONE_CLICK)
      response.assertProblem(403, 'TYPE_NOT_OPTIONAL')
      assert.isNull(await preference())
    }
  })

  test('rejects links that the service did not issue', async ({ assert, client }) => {
    const { path, user, type, preference } = await aSubscriber()
    const content = `${user.id}:${type.id}`
    const base = path.slice(0, path.lastIndexOf('/') + 1)
    const flipped = path.endsWith('A') ? `${path.slice(0, -1)}B` : `${path.slice(0, -1)}A`
    const forged = [
      `${base}${content}`,
      `${base}${Buffer.from(content).toString('base64url')}`,
      `${base}${encodeURIComponent(secrets.encrypt(content, 'another.purpose'))}`,
      flipped.replace(/.{12}$/, (end) => [...end].reverse().join('')),
      `${base}x`,
    ]
    for (const attempt of forged) {
      const response = await client.post(attempt).form(ONE_CLICK)
      response.assertProblem(404, 'UNSUBSCRIBE_LINK_INVALID')
      const page = await client.get(attempt)
      page.assertProblem(404, 'UNSUBSCRIBE_LINK_INVALID')
    }
    assert.isNull(await preference())
  })

  test('rejects the link of someone who had the same id before a restore', async ({
    assert,
    client,
  }) => {
    const { user, type, preference } = await aSubscriber()
    const links = [
      unsubscribeUrl({ id: user.id, email: uniqueEmail() }, type),
      unsubscribeUrl(user, { id: type.id, code: uniqueCode('type') }),
    ]
    for (const link of links) {
      const response = await client.post(new URL(link).pathname).form(ONE_CLICK)
      response.assertProblem(404, 'UNSUBSCRIBE_LINK_INVALID')
    }
    assert.isNull(await preference())
  })

  test('accepts links of mails from before they named the user and the type', async ({
    assert,
    client,
  }) => {
    const { user, type, preference } = await aSubscriber()
    const token = secrets.sign(`${user.id}:${type.id}`, 'delivery.unsubscribe')
    const response = await client.post(`/api/unsubscribe/${token}`).form(ONE_CLICK)
    response.assertStatus(200)
    assert.isFalse((await preference())!.email)
  })

  test('rejects a link to a deleted type', async ({ client }) => {
    const { path, type } = await aSubscriber()
    await type.delete()
    const response = await client.get(path)
    response.assertProblem(404, 'UNSUBSCRIBE_LINK_INVALID')
  })
})
