import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import AuditEntry from '#app/audit/models/audit_entry'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Delivery from '#app/delivery/models/delivery'
import Notification from '#app/notifications/models/notification'
import PushSubscription from '#app/notifications/models/push_subscription'
import TemplateRevision from '#app/notifications/models/template_revision'
import SeededSuperAdmin from '#app/permissions/models/seeded_super_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import { seedSuperAdmins } from '#app/permissions/actions/seed_super_admins'
import LoginRecord from '#app/profiles/models/login_record'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import User from '#app/profiles/models/user'
import { transaction } from '#core/database/transaction'
import { DateTime } from 'luxon'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { anEndedBroadcast } from '#tests/helpers/broadcasts'
import { subscribe } from '#tests/helpers/deliveries'
import { allowed, inPath, manageApplication } from '#tests/helpers/management'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { applyLaterList } from '#tests/helpers/reconciliation'
import { remote } from '#tests/helpers/remote'
import { sameDatabase } from '#tests/helpers/same_database'
import { aSession } from '#tests/helpers/panel_world'
import { applicationEvent, webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent } from '#tests/helpers/provider_events'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import { Browser } from '#tests/world/push_service'
import { INTERNAL_KEY } from '#tests/world/prepare'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { startService } from '#tests/world/service'

const pathOf = (email: string) => `/api/users/${inPath(email)}`
const erase = (client: ApiClient, email: string) => superAdmin(client).delete(pathOf(email))
const visit = (client: ApiClient, email: string, sub: string) =>
  signedIn(client, email, { claims: { sub } }).get('/api/profile/me/apps')
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

/** The rows that contain one of these texts, by table; internal responses of a day aside. */
async function rowsAbout(texts: string[]) {
  const found: Record<string, { id: number }[]> = {}
  for (const table of await db.connection().getAllTables(['public'])) {
    const name = table.replace(/^public\./, '')
    const rows: { id: number }[] = await db.from(name).select('*')
    const about = rows.filter((row) => texts.some((one) => JSON.stringify(row).includes(one)))
    if (about.length > 0 && name !== 'idempotency_keys') found[name] = about
  }
  return found
}

/** A user about whom every table holds something. */
async function aWellKnownPerson(client: ApiClient) {
  const [account, email] = [createProviderUser(), uniqueEmail()]
  const word = randomUUID().slice(0, 8)
  const names = { firstName: `Ada${word}`, lastName: `Byron${word}` }
  await account.report('user.human.added', { email, ...names, displayName: `Countess${word}` })
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const [permission, role] = [await manage.permission(), await manage.role()]
  await manage.userRoles(email, [role.id])
  await manage.overrides(email, ['document', '1'], [{ permissionId: permission.id, granted: true }])
  await manage.administrator(email)
  await applicationEvent(client, { email, appCode, event: 'login' })
  await subscribe(email, new Browser(`https://push.example/${word}`))
  await aSession(email)
  await RegistrationLocale.create({
    email,
    organisationId: '1',
    locale: 'cs',
    expiresAt: DateTime.utc().plus({ hours: 1 }),
  })
  const sent = await client
    .post('/api/internal/notifications')
    .header('x-internal-api-key', INTERNAL_KEY)
    .header('idempotency-key', randomUUID())
    .json({
      recipientEmail: email,
      appCode,
      type: 'generic',
      data: { subject: `Dear ${names.firstName}`, body: `To ${email}` },
    })
  sent.assertStatus(200)
  const { id } = sent.body().data
  await Notification.query()
    .where({ id })
    .update({ status_reason: `SMTP_ERROR: no ${email}` })
  await Delivery.create({
    notificationId: id,
    channel: 'email',
    status: 'failed',
    attempts: 1,
    error: `no ${email}`,
    providerMessageId: `<${email}>`,
  })
  await Suppression.create({ email, reason: 'hard_bounce', note: `no ${email}` })
  await MailBounce.create({ email, kind: 'hard', notificationId: id })
  await SeededSuperAdmin.create({ email })
  const broadcast = await anEndedBroadcast(application)
  await broadcast.merge({ createdBy: email }).save()
  await BroadcastRecipient.create({ broadcastId: broadcast.id, email, claims: 0, tries: 0 })
  const template = await aTemplate(application, { code: 'generic' })
  await aVersion(template, 'en')
  await TemplateRevision.query()
    .where('notificationTemplateId', template.id)
    .update({ actor_kind: 'user', actor_email: email })
  const check = { email, app: appCode, permission: permission.code }
  return { account, email, word, notificationId: id, broadcast, check, names }
}

