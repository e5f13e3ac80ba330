import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import Delivery from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { readDigestSecrets } from '#app/delivery/digests/read_digest_secrets'
import Notification from '#app/notifications/models/notification'
import Suppression from '#app/suppressions/models/suppression'
import { postInternalNotification } from '#tests/helpers/deliveries'
import { aDigestedType, digestsOf, reachDigests, sendDigested } from '#tests/helpers/digests'
import { anotherService } from '#tests/helpers/internal'
import { inPath } from '#tests/helpers/management'
import { type Cleanup, refusedPerson, runNextRound } from '#tests/helpers/pending_sends'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aVersion } from '#tests/helpers/templates'

const BOUNCES = '/api/internal/notifications/bounces'
const CODES = ['4711-0815', '1234-5678', '9876-5432']
const QUOTATION = `5.7.1 refused: [${CODES.join(' ')}]`
const MASKED = '5.7.1 refused: [… … …]'

/** Its messages have a code, and are sent in digests. */
async function aShop({ sensitive = true, ownTemplate = false } = {}) {
  const application = await anApplication()
  const type = await aDigestedType(application)
  const variables = ['code', 'pins.pin'].map((key) => ({ key, required: false, sensitive }))
  const template = await aTemplate(application, type, { variables })
  const bodyTemplate = '<p>Your code is {{code}}{{#pins}}, {{pin}}{{/pins}}</p>'
  await aVersion(template, 'en', { subjectTemplate: 'Code {{code}}', bodyTemplate })
  if (ownTemplate) {
    const digests = await aTemplate(application, type, { key: 'digest' })
    await aVersion(digests, 'en', {
      subjectTemplate: 'Digest',
      bodyTemplate: '<p>{{#items}}{{subject}}: {{text}}{{/items}}</p>',
    })
    await type.merge({ digest: { ...type.digest!, templateKey: 'digest' } }).save()
  }
  return { application, type, template }
}

type Shop = Awaited<ReturnType<typeof aShop>>

/** Numbers under many names, two of which do not fit in one part. */
const LARGE = Object.fromEntries(Array.from({ length: 4_990 }, (_, at) => [`number ${at}`, at]))

async function sendLarge(client: ApiClient, shop: Shop, email: string, count: number) {
  const ids: number[] = []
  for (let sent = 0; sent < count; sent++) {
    const data = { code: CODES[sent % 3], ...LARGE }
    ids.push((await sendDigested(client, shop, email, data, { template: 'main' })).id)
  }
  return ids
}

/** Sends a message with each of the codes. */
async function sendCodes(client: ApiClient, shop: Shop, email: string) {
  const ids: number[] = []
  for (const code of CODES) {
    ids.push((await sendDigested(client, shop, email, { code }, { template: 'main' })).id)
  }
  return ids
}

/** Everything that someone can read about the messages of a user. */
async function shownAbout(client: ApiClient, { application }: Shop, email: string) {
  const shown: unknown[] = []
  for (const { id } of await Notification.query().where({ email })) {
    const entry = await anotherService(client).get(`/api/internal/notifications/${id}`)
    const path = `/api/admin/notifications/log/${application.code}/${id}`
    const log = await superAdmin(client).get(path)
    entry.assertStatus(200)
    log.assertStatus(200)
    shown.push(entry.body(), log.body())
  }
  const exported = await superAdmin(client).get(`/api/users/${inPath(email)}/export`)
  exported.assertStatus(200)
  const suppression = await Suppression.findBy({ email })
  return JSON.stringify([shown, exported.body(), suppression?.serialize() ?? null])
}

async function quotedBy(cleanup: Cleanup, status: number, stage = 'DATA') {
  const person = await refusedPerson(cleanup)
  person.server.react = (at) => (at === stage ? status : undefined)
  person.server.refusal = QUOTATION
  return person
}

