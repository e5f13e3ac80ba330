import { test } from '@japa/runner'
import { isPlainlyWritten } from '#core/values/email'
import User from '#app/profiles/models/user'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { createProviderUser, postProviderEvent, uniqueId } from '#tests/helpers/provider_events'
import { aRecord, reconcile } from '#tests/helpers/reconciliation'
import { IdentityApi } from '#tests/world/identity_api'
import { SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'

const LOOKALIKES: Record<string, string> = {
  'a full-width letter': 'ｒoot@tests.example',
  'a full-width at sign': 'root＠tests.example',
  'a mathematical letter': '𝐫oot@tests.example',
  'a full-width letter in the domain': 'root@ｔests.example',
  'a ligature in the domain': 'root@teﬆs.example',
  'an ideographic full stop': 'root@tests。example',
  'a circled letter': 'ⓡoot@tests.example',
}

/** Has the same canonical form. */
const fullWidth = (email: string) =>
  email.replace(/^./, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))

test.group('A token with a lookalike address', () => {
  test('does not become the super admin: {$self}')
    .with(Object.keys(LOOKALIKES))
    .run(async ({ client, assert }, name) => {
      const before = await User.query().orderBy('id')
      const email = LOOKALIKES[name]
      const claims = { sub: uniqueId() }
      const response = await signedIn(client, email, { claims }).get('/api/users/admins')
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
      assert.match(response.body().detail, /only resemble/)
      assert.match(response.header('www-authenticate')!, /error="invalid_token"/)
      assert.lengthOf(await User.query().orderBy('id'), before.length)
    })

  test('is refused if userinfo reports the address as verified', async ({ client, cleanup }) => {
    cleanup(() => {
      issuer.userinfo = () => ({ status: 404, body: {} })
    })
    const sub = uniqueId()
    issuer.userinfo = () => ({
      status: 200,
      body: { sub, email: LOOKALIKES['a full-width letter'], email_verified: true },
    })
    for (const email of [undefined, SUPER_ADMIN]) {
      const claims = { sub, email, email_verified: undefined }
      const response = await signedIn(client, SUPER_ADMIN, { claims }).get('/api/users/admins')
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    }
  })

  test('is distinguished from other case, white space, composition and punycode', async ({
    assert,
  }) => {
    for (const email of [
      'ada@acme.example',
      ' Ada@ACME.Example\r\n',
      'jose\u0301@acme.example',
      'ZOË@acme.example',
      'ada@bücher.example',
      'ada@XN--BCHER-KVA.example',
      'ada@BU\u0308CHER.example',
      'ßa@a.example',
    ]) {
      assert.isTrue(isPlainlyWritten(email), email)
    }
    for (const email of [
      '\u212Aate@a.example',
      'ada@a\u212A.example',
      'ﬁ@a.example',
      'ſa@a.example',
    ]) {
      assert.isFalse(isPlainlyWritten(email), email)
    }
  })
})

test.group('Lookalike addresses at the provider', () => {
  test('a generic event with a lookalike changes nothing', async ({ client, assert }) => {
    const email = await aRecord()
    for (const eventType of ['user.created', 'user.updated', 'user.deactivated', 'user.removed']) {
      const response = await client
        .post('/api/idp/webhook')
        .header('x-webhook-secret', WEBHOOK_SECRET)
        .json({ eventType, orgId: 'org', user: { id: uniqueId(), email: fullWidth(email) } })
      response.assertStatus(200)
      assert.isFalse(response.body().data.handled)
    }
    const { active, idpUserId } = await User.withEmail(email)
    assert.deepEqual({ active, idpUserId }, { active: true, idpUserId: null })
  })

  test('a signed event with a lookalike binds no record and closes the previous one', async ({
    assert,
    client,
  }) => {
    const email = await aRecord()
    const payload = { email: fullWidth(email), userName: email, firstName: 'Eve', lastName: 'L' }
    const event = { created_at: new Date().toISOString(), event_payload: payload }
    const added = { ...event, aggregateID: uniqueId(), event_type: 'user.human.added' }
    assert.isFalse(await postProviderEvent(added))
    assert.isNull((await User.withEmail(email)).idpUserId)

    const [before, person] = [uniqueEmail(), createProviderUser()]
    assert.isTrue(await person.report('user.human.added', { ...payload, email: before }))
    await signedIn(client, before, { claims: { sub: person.id } }).get('/api/profile/me')
    await person.report('user.human.email.changed', { email: fullWidth(email) })
    assert.isFalse((await User.withEmail(before)).active)
    assert.isNull((await User.withEmail(email)).idpUserId)
  })

  test('a listed user with a lookalike gets no record', async ({ assert, cleanup }) => {
    const api = await new IdentityApi().start()
    cleanup(() => api.stop())
    const orgId = uniqueId()
    const email = await aRecord()
    api.addUser({ userId: uniqueId(), orgId, email: fullWidth(email) })
    const run = await reconcile(api, { args: [`--org=${orgId}`] })
    assert.deepEqual(run.changesOf(email), [])
    assert.isNull((await User.withEmail(email)).idpUserId)
  })
})
