import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { partSize } from '#core/database/in_parts'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Delivery from '#app/delivery/models/delivery'
import Notification from '#app/notifications/models/notification'
import UserRole from '#app/permissions/models/user_role'
import LoginRecord from '#app/profiles/models/login_record'
import { createWebhook } from '#app/webhooks/actions/create_webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { aBroadcast, pathOf, uniqueEmails } from '#tests/helpers/broadcasts'
import { recordStatements } from '#tests/helpers/count_statements'
import { aNotification } from '#tests/helpers/inbox'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const ROWS = 5
/** Rows that one statement changes, so that it takes three for all of them. */
const PART = 2
const STATEMENTS = 3

function inOrder<Result>(make: () => Promise<Result>): Promise<Result[]> {
  return Array.fromAsync({ length: ROWS }, make)
}

/** A webhook that has been told about a user. */
async function toldAbout(email: string) {
  const { code } = await anApplication()
  const options = { url: 'https://shop.example/events', events: ['user.erased' as const] }
  const { webhook } = await createWebhook(code, { ...options, enabled: false })
  await inOrder(() =>
    WebhookDelivery.create({
      webhookId: webhook.id,
      messageId: uniqueCode('msg'),
      type: 'access.changed',
      email,
      content: JSON.stringify({ email }),
      status: 'delivered',
      attempts: 1,
      giveUpAt: DateTime.utc(),
    })
  )
  return { code, webhookId: webhook.id }
}

/** How often a statement like this one reaches the database during `work`. */
async function countOf(start: RegExp, work: () => Promise<unknown>) {
  const statements = await recordStatements(work)
  return statements.filter((statement) => start.test(statement)).length
}

test.group('Very many rows', (group) => {
  group.setup(() => {
    const { rows } = partSize
    partSize.rows = PART
    return () => void (partSize.rows = rows)
  })

  test('do not prevent the erasure of a user', async ({ assert, client }) => {
    const email = uniqueEmail()
    const entries = await inOrder(() => aNotification(email))
    for (const { id: notificationId } of entries) {
      const delivery = { notificationId, channel: 'email' as const, attempts: 1 }
      await Delivery.create({ ...delivery, status: 'failed', error: `no ${email}` })
    }
    const login = { email, appCode: 'shop', event: 'login', source: 'server' } as const
    const logins = await inOrder(() => LoginRecord.create({ ...login, occurredAt: DateTime.utc() }))
    const { webhookId } = await toldAbout(email)
    const statements = await recordStatements(async () => {
      const response = await superAdmin(client).delete(`/api/users/${inPath(email)}`)
      response.assertStatus(204)
    })
    for (const changed of [
      'update .?notifications',
      'update .?deliveries',
      'update .?login_records',
      'delete from .?webhook_deliveries',
    ]) {
      const start = new RegExp(`^${changed}`)
      assert.lengthOf(
        statements.filter((statement) => start.test(statement)),
        STATEMENTS,
        changed
      )
    }
    const ids = entries.map(({ id }) => id)
    const left = await Notification.query().whereIn('id', ids)
    const pseudonyms = [...left, ...(await LoginRecord.findMany(logins.map(({ id }) => id)))].map(
      (row) => row.email
    )
    assert.lengthOf(pseudonyms, 2 * ROWS)
    assert.lengthOf([...new Set(pseudonyms)], 1)
    assert.match(pseudonyms[0], /^erased-/)
    const texts = await Delivery.query().whereIn('notificationId', ids).whereNotNull('error')
    assert.isEmpty(texts)
    assert.isEmpty(await WebhookDelivery.query().where({ webhookId }))
  })

  test('do not prevent a change of audience', async ({ assert, client }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: uniqueEmails(ROWS) },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const statements = await countOf(/^delete from .?broadcast_recipients/, async () => {
      const everyone = { audience: { kind: 'all' } }
      const response = await superAdmin(client).put(pathOf(application, id), everyone)
      response.assertStatus(200)
    })
    assert.equal(statements, STATEMENTS)
    assert.isEmpty(await BroadcastRecipient.findManyBy('broadcastId', id))
  })

  test('do not prevent a broadcast to a list', async ({ assert }) => {
    const application = await anApplication()
    const unique = uniqueEmails(ROWS - 1)
    const emails = [...unique, unique[0]!]
    let id = 0
    const statements = await countOf(/^insert into .?broadcast_recipients/, async () => {
      const broadcast = await aBroadcast(application, { audience: { kind: 'emails', emails } })
      assert.equal(broadcast.total, unique.length)
      id = broadcast.id
    })
    assert.equal(statements, STATEMENTS)
    const recipients = await BroadcastRecipient.findManyBy('broadcastId', id)
    assert.sameMembers(
      recipients.map(({ email }) => email),
      unique
    )
  })

  test('do not prevent the deletion of a webhook', async ({ assert, client }) => {
    const { code, webhookId } = await toldAbout(uniqueEmail())
    const statements = await countOf(/^delete from .?webhook_deliveries/, async () => {
      const path = `/api/applications/${code}/webhooks/${webhookId}`
      const response = await superAdmin(client).delete(path)
      response.assertStatus(204)
    })
    assert.equal(statements, STATEMENTS)
    assert.isEmpty(await WebhookDelivery.query().where({ webhookId }))
  })

  test('do not prevent the deletion of an application', async ({ assert, client }) => {
    const { code, webhookId } = await toldAbout(uniqueEmail())
    const role = await manageApplication(client, code).role()
    await inOrder(() => UserRole.create({ email: uniqueEmail(), roleId: role.id }))
    const path = `/api/applications/${code}`
    const preview = await superAdmin(client).delete(`${path}?dryRun=true`)
    const { deletes } = preview.body().data
    const counted = Object.fromEntries(
      deletes.map(({ kind, count }: { kind: string; count: number }) => [kind, count])
    )
    assert.include(counted, { webhook_delivery: ROWS, role_assignment: ROWS })
    const statements = await countOf(/^delete from .?(webhook_deliveries|user_roles)/, async () => {
      const response = await superAdmin(client).delete(path)
      response.assertStatus(204)
    })
    assert.equal(statements, 2 * STATEMENTS)
    assert.isEmpty(await WebhookDelivery.query().where({ webhookId }))
    assert.isEmpty(await UserRole.query().where({ roleId: role.id }))
  })
})