test.group('A dry run of an erasure', () => {
  test('lists what would be deleted and changes nothing', async ({ assert, client }) => {
    const { email } = await aWellKnownPerson(client)
    const before = await dumpDatabase()
    const response = await superAdmin(client).delete(`${pathOf(email)}?dryRun=true`)
    response.assertStatus(200)
    const { deletes } = response.body().data
    assert.deepEqual(deletes[0], { kind: 'user', count: 1, names: [email] })
    const counts = Object.fromEntries(
      deletes.map(({ kind, count }: { kind: string; count: number }) => [kind, count])
    )
    assert.deepEqual(counts, {
      user: 1,
      preference: 1,
      push_subscription: 1,
      role_assignment: 1,
      override: 1,
      administrator: 1,
      registration_locale: 1,
      inbox_item: 1,
      panel_session: 1,
      mail_bounce: 1,
      suppression: 1,
    })
    assert.equal(await dumpDatabase(), before)
  })

  test('is refused for the same reasons as the erasure', async ({ client, cleanup }) => {
    const admin = signedIn(client, await aSuperAdmin(cleanup))
    const unknown = await admin.delete(`${pathOf(uniqueEmail())}?dryRun=true`)
    unknown.assertProblem(404, 'USER_NOT_FOUND')
    const own = await admin.delete(`${pathOf(admin.email)}?dryRun=true`)
    own.assertProblem(409, 'OWN_SUPER_ADMIN')
    const malformed = await admin.delete(`${pathOf(uniqueEmail())}?dryRun=yes`)
    malformed.assertProblem(400, 'VALIDATION_ERROR')
  })
})

test.group('An export', () => {
  test('holds every row of every table about the user', async ({ assert, client }) => {
    const { email, word, account, names } = await aWellKnownPerson(client)
    const response = await superAdmin(client).get(`${pathOf(email)}/export`)
    response.assertStatus(200)
    const { data } = response.body()
    assert.containSubset(data.users, [{ email, ...names, idpUserId: account.id }])
    assert.notProperty(data.createdBroadcasts[0], 'data', 'it is for the recipients')
    assert.notProperty(data.savedTemplates[0], 'bodyTemplate', "it is the application's")
    const counts = Object.fromEntries(
      Object.entries(data)
        .filter(([, rows]) => Array.isArray(rows))
        .map(([name, rows]) => [name, (rows as unknown[]).length])
    )
    assert.deepEqual(counts, {
      users: 1,
      preferences: 1,
      notificationPreferences: 0,
      pushSubscriptions: 1,
      mailBounces: 1,
      suppressions: 1,
      registrationLocales: 1,
      identityProviderAccounts: 1,
      roles: 1,
      overrides: 1,
      applicationAdministrations: 1,
      superAdministrations: 0,
      seededSuperAdministrations: 1,
      panelSessions: 1,
      loginRecords: 1,
      notifications: 1,
      broadcastRecipients: 1,
      createdBroadcasts: 1,
      savedTemplates: 1,
      webhookDeliveries: 0,
      accessChanges: counts.accessChanges,
      auditEntries: counts.auditEntries,
      deliveries: counts.deliveries,
      deliveryAttempts: counts.deliveryAttempts,
    })
    const text = JSON.stringify(data)
    const { auth, p256Dh } = await PushSubscription.findOrFail(data.pushSubscriptions[0].id)
    for (const secret of [auth, p256Dh]) assert.notInclude(text, secret)
    for (const [table, rows] of Object.entries(await rowsAbout([email, word, account.id]))) {
      const ids = rows.map(({ id }) => id)
      const isExported = Object.values(data).some(
        (list) =>
          Array.isArray(list) &&
          ids.every((id) => list.some((row: { id: number }) => row.id === id))
      )
      assert.isTrue(isExported, `${table} is missing in ${text}`)
    }
  })

  test('requires a super admin, and a user about whom something is stored', async ({ client }) => {
    const unknown = await superAdmin(client).get(`${pathOf(uniqueEmail())}/export`)
    unknown.assertProblem(404, 'USER_NOT_FOUND')
    const email = uniqueEmail()
    const own = await signedIn(client, email).get(`${pathOf(email)}/export`)
    own.assertProblem(403, 'FORBIDDEN')
  })

  test('reads many rows page by page', async ({ assert, client }) => {
    const [email, { code: appCode }] = [uniqueEmail(), await anApplication()]
    const occurredAt = DateTime.utc()
    await LoginRecord.createMany(
      Array.from({ length: 450 }, () => ({
        email,
        appCode,
        event: 'login' as const,
        source: 'server' as const,
        occurredAt,
      }))
    )
    const response = await superAdmin(client).get(`${pathOf(email)}/export`)
    const ids = response.body().data.loginRecords.map(({ id }: { id: number }) => id)
    assert.lengthOf(new Set(ids), 450)
  })

  test('has each of many audit entries once', async ({ assert, client }) => {
    const email = uniqueEmail()
    const another = uniqueEmail()
    const entries = await AuditEntry.createMany(
      Array.from({ length: 450 }, (_, number) => ({
        at: DateTime.utc(),
        actorKind: 'user',
        actorEmail: number % 3 === 0 ? another : email,
        action: 'user.profile_changed',
        targetKind: 'user',
        targetId: email,
        targetLabel: email,
        email: number % 3 === 1 ? another : email,
        redacted: false,
      }))
    )
    const response = await superAdmin(client).get(`${pathOf(email)}/export`)
    const exported = response.body().data.auditEntries.map(({ id }: { id: number }) => id)
    assert.deepEqual(
      exported,
      entries.map(({ id }) => id)
    )
  })
})

