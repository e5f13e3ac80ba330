import { generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import { secrets } from '#core/secrets'
import { DKIM_PRIVATE_KEY } from '#app/platform/values/brand_mail'
import {
  aType,
  notificationRecordOf,
  sendNotification,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { verifyDkim } from '#tests/helpers/verify_dkim'
import { DKIM, rsaKeys, smtp } from '#tests/world/prepare'

const TEXT = { subject: 'Příliš žluťoučký', body: 'Something happened.\n\n. A dot\n' }

const platformKeys = { [`${DKIM.selector}._domainkey.${DKIM.domain}`]: DKIM.publicKey }

test.group('DKIM', () => {
  test("signs with the platform's key, including the unsubscribe headers", async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    await sendNotification(client, body)
    const [mail] = smtp.mailsTo(email)
    const [signature] = await verifyDkim(mail.raw, platformKeys)
    assert.containSubset(signature, { result: 'pass', domain: DKIM.domain })
    const signed = [
      'from',
      'to',
      'subject',
      'message-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ]
    assert.includeMembers(signature.headers, signed)
  })

  test('signs a subject that contains an encoded word', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const data = { subject: `${'=?utf-8?B?eA==?= '.repeat(9)}x`, body: 'x' }
    await sendNotification(client, {
      recipientEmail: email,
      appCode: application.code,
      type: 'generic',
      data,
    })
    const [mail] = smtp.mailsTo(email)
    assert.equal(mail.parsed.subject, data.subject)
    const [signature] = await verifyDkim(mail.raw, platformKeys)
    assert.containSubset(signature, { result: 'pass' })
    assert.include(signature.headers, 'subject')
  })

  test("prefers the brand's own key", async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const keys = rsaKeys()
    const privateKey = secrets.encrypt(keys.privateKey, DKIM_PRIVATE_KEY)
    await withOwnServer(email, smtp, {
      smtp: null,
      dkim: { domain: 'brand.example', selector: 's1', privateKey },
    })
    const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    await sendNotification(client, body)
    const [mail] = smtp.mailsTo(email)
    const signatures = await verifyDkim(mail.raw, { 's1._domainkey.brand.example': keys.publicKey })
    assert.lengthOf(signatures, 1)
    assert.containSubset(signatures[0], { result: 'pass', domain: 'brand.example' })
  })

  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  for (const [title, privateKey] of Object.entries({
    'no key': null,
    'an invalid key': 'no key at all',
    'a key that cannot sign': String(ed25519),
  })) {
    test(`sends nothing unsigned if there is ${title}`, async ({ assert, client }) => {
      const application = await anApplication()
      const email = uniqueEmail()
      const stored = privateKey === null ? null : secrets.encrypt(privateKey, DKIM_PRIVATE_KEY)
      await withOwnServer(email, smtp, {
        smtp: null,
        dkim: { domain: 'brand.example', selector: 's1', privateKey: stored },
      })
      const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
      const { data } = (await sendNotification(client, body)).body()
      assert.equal(data.status, 'failed')
      assert.match(data.statusReason, /^SMTP_ERROR: .*DKIM/)
      assert.isEmpty(smtp.mailsTo(email))
      const { deliveries } = await notificationRecordOf(data.id)
      assert.containSubset(deliveries[0], { channel: 'email', status: 'failed' })
    })
  }
})

test.group('Headers of a mail', () => {
  test('offer unsubscribing only if the user can switch the type off', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const fixed = await aType(application, { userCanDisable: false })
    const system = await aType(application, { system: true })
    const free = await aType(application)
    const email = uniqueEmail()
    for (const { code } of [fixed, system, free]) {
      const data = { subject: code, body: 'x' }
      await sendNotification(client, {
        recipientEmail: email,
        appCode: application.code,
        type: code,
        data,
      })
    }
    const offering = smtp
      .mailsTo(email)
      .filter(({ raw }) => /^List-Unsubscribe(-Post)?:/im.test(raw.toString()))
    assert.deepEqual(
      offering.map(({ parsed }) => parsed.subject),
      [free.code]
    )
    const header = offering[0].raw.toString().replace(/\r\n\s+/g, ' ')
    assert.match(header, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  })

  test('contain a unique Message-ID in a multipart mail', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    await sendNotification(client, body)
    await sendNotification(client, body)
    const [first, second] = smtp.mailsTo(email)
    assert.match(first.raw.toString(), /^Content-Type: multipart\/alternative/m)
    assert.notEqual(first.parsed.messageId, second.parsed.messageId)
    assert.match(first.parsed.messageId!, /^<[^<>\s@]+@platform\.example>$/)
  })
})
