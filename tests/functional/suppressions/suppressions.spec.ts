import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import {
  type SuppressionReason,
  SUPPRESSION_REASONS,
} from '#app/suppressions/values/suppression_reason'
import { TIMESTAMP } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, signedIn } from '#tests/helpers/people'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'

const PATH = '/api/admin/notifications/suppressions'
const pathOf = (email: string) => `${PATH}/${encodeURIComponent(email)}`

test.group('Suppressions', () => {
  test('an address is suppressed, listed and made usable again', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const email = uniqueEmail()
    const created = await admin.post(PATH, { email: email.toUpperCase(), note: 'Asked by phone' })
    created.assertStatus(201)
    const { data } = created.body()
    assert.match(data.createdAt, TIMESTAMP)
    assert.deepEqual(data, {
      id: data.id,
      email,
      reason: 'manual',
      note: 'Asked by phone',
      notificationId: null,
      createdAt: data.createdAt,
    })
    const listed = await admin.get(`${PATH}?email=${encodeURIComponent(email)}`)
    assert.deepEqual(listed.body().data, [data])
    const again = await admin.post(PATH, { email })
    again.assertProblem(409, 'ADDRESS_SUPPRESSED')
    const removed = await admin.delete(pathOf(email))
    removed.assertStatus(204)
    const missing = await admin.delete(pathOf(email))
    missing.assertProblem(404, 'SUPPRESSION_NOT_FOUND')
    const entries = await AuditEntry.query().where({ email }).orderBy('id')
    assert.deepEqual(
      entries.map(({ action, actorEmail, targetLabel }) => [action, actorEmail, targetLabel]),
      [
        ['suppression.added', admin.email, email],
        ['suppression.removed', admin.email, email],
      ]
    )
  })

  test('the list is filtered by reason and read in pages', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const reasons: SuppressionReason[] = [...SUPPRESSION_REASONS, 'soft_bounces', 'soft_bounces']
    await Suppression.createMany(reasons.map((reason) => ({ email: uniqueEmail(), reason })))
    const first = await admin.get(`${PATH}?reason=soft_bounces&limit=2&count=true`)
    assert.isAtLeast(Number(first.header('x-total-count')), 3)
    assert.deepEqual(
      first.body().data.map(({ reason }: Suppression) => reason),
      ['soft_bounces', 'soft_bounces']
    )
    const [, next] = /<([^>]+)>/.exec(first.header('link')!)!
    const second = await admin.get(next)
    assert.isBelow(second.body().data[0].id, first.body().data[1].id)
    const unknown = await admin.get(`${PATH}?reason=full_moon`)
    unknown.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('an administrator of an application cannot see who is suppressed', async ({ client }) => {
    const email = await anAdministratorOf(await anApplication())
    const response = await signedIn(client, email).get(PATH)
    response.assertProblem(403, 'FORBIDDEN')
  })

  test('a removed suppression does not come back with the next soft bounce', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    await Suppression.create({ email, reason: 'soft_bounces' })
    await MailBounce.createMany(Array.from({ length: 5 }, () => ({ email, kind: 'soft' as const })))
    const removed = await superAdmin(client).delete(pathOf(email))
    removed.assertStatus(204)
    assert.lengthOf(await MailBounce.query().where({ email }), 0)
  })
})

test.group('Suppressions of erased users', () => {
  test('a complaint is kept without the address, a bounce is not', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const [complaining, unreachable] = [uniqueEmail('complaining'), uniqueEmail('unreachable')]
    const { id } = await Suppression.create({
      email: complaining,
      reason: 'complaint',
      note: complaining,
      notificationId: 7,
    })
    await Suppression.create({ email: unreachable, reason: 'hard_bounce' })
    await MailBounce.create({ email: unreachable, kind: 'hard' })
    const exported = await admin.get(`/api/users/${encodeURIComponent(unreachable)}/export`)
    assert.lengthOf(exported.body().data.suppressions, 1)
    assert.lengthOf(exported.body().data.mailBounces, 1)
    for (const email of [complaining, unreachable]) {
      const erased = await admin.delete(`/api/users/${encodeURIComponent(email)}`)
      erased.assertStatus(204)
    }
    const kept = await Suppression.findOrFail(id)
    assert.notInclude(JSON.stringify(kept.serialize()), '@')
    const listed = await admin.get(`${PATH}?email=${encodeURIComponent(complaining)}`)
    assert.containSubset(listed.body().data, [
      { id, email: null, reason: 'complaint', note: null, notificationId: null },
    ])
    assert.lengthOf((await admin.get(`${PATH}?email=${unreachable}`)).body().data, 0)
    const again = await admin.post(PATH, { email: complaining })
    again.assertProblem(409, 'ADDRESS_SUPPRESSED')
    const removed = await admin.delete(pathOf(complaining))
    removed.assertStatus(204)
    assert.isNull(await Suppression.find(id))
  })
})
