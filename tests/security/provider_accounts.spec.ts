import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { logLines } from '#tests/helpers/log_lines'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'
import {
  createProviderUser,
  postSigned,
  providerEvent,
  postProviderEvent,
  eventSignature,
} from '#tests/helpers/provider_events'
import { sameDatabase } from '#tests/helpers/same_database'
import { startProductionService } from '#tests/world/production_service'

const isActive = async (email: string) => (await User.withEmail(email)).active
const yearsAhead = (years: number) => new Date(Date.now() + years * 31_557_600_000).toISOString()

test.group('Accounts of the provider that exchange addresses', () => {
  test('lose no concurrent events and cause no deadlock', async ({ assert, client }) => {
    for (let round = 0; round < 4; round++) {
      const [one, other] = [createProviderUser(), createProviderUser()]
      const emails = [uniqueEmail('one'), uniqueEmail('other')]
      await one.report('user.human.added', { email: emails[0] })
      await other.report('user.human.added', { email: emails[1] })
      const events = Array.from({ length: 6 }, (_, index) => [
        one.next('user.human.email.changed', { email: emails[(index + 1) % 2] }),
        other.next('user.human.email.changed', { email: emails[index % 2] }),
      ]).flat()
      const statuses: number[] = []
      const statements = await recordStatements(async () => {
        const byAddress = emails.map((email, index) =>
          webhook(client, {
            eventType: 'user.reactivated',
            user: { id: [one, other][index].id, email },
          })
        )
        const responses = events.map((event) => postSigned(JSON.stringify(providerEvent(event))))
        for (const { status } of await Promise.all(responses)) statuses.push(status)
        for (const response of await Promise.all(byAddress)) statuses.push(response.status())
      })
      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.lengthOf(
        statements.filter((statement) => /^rollback/i.test(statement)),
        0
      )
      for (const [index, { id }] of [one, other].entries()) {
        const user = await User.withEmail(emails[index])
        assert.deepInclude(user.$attributes, { active: true, idpUserId: id })
      }
    }
  }).timeout(60_000)
})

test.group('An account that changes its address often', () => {
  const MOST = 50

  async function manyAddresses(count: number) {
    const person = createProviderUser()
    const emails = Array.from({ length: count }, (_, index) => uniqueEmail(`a${index}`))
    const names = { firstName: 'Ada', lastName: 'King', displayName: 'Ada King' }
    // As if the user had signed in with each of them.
    const prove = (email: string) =>
      User.query().where({ email }).update({ identityVerified: true })
    await person.report('user.human.added', { email: emails[0], ...names })
    await prove(emails[0])
    for (const email of emails.slice(1)) {
      await person.report('user.human.email.changed', { email })
      await prove(email)
    }
    return { person, emails }
  }
  const knownOf = async (id: string) =>
    (await ProviderUser.findByOrFail({ idpUserId: id })).facts!.emails.map(({ value }) => value)

  test('is deactivated and renamed in few statements', async ({ assert }) => {
    const { person, emails } = await manyAddresses(MOST + 10)
    for (const [type, payload] of [
      ['user.deactivated', undefined],
      ['user.reactivated', undefined],
      ['user.human.profile.changed', { firstName: 'Grace', displayName: 'Grace King' }],
      ['user.deactivated', undefined],
    ] as const) {
      const statements = await recordStatements(() => person.report(type, payload))
      assert.isBelow(statements.length, 25, type)
    }
    assert.isFalse(await isActive(emails.at(-1)!))
    assert.equal((await User.withEmail(emails.at(-2)!)).firstName, 'Grace')
  }).timeout(60_000)

  test('keeps the latest 50 addresses, and the records of the others stay inactive', async ({
    assert,
    client,
  }) => {
    const { person, emails } = await manyAddresses(MOST + 10)
    assert.sameMembers(await knownOf(person.id), emails.slice(-MOST))
    const assertReleased = async () => {
      const left = await User.query().whereIn('email', emails.slice(0, -MOST))
      assert.lengthOf(left, 10)
      for (const user of left) {
        assert.deepInclude(user.$attributes, {
          active: false,
          idpUserId: null,
          awaitsReactivation: true,
        })
      }
    }
    await assertReleased()
    assert.isTrue(await isActive(emails.at(-1)!))
    await person.report('user.deactivated')
    await person.report('user.reactivated')
    await assertReleased()

    // A former record opens only when the provider reactivates the account that proved the address.
    await person.report('user.human.email.changed', { email: emails[0] })
    const visit = signedIn(client, emails[0], { claims: { sub: person.id } })
    const response = await visit.get('/api/profile/me/apps')
    response.assertProblem(403, 'USER_INACTIVE')
    assert.isFalse(await isActive(emails[0]))
    assert.isFalse(await isActive(emails.at(-1)!))
    await person.report('user.reactivated')
    assert.isTrue(await isActive(emails[0]))
  }).timeout(60_000)

  test('does not regain a record that was taken from it', async ({ assert, client }) => {
    const person = createProviderUser()
    const [taken, fresh] = [uniqueEmail('taken'), uniqueEmail()]
    await person.report('user.human.added', { email: taken })
    await person.report('user.human.email.changed', { email: fresh })
    const user = await User.withEmail(taken)
    user.release()
    await user.merge({ active: true, awaitsReactivation: false }).save()
    for (let index = 0; index < MOST + 2; index++) {
      await person.report('user.human.email.changed', { email: uniqueEmail(`b${index}`) })
    }
    await person.report('user.human.email.changed', { email: taken })
    assert.deepInclude((await User.withEmail(taken)).$attributes, { active: true, idpUserId: null })
    await webhook(client, { eventType: 'user.deactivated', user: { email: taken } })
  }).timeout(60_000)

  test('with thousands of stored addresses is deactivated in few statements and releases the old ones', async ({
    assert,
  }) => {
    const { person, emails } = await manyAddresses(2)
    const known = await ProviderUser.findByOrFail({ idpUserId: person.id })
    const { idpIssuer, idpOrgId } = await User.withEmail(emails[0])
    const former = Array.from({ length: 3_000 }, (_, index) => uniqueEmail(`c${index}`))
    const at = '2020-01-01T00:00:00.000000000Z/00000000000000000001'
    const older = former.map((value) => ({ value, at, claimed: true }))
    const facts = { ...known.facts!, emails: [...older, ...known.facts!.emails] }
    await known.merge({ facts }).save()
    for (let start = 0; start < former.length; start += 500) {
      const rows = former.slice(start, start + 500).map((email) => ({
        email,
        active: false,
        theme: 'system' as const,
        idpUserId: person.id,
        idpIssuer,
        idpOrgId,
      }))
      await User.createMany(rows)
    }
    const statements = await recordStatements(() => person.report('user.deactivated'))
    assert.isBelow(statements.length, 40)
    assert.isFalse(await isActive(emails[1]))
    const [{ $extras }] = await User.query().where('idpUserId', person.id).count('* as total')
    assert.equal(Number($extras.total), MOST)
    assert.lengthOf(await knownOf(person.id), MOST)
  }).timeout(120_000)
})

