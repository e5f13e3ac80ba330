import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import Notification from '#app/notifications/models/notification'
import User from '#app/profiles/models/user'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import {
  TEXT,
  insertPeople,
  pathOf,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

const mailed = (email: string) => smtp.mailsTo(email).length
const outside = (application: Application) => `/api/applications/${application.code}`

interface Sending {
  client: ApiClient
  cleanup: (callback: () => Promise<void>) => void
  application: Application
  author: string
}

/** Creates a broadcast as the author and returns it when it has ended. */
async function broadcast({ client, cleanup, application, author }: Sending, audience: object) {
  const body = { type: 'generic', data: TEXT, audience }
  const response = await signedIn(client, author).post(pathOf(application), body)
  response.assertStatus(202)
  startBroadcastWorker(cleanup)
  return waitForBroadcastStatus(response.body().data.id, 'completed')
}

test.group('A broadcast to a list', () => {
  test('of an application administrator skips outsiders and creates no user records', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const author = await anAdministratorOf(application)
    const [known, ...strangers] = uniqueEmails(30)
    await ensureUser({ email: known })
    const emails = [...strangers.slice(0, 15), known, ...strangers.slice(15)]
    const done = await broadcast(
      { client, cleanup, application, author },
      { kind: 'emails', emails }
    )
    const { total, sent, skipped, failed } = done
    assert.deepEqual(
      { total, sent, skipped, failed },
      { total: 30, sent: 1, skipped: 29, failed: 0 }
    )
    assert.equal(mailed(known), 1)
    assert.isTrue(strangers.every((email) => mailed(email) === 0))
    assert.lengthOf(await User.query().whereIn('email', strangers), 0)
    const entries = await Notification.query().whereIn('email', strangers)
    assert.lengthOf(entries, 29)
    for (const { status, statusReason, inInbox } of entries) {
      assert.deepEqual([status, statusReason, inInbox], ['skipped', 'OUTSIDE_RECIPIENT', false])
    }
  })

  test('of outsiders alone is accepted and skipped, so it reveals no users', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const author = await panelPerson(client, { [application.code]: 'edit' })
    const emails = uniqueEmails(2)
    const { total, skipped } = await broadcast(
      { client, cleanup, application, author },
      { kind: 'emails', emails }
    )
    assert.deepEqual({ total, skipped }, { total: 2, skipped: 2 })
  })

  test('of a global panel admin skips outsiders, of a super admin reaches them', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const [one, another] = uniqueEmails(2)
    const global = await panelPerson(client, {}, { globally: 'edit' })
    await broadcast(
      { client, cleanup, application, author: global },
      { kind: 'emails', emails: [one] }
    )
    const { email: above } = superAdmin(client)
    await broadcast(
      { client, cleanup, application, author: above },
      { kind: 'emails', emails: [another] }
    )
    assert.deepEqual([one, another].map(mailed), [0, 1])
  })

  test('reaches outsiders if a super admin has allowed them', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const allowed = await superAdmin(client).put(outside(application), { outsideRecipients: true })
    allowed.assertStatus(200)
    allowed.assertBodyContains({ data: { outsideRecipients: true } })
    const author = await anAdministratorOf(application)
    const emails = uniqueEmails(1)
    await broadcast({ client, cleanup, application, author }, { kind: 'emails', emails })
    assert.deepEqual(emails.map(mailed), [1])
  })

  test('keeps the permission that it was created with', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const [early, late] = uniqueEmails(2)
    const create = async (email: string) => {
      const body = { type: 'generic', data: TEXT, scheduledAt: '2099-01-01T00:00:00Z' }
      const audience = { kind: 'emails', emails: [email] }
      const response = await admin.post(pathOf(application), { ...body, audience })
      return response.body().data.id as number
    }
    const before = await create(early)
    await superAdmin(client).put(outside(application), { outsideRecipients: true })
    const meanwhile = await create(late)
    await superAdmin(client).put(outside(application), { outsideRecipients: false })
    const past = new Date(0).toISOString()
    await Broadcast.query().whereIn('id', [before, meanwhile]).update({ scheduled_at: past })
    startBroadcastWorker(cleanup)
    for (const id of [before, meanwhile]) await waitForBroadcastStatus(id, 'completed')
    assert.deepEqual([early, late].map(mailed), [0, 1])
  })
})

test.group('Other ways to write to outsiders', () => {
  test('a role does not make outsiders recipients', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const author = await anAdministratorOf(application)
    const [stranger, known] = uniqueEmails(2)
    await insertPeople(application, [known])
    const role = await manageApplication(client, application.code).role({ code: 'victim' })
    for (const email of [stranger, known]) {
      const path = `/api/users/${encodeURIComponent(email)}/apps/${application.code}/roles`
      const response = await signedIn(client, author).put(path, { roleIds: [role.id] })
      response.assertStatus(200)
    }
    const sending = { client, cleanup, application, author }
    for (const audience of [{ kind: 'role', roleCode: 'victim' }, { kind: 'application' }]) {
      const { total, sent, skipped } = await broadcast(sending, audience)
      assert.deepEqual({ total, sent, skipped }, { total: 2, sent: 1, skipped: 1 })
    }
    assert.deepEqual([stranger, known].map(mailed), [0, 2])
    assert.isNull(await User.findBy({ email: stranger }))
  })

  test('only a super admin can allow outsiders, at creation and later', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const people = [
      await anAdministratorOf(application),
      await panelPerson(client, { [application.code]: 'edit' }),
      await panelPerson(client, {}, { globally: 'edit' }),
    ]
    for (const email of people) {
      const person = signedIn(client, email)
      const allowing = await person.put(outside(application), {
        name: 'Renamed',
        outsideRecipients: true,
      })
      allowing.assertProblem(403, 'FORBIDDEN')
      const shown = await person.get(outside(application))
      assert.deepInclude(shown.body().data, { name: application.name, outsideRecipients: false })
      // A value that an editor sends back unchanged is not a change.
      const echoed = await person.put(outside(application), { outsideRecipients: false })
      echoed.assertStatus(200)
    }
    const code = uniqueCode()
    const body = { code, name: 'Shop', outsideRecipients: true }
    const made = await signedIn(client, people[2]).post('/api/applications', body)
    made.assertProblem(403, 'FORBIDDEN')
    const missing = await superAdmin(client).get(`/api/applications/${code}`)
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const allowed = await superAdmin(client).post('/api/applications', body)
    allowed.assertStatus(201)
    allowed.assertBodyContains({ data: { outsideRecipients: true } })

    await application.merge({ outsideRecipients: true }).save()
    const withdrawing = await signedIn(client, people[0]).put(outside(application), {
      outsideRecipients: false,
    })
    withdrawing.assertProblem(403, 'FORBIDDEN')
    for (const value of ['true', 1]) {
      const response = await superAdmin(client).put(outside(application), {
        outsideRecipients: value,
      })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'outsideRecipients' }] })
    }
  })

  test('a template test is sent to the caller only', async ({ assert, client }) => {
    const application = await anApplication()
    const template = await aTemplate(await aType(application), {
      en: { subject: 'Hello', body: '<p>Hello</p>' },
    })
    const author = await anAdministratorOf(application)
    const victim = uniqueEmail()
    const response = await signedIn(client, author).post(
      `/api/admin/notifications/templates/${template.id}/locales/en/test`,
      { data: {}, recipientEmail: victim, email: victim, to: victim, caller: victim }
    )
    response.assertStatus(200)
    await eventually('the author has the mail', async () => mailed(author) === 1)
    assert.equal(mailed(victim), 0)
    assert.isNull(await User.findBy({ email: victim }))
  })
})