test.group('An erasure', () => {
  test('leaves nothing personal in any table', async ({ assert, client }) => {
    const person = await aWellKnownPerson(client)
    const { email, word, account } = person
    const traces = [email, word, account.id]
    const before = await dumpDatabase()
    for (const trace of traces) assert.include(before, trace)
    assert.isTrue(await allowed(client, person.check))
    const response = await erase(client, email)
    response.assertStatus(204)
    const after = await dumpDatabase()
    for (const trace of traces) assert.notInclude(after, trace)
    assert.isFalse(await allowed(client, person.check))
    const again = await erase(client, email)
    again.assertProblem(404, 'USER_NOT_FOUND')
  })

  test('keeps log entries under one pseudonym, without content', async ({ assert, client }) => {
    const { email, notificationId, broadcast, check } = await aWellKnownPerson(client)
    await erase(client, email)
    const entry = await Notification.findOrFail(notificationId)
    assert.match(entry.email, /^erased-[0-9a-f-]{36}$/)
    assert.containSubset(entry.$attributes, { subject: '', payload: {}, inInbox: false })
    assert.equal(entry.statusReason, 'SMTP_ERROR')
    const [login] = await LoginRecord.query().where('appCode', check.app)
    assert.equal(login.email, entry.email)
    const [recipient] = await BroadcastRecipient.query()
      .where('broadcastId', broadcast.id)
      .where('email', entry.email)
    assert.equal(recipient.status, 'skipped')
    const counted = await Broadcast.findOrFail(broadcast.id)
    assert.equal(counted.skipped, broadcast.skipped + 1)
    assert.equal(counted.createdBy, entry.email)
  })

  test('of a user without a record removes what they hold', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const manage = manageApplication(client, code)
    await manage.administrator(email)
    const response = await erase(client, email)
    response.assertStatus(204)
    const found = await superAdmin(client).get(pathOf(email))
    found.assertProblem(404, 'USER_NOT_FOUND')
    assert.isNull(await User.findBy({ email }))
  })

  test('requires a super admin, and is refused for the caller and the last super admin', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = await aSuperAdmin(cleanup)
    const own = await signedIn(client, email).delete(pathOf(email))
    own.assertProblem(409, 'OWN_SUPER_ADMIN')
    const other = await signedIn(client, uniqueEmail()).delete(pathOf(email))
    other.assertProblem(403, 'FORBIDDEN')
    assert.isNotNull(await SuperAdmin.findBy({ email }))
    const erased = await erase(client, email)
    erased.assertStatus(204)
    assert.isNull(await SuperAdmin.findBy({ email }))
  })

  test('keeps SUPER_ADMINS from adding the user again', async ({ assert, client, cleanup }) => {
    const email = uniqueEmail('super')
    cleanup(() => SuperAdmin.query().where({ email }).delete() as never)
    await transaction((trx) => seedSuperAdmins([email], trx))
    await erase(client, email)
    assert.isNull(await SeededSuperAdmin.findBy({ email }))
    assert.isEmpty(await transaction((trx) => seedSuperAdmins([email], trx)))
    assert.isNull(await SuperAdmin.findBy({ email }))
  })
})