test.group('Signed events with a future time', () => {
  test('count as now and do not block later ones', async ({ assert }) => {
    const person = createProviderUser()
    const [email, fresh] = [uniqueEmail(), uniqueEmail()]
    const at = (created_at: string, type: string, payload?: object) =>
      postProviderEvent({ ...person.next(type, payload), created_at })
    await person.report('user.human.added', { email, firstName: 'Ada' })
    await at(yearsAhead(10), 'user.reactivated')
    await at(yearsAhead(10), 'user.human.email.changed', { email: uniqueEmail() })
    await at(yearsAhead(0), 'user.human.email.changed', { email: fresh })
    assert.isTrue(await isActive(fresh))
    assert.isTrue(await at(yearsAhead(0), 'user.deactivated'))
    assert.isFalse(await isActive(fresh))
  })

  test('are logged at most once an hour', async ({ assert, cleanup }) => {
    const service = await startProductionService(sameDatabase())
    cleanup(async () => void (await service.stop()))
    const person = createProviderUser()
    const occurredAt = yearsAhead(10)
    for (const type of ['user.locked', 'user.deactivated']) {
      const body = JSON.stringify(providerEvent({ ...person.next(type), created_at: occurredAt }))
      const response = await fetch(`${service.url}/api/idp/webhook`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'zitadel-signature': eventSignature(body) },
      })
      assert.equal(response.status, 200)
    }
    const warnings = () => logLines(service).filter((line) => line.occurredAt === occurredAt)
    await eventually('the warning is logged', () => warnings().length > 0)
    assert.lengthOf(warnings(), 1)
  })

  test('keep their order if the clock of the provider is at most five minutes ahead', async ({
    assert,
  }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', { email })
    const soon = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    await postProviderEvent({ ...person.next('user.deactivated'), created_at: soon(61) })
    await postProviderEvent({ ...person.next('user.reactivated'), created_at: soon(60) })
    assert.isFalse(await isActive(email))
  })

  test('are refused if the sequence exceeds 64 bits', async ({ assert }) => {
    const event = createProviderUser().next('user.deactivated')
    for (const sequence of [1e25, 2 ** 80]) {
      const response = await postSigned(JSON.stringify(providerEvent({ ...event, sequence })))
      assert.equal(response.status, 400)
    }
  })
})