/** The messages of a user were sent in a digest. */
async function sentCodes(client: ApiClient, shop: Shop, more = 0) {
  const email = uniqueEmail()
  const ids = await sendCodes(client, shop, email)
  await sendLarge(client, shop, email, more)
  await reachDigests(email)
  const [digest] = await digestsOf(email)
  const report = async (notificationId: number) => {
    const body = { email, kind: 'soft', notificationId, text: `552 ${QUOTATION}` }
    const response = await anotherService(client).post(BOUNCES, body)
    response.assertStatus(200)
    return (await Notification.findOrFail(notificationId)).statusReason
  }
  return { email, ids, digest, report }
}

const declareSensitive = ({ template }: Shop) =>
  template.merge({ variables: [{ key: 'code', required: false, sensitive: true }] }).save()

test.group('A digest that a mail server quotes', () => {
  test('shows no sensitive values of its messages, with {$self}')
    .with(['the built-in template', 'a template of its own'])
    .run(async ({ assert, client, cleanup }, title) => {
      const { email } = await quotedBy(cleanup, 554)
      const shop = await aShop({ ownTemplate: title === 'a template of its own' })
      const ids = await sendCodes(client, shop, email)
      await reachDigests(email)
      const [digest] = await digestsOf(email)
      for (const id of [digest.id, ...ids]) {
        const { statusReason } = await Notification.findOrFail(id)
        assert.equal(statusReason, `SMTP_ERROR: 554 ${MASKED}`)
        const { error } = await Delivery.findByOrFail({ notificationId: id })
        assert.equal(error, `554 ${MASKED}`)
      }
      const shown = await shownAbout(client, shop, email)
      for (const code of CODES) assert.notInclude(shown, code)
    })

  test('shows none after each of several attempts', async ({ assert, client, cleanup }) => {
    const { email, server } = await quotedBy(cleanup, 451)
    const shop = await aShop()
    await sendCodes(client, shop, email)
    await reachDigests(email)
    const [digest] = await digestsOf(email)
    await runNextRound({ id: digest.id, status: 'failed', statusReason: null })
    server.react = (stage) => (stage === 'DATA' ? 554 : undefined)
    await runNextRound({ id: digest.id, status: 'failed', statusReason: null })
    const attempts = await DeliveryAttempt.query().where({ notificationId: digest.id })
    assert.isAbove(attempts.length, 2)
    for (const { text } of attempts) assert.match(text!, /^\d{3} 5\.7\.1 refused: \[… … …\]$/)
    const shown = await shownAbout(client, shop, email)
    for (const code of CODES) assert.notInclude(shown, code)
  })

  test('shows none if the recipient is refused, also not in the suppression', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email, server } = await quotedBy(cleanup, 550, 'RCPT')
    server.refusal = `5.1.1 unknown: ${CODES[0]}`
    const shop = await aShop()
    await sendCodes(client, shop, email)
    await reachDigests(email)
    assert.equal((await Suppression.findByOrFail({ email })).note, '550 5.1.1 unknown: …')
    assert.notInclude(await shownAbout(client, shop, email), CODES[0])
  })

  test('shows no values of variables that were declared as sensitive while it waited', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email } = await quotedBy(cleanup, 554)
    const shop = await aShop({ sensitive: false })
    await sendCodes(client, shop, email)
    await declareSensitive(shop)
    await reachDigests(email)
    const [digest] = await digestsOf(email)
    assert.equal(digest.statusReason, `SMTP_ERROR: 554 ${MASKED}`)
  })

  test('shows no part of a value that the digest cuts off', async ({ assert, client, cleanup }) => {
    const { email, server } = await quotedBy(cleanup, 554)
    const shop = await aShop()
    const pin = `4711-${'0815'.repeat(300)}`
    const data = { code: 'none', pins: [{ pin }] }
    await sendDigested(client, shop, email, data, { template: 'main' })
    const shown = `Your code is none, ${pin}`.slice(0, 999)
    server.refusal = `refused: ${shown.slice(shown.indexOf('4711'))}`
    await reachDigests(email)
    const [digest] = await digestsOf(email)
    assert.equal(digest.statusReason, 'SMTP_ERROR: 554 refused: …')
  })

  test('leaves only the reply code if its messages have too many values', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email } = await quotedBy(cleanup, 554)
    const shop = await aShop()
    const pins = Array.from({ length: 70 }, (_, index) => ({ pin: `pin ${index}` }))
    const notifications = [0, 1, 2].map((first) => ({
      recipientEmail: email,
      appCode: shop.application.code,
      type: shop.type.code,
      template: 'main',
      data: { code: CODES[first], pins: pins.map(({ pin }) => ({ pin: `${first} ${pin}` })) },
    }))
    const sent = await postInternalNotification(client, '/bulk', { notifications })
    sent.assertStatus(200)
    await reachDigests(email)
    const [digest] = await digestsOf(email)
    assert.equal(digest.statusReason, 'SMTP_ERROR: 554 …')
  })
})