test.group('After an erasure', () => {
  test('a new APP_KEY brings nothing back while the previous one is configured', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = uniqueEmail('super')
    cleanup(() => SuperAdmin.query().where({ email }).delete() as never)
    await transaction((trx) => seedSuperAdmins([email], trx))
    const known = uniqueEmail()
    await webhook(client, { eventType: 'user.created', user: { email: known } })
    await erase(client, email)
    await erase(client, known)
    const service = await startService({
      ...sameDatabase(),
      APP_KEY: 'the-key-that-came-after-the-first',
      APP_KEY_PREVIOUS: process.env.APP_KEY,
      SUPER_ADMINS: `${SUPER_ADMIN},${email}`,
    })
    cleanup(async () => void (await service.stop()))
    assert.isNull(await SuperAdmin.findBy({ email }))
    const late: unknown = await remote(service.url).webhook('user.updated', known)
    assert.deepEqual(late, { handled: false })
    assert.isNull(await User.findBy({ email: known }))
  })

  test('events of the provider do not recreate the record', async ({ assert, client }) => {
    const { account, email, word } = await aWellKnownPerson(client)
    const late = account.next('user.human.added', { email, firstName: `Ada${word}` })
    await erase(client, email)
    assert.isFalse(await postProviderEvent(late))
    for (const type of ['user.human.profile.changed', 'user.deactivated', 'user.removed']) {
      const event = account.next(type, { email, firstName: `Ada${word}` })
      assert.isFalse(await postProviderEvent({ ...event, created_at: later(1) }))
    }
    for (const eventType of ['user.created', 'user.updated', 'user.deactivated', 'user.removed']) {
      const user = { email, id: account.id, firstName: `Ada${word}` }
      const response = await webhook(client, { eventType, user })
      assert.isFalse(response.body().data.handled)
    }
    const dump = await dumpDatabase()
    for (const trace of [email, word, account.id]) assert.notInclude(dump, trace)
  })

  test('a later creation or the next sign-in starts a new record', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).put('/api/profile/me', { theme: 'dark' })
    await erase(client, email)
    await webhook(client, { eventType: 'user.created', occurredAt: later(1), user: { email } })
    assert.isTrue((await User.withEmail(email)).active)
    await erase(client, email)
    const profile = await signedIn(client, email).get('/api/profile/me')
    profile.assertStatus(200)
    assert.equal(profile.body().data.theme, 'system')
  })

  test('someone inactive returns as inactive', async ({ assert, client }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await person.get('/api/profile/me')
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    await erase(client, email)
    const refused = await person.get('/api/profile/me/apps')
    refused.assertProblem(403, 'USER_INACTIVE')
    assert.isFalse((await User.withEmail(email)).active)
    const [other] = [uniqueEmail()]
    await signedIn(client, other).get('/api/profile/me')
    await erase(client, other)
    await webhook(client, { eventType: 'user.deactivated', user: { email: other } })
    assert.isNull(await User.findBy({ email: other }))
    const late = await signedIn(client, other).get('/api/profile/me/apps')
    late.assertProblem(403, 'USER_INACTIVE')
  })

  test('an account that the provider has deactivated since returns as inactive', async ({
    client,
  }) => {
    for (const type of ['user.deactivated', 'user.locked']) {
      const [email, other, account] = [uniqueEmail(), uniqueEmail(), createProviderUser()]
      await visit(client, email, account.id)
      await erase(client, email)
      await postProviderEvent({ ...account.next(type), created_at: later(1) })
      for (const address of [other, email]) {
        const refused = await visit(client, address, account.id)
        refused.assertProblem(403, 'USER_INACTIVE')
      }
      await postProviderEvent({ ...account.next('user.reactivated'), created_at: later(2) })
      for (const address of [other, email]) {
        const accepted = await visit(client, address, account.id)
        accepted.assertStatus(200)
      }
    }
  })

  test('an account that was inactive before returns as inactive, with any address', async ({
    assert,
    client,
  }) => {
    const [email, account] = [uniqueEmail(), createProviderUser()]
    await visit(client, email, account.id)
    await account.report('user.deactivated')
    await erase(client, email)
    for (const address of [uniqueEmail(), email]) {
      const refused = await visit(client, address, account.id)
      refused.assertProblem(403, 'USER_INACTIVE')
      await account.report('user.human.profile.changed', { firstName: 'Ada' })
      assert.isFalse((await User.withEmail(address)).active)
    }
    const user = { email: uniqueEmail(), id: account.id }
    await webhook(client, { eventType: 'user.created', occurredAt: later(1), user })
    assert.isFalse((await User.withEmail(user.email)).active)
  })

  test('an account that was inactive before stays inactive despite a list of the provider', async ({
    assert,
    client,
  }) => {
    const [email, account] = [uniqueEmail(), createProviderUser()]
    await visit(client, email, account.id)
    await superAdmin(client).put(`${pathOf(email)}/active`, { active: false })
    await erase(client, email)
    await visit(client, uniqueEmail(), account.id)
    const latest = uniqueEmail()
    await applyLaterList(account.id, latest)
    assert.isFalse((await User.withEmail(latest)).active)
    const refused = await visit(client, latest, account.id)
    refused.assertProblem(403, 'USER_INACTIVE')
  })

  test('a removed account takes no address', async ({ assert, client }) => {
    for (const isRemovedBefore of [true, false]) {
      const [email, account, next] = [uniqueEmail(), createProviderUser(), createProviderUser()]
      await visit(client, email, account.id)
      if (isRemovedBefore) await account.report('user.removed')
      await erase(client, email)
      // Late, and still final.
      if (!isRemovedBefore) await account.report('user.removed')
      for (const address of [email, uniqueEmail()]) {
        const refused = await visit(client, address, account.id)
        refused.assertProblem(403, 'IDENTITY_CONFLICT')
        assert.notEqual((await User.findBy({ email: address }))?.idpUserId, account.id)
      }
      const response = await visit(client, email, next.id)
      response.assertStatus(isRemovedBefore ? 403 : 200)
      assert.equal((await User.withEmail(email)).idpUserId, next.id)
    }
  })

  test('a super admin may still bind a removed account', async ({ assert, client }) => {
    const [email, other, account] = [uniqueEmail(), uniqueEmail(), createProviderUser()]
    await visit(client, email, account.id)
    await account.report('user.removed')
    await erase(client, email)
    await User.create({ email: other, active: true, theme: 'system' })
    await superAdmin(client).put(`${pathOf(other)}/identity`, { idpUserId: account.id })
    assert.isFalse((await User.withEmail(other)).active)
    await superAdmin(client).put(`${pathOf(other)}/active`, { active: true })
    const response = await visit(client, other, account.id)
    response.assertStatus(200)
  })

  test('the address does not inherit the status of an account that never proved it', async ({
    assert,
    client,
  }) => {
    const [email, stranger] = [uniqueEmail(), createProviderUser()]
    await stranger.report('user.human.added', { email })
    await stranger.report('user.locked')
    await erase(client, email)
    const response = await visit(client, email, createProviderUser().id)
    response.assertStatus(200)
    const refused = await visit(client, uniqueEmail(), stranger.id)
    refused.assertProblem(403, 'USER_INACTIVE')
    assert.isTrue((await User.withEmail(email)).active)
  })

  test('a second erasure remembers that the user was inactive', async ({ client }) => {
    const [email, { code }] = [uniqueEmail(), await anApplication()]
    await visit(client, email, uniqueEmail())
    await superAdmin(client).put(`${pathOf(email)}/active`, { active: false })
    await erase(client, email)
    await manageApplication(client, code).administrator(email)
    await erase(client, email)
    const refused = await visit(client, email, uniqueEmail())
    refused.assertProblem(403, 'USER_INACTIVE')
  })
})
