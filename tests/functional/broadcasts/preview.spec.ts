import { test } from '@japa/runner'
import { MAX_EXAMINED } from '#app/broadcasts/actions/preview_broadcast'
import NotificationPreference from '#app/notifications/models/notification_preference'
import ApplicationPreference from '#app/profiles/models/application_preference'
import User from '#app/profiles/models/user'
import Suppression from '#app/suppressions/models/suppression'
import { TEXT, insertPeople, pathOf, uniqueEmails } from '#tests/helpers/broadcasts'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { subscribe } from '#tests/helpers/deliveries'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { Browser } from '#tests/world/push_service'

const toApplication = { audience: { kind: 'application' } }
const toList = (emails: string[]) => ({ audience: { kind: 'emails', emails } })
const localeOf = (email: string, locale: string) => User.query().where({ email }).update({ locale })

test.group('Preview of a broadcast', () => {
  test('counts channels and reasons as the message would be planned', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const emails = uniqueEmails(6)
    await insertPeople(application, emails)
    const [push, off, muted, suppressed] = await Promise.all(
      emails.slice(0, 4).map((email) => User.withEmail(email))
    )
    await subscribe(push.email, new Browser('https://push.example'))
    await NotificationPreference.create({
      userId: off.id,
      notificationTypeId: type.id,
      email: false,
      push: false,
    })
    await ApplicationPreference.query()
      .where({ userId: muted.id, applicationId: application.id })
      .update({ notifications_enabled: false })
    await Suppression.create({ email: suppressed.email, reason: 'manual' })
    const response = await superAdmin(client).post(pathOf(application, 'preview'), {
      type: type.code,
      data: TEXT,
      ...toApplication,
    })
    assert.equal(response.status(), 200, response.text())
    const { recipients, ...counts } = response.body().data
    counts.skipped.sort((one: { reason: string }, other: { reason: string }) =>
      one.reason < other.reason ? -1 : 1
    )
    assert.deepEqual(counts, {
      total: 6,
      examined: 6,
      channels: { email: 3, push: 1 },
      later: [],
      skipped: ['NOTIFICATIONS_DISABLED', 'NO_CHANNEL', 'RECIPIENT_SUPPRESSED'].map((reason) => ({
        reason,
        count: 1,
      })),
    })
    const listed = recipients.map(({ email }: { email: string }) => email)
    assert.sameMembers(listed, [emails[0], emails[4], emails[5]])
  })

  test('renders three recipients in different languages, without their real links', async ({
    assert,
    client,
  }) => {
    const application = await anApplication({ name: 'Shop' })
    const type = await aType(application)
    const template = await aTemplate(application, type)
    for (const locale of ['en', 'cs']) {
      const subjectTemplate = `${locale} {{userEmail}} {{what}}`
      await aVersion(template, locale, { subjectTemplate })
    }
    const emails = uniqueEmails(5)
    await insertPeople(application, emails)
    await localeOf(emails[4], 'cs')
    const before = await dumpDatabase()
    const response = await superAdmin(client).post(pathOf(application, 'preview'), {
      type: type.code,
      data: { what: '<b>' },
      ...toApplication,
    })
    const { recipients } = response.body().data
    assert.lengthOf(recipients, 3)
    const czech = recipients.find(({ email }: { email: string }) => email === emails[4])
    assert.containSubset(czech, { locale: 'cs', error: null, channels: ['email'] })
    assert.equal(czech.subject, `cs ${emails[4]} <b>`)
    assert.include(czech.html, '<html lang="cs"')
    for (const { text } of recipients) assert.match(text, /\/api\/unsubscribe\/example$/)
    assert.equal(await dumpDatabase(), before, 'nothing is stored')
  })

  test('says why a message cannot be rendered', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(application, type)
    const [email] = uniqueEmails(1)
    const preview = async () => {
      const body = { type: type.code, data: { x: 'x'.repeat(2_000) }, ...toList([email]) }
      const response = await superAdmin(client).post(pathOf(application, 'preview'), body)
      return response.body().data.recipients[0]
    }
    const none = { locale: null, subject: null, html: null, text: null }
    assert.containSubset(await preview(), { email, ...none, error: 'NO_TEMPLATE' })
    await aVersion(template, 'en', { subjectTemplate: '{{x}}' })
    const tooLong = await preview()
    assert.match(tooLong.error, /^RENDER_ERROR: /)
  })

  test('counts outside recipients as skipped unless they can be reached', async ({
    assert,
    client,
  }) => {
    const emails = uniqueEmails(3)
    const preview = async (application: Awaited<ReturnType<typeof anApplication>>) => {
      await insertPeople(application, emails.slice(0, 1)).catch(() => {})
      const admin = await panelPerson(client, {}, { globally: 'edit' })
      const response = await signedIn(client, admin).post(pathOf(application, 'preview'), {
        type: 'generic',
        data: TEXT,
        ...toList(emails),
      })
      return response.body().data
    }
    const closed = await preview(await anApplication())
    assert.containSubset(closed, {
      total: 3,
      examined: 3,
      channels: { email: 1 },
      skipped: [{ reason: 'OUTSIDE_RECIPIENT', count: 2 }],
    })
    const open = await preview(
      await (await anApplication()).merge({ outsideRecipients: true }).save()
    )
    assert.containSubset(open, { examined: 3, channels: { email: 3 }, skipped: [] })
    assert.isNull(await User.findBy({ email: emails[2] }))
  })

  test('does not tell administrators of an application who is registered elsewhere', async ({
    assert,
    client,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const emails = uniqueEmails(3)
    await insertPeople(application, [emails[0]])
    await insertPeople(other, [emails[1]])
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const response = await editor.post(pathOf(application, 'preview'), {
      type: 'generic',
      data: TEXT,
      ...toList(emails),
    })
    assert.containSubset(response.body().data, { total: 3, examined: 1, skipped: [] })
    assert.notInclude(JSON.stringify(response.body()), emails[1])
  })

  test('is refused as the broadcast would be', async ({ client }) => {
    const application = await anApplication()
    const path = pathOf(application, 'preview')
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const text = { type: 'generic', data: TEXT }
    const everyone = await editor.post(path, { ...text, audience: { kind: 'all' } })
    everyone.assertProblem(403, 'FORBIDDEN')
    const nobody = await editor.post(path, { ...text, ...toApplication })
    nobody.assertProblem(400, 'EMPTY_AUDIENCE')
    const empty = await editor.post(path, { type: 'generic', ...toList(uniqueEmails(1)) })
    empty.assertProblem(400, 'MISSING_TEMPLATE_VARIABLES')
  })

  test('examines a part of a large audience, old and new users alike', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const emails = uniqueEmails(MAX_EXAMINED + 2_000)
    await insertPeople(application, emails)
    await localeOf(emails[11_500], 'cs')
    const response = await superAdmin(client).post(pathOf(application, 'preview'), {
      type: 'generic',
      data: TEXT,
      ...toApplication,
    })
    const { total, examined, channels, recipients } = response.body().data
    assert.equal(total, emails.length)
    assert.isAtMost(examined, MAX_EXAMINED)
    assert.isAbove(examined, MAX_EXAMINED * 0.9)
    assert.equal(channels.email, examined)
    assert.include(JSON.stringify(recipients), emails[11_500])
  }).timeout(60_000)
})