/** How many payloads each query for entries of the log reads from now on. */
function payloadsRead(cleanup: TestContext['cleanup']) {
  const counts: number[] = []
  const count = (entries: Notification[]) => {
    counts.push(entries.filter(({ $attributes }) => $attributes.payload !== undefined).length)
  }
  Notification.after('fetch', count)
  cleanup(() => void Notification.$hooks.remove('after:fetch', count))
  return counts
}

test.group('The data of the messages in a digest', () => {
  test('is read in parts of limited size', async ({ assert, client, cleanup }) => {
    const ids = await sendLarge(client, await aShop(), uniqueEmail(), 4)
    const counts = payloadsRead(cleanup)
    const secrets = await readDigestSecrets({}, { ids, isFull: false, shown: [] })
    assert.sameMembers(secrets, CODES)
    assert.equal(Math.max(...counts), 1)
  })

  test('is not read without sensitive values', async ({ assert, client, cleanup }) => {
    const ids = await sendLarge(client, await aShop({ sensitive: false }), uniqueEmail(), 1)
    const counts = payloadsRead(cleanup)
    assert.deepEqual(await readDigestSecrets({}, { ids, isFull: false, shown: [] }), [])
    assert.deepEqual(counts, [0])
  })
})

test.group('A bounce of a digest that quotes it', () => {
  test('shows no sensitive values of other messages in the digest', async ({ assert, client }) => {
    const shop = await aShop()
    const { email, ids, report } = await sentCodes(client, shop)
    assert.equal(await report(ids[0]), `BOUNCED: 552 ${MASKED}`)
    const shown = await shownAbout(client, shop, email)
    for (const code of CODES) assert.notInclude(shown, code)
  })

  test('leaves only codes of the server in the entry of the digest', async ({ assert, client }) => {
    const shop = await aShop()
    const { email, digest, report } = await sentCodes(client, shop)
    assert.equal(await report(digest.id), 'BOUNCED: 552 5.7.1')
    const shown = await shownAbout(client, shop, email)
    for (const code of CODES) assert.notInclude(shown, code)
  })

  test('leaves only codes of the server once {$self} was deleted')
    .with(['another message', 'the entry of the digest'])
    .run(async ({ assert, client }, title) => {
      const { ids, digest, report } = await sentCodes(client, await aShop())
      const deleted = title === 'another message' ? ids[1] : digest.id
      await Notification.query().where('id', deleted).delete()
      assert.equal(await report(ids[0]), 'BOUNCED: 552 5.7.1')
    })

  test('leaves only codes of the server if its messages have too much data', async ({
    assert,
    client,
  }) => {
    const { ids, report } = await sentCodes(client, await aShop(), 5)
    assert.equal(await report(ids[0]), 'BOUNCED: 552 5.7.1')
  })

  test('is recorded whole if its messages have no sensitive values, however large', async ({
    assert,
    client,
  }) => {
    const { ids, report } = await sentCodes(client, await aShop({ sensitive: false }), 5)
    assert.equal(await report(ids[0]), `BOUNCED: 552 ${QUOTATION}`)
  })

  test('shows no values of variables that were declared as sensitive later', async ({
    assert,
    client,
  }) => {
    const shop = await aShop({ sensitive: false })
    const { ids, report } = await sentCodes(client, shop)
    await declareSensitive(shop)
    assert.equal(await report(ids[0]), `BOUNCED: 552 ${MASKED}`)
  })
})
