import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import User from '#app/profiles/models/user'
import { ace } from '#tests/helpers/ace'
import { signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { issuer } from '#tests/world/prepare'

test.group('identity:bind', () => {
  test('binds a record to an account, or releases it', async ({ assert, client }) => {
    const [email, account] = [uniqueEmail(), uniqueId()]
    await signedIn(client, email).get('/api/profile/me')
    const bound = await ace('identity:bind', email.toUpperCase(), `--account=${account}`, '--json')
    assert.deepEqual(JSON.parse(bound.stdout), { done: true, email, idpUserId: account })
    assert.equal((await User.withEmail(email)).idpUserId, account)
    const released = await ace('identity:bind', email)
    assert.equal(released.code, 0)
    assert.isNull((await User.withEmail(email)).idpUserId)
  })

  test('reports a missing record', async ({ assert }) => {
    for (const email of [uniqueEmail(), 'no address']) {
      const { code, stdout } = await ace('identity:bind', email, '--json')
      assert.equal(code, 1)
      assert.containSubset(JSON.parse(stdout), { error: { code: 'USER_NOT_FOUND' } })
    }
  })
})

test.group('identity:move', () => {
  test('accepts accounts again after the address of the issuer changed', async ({
    assert,
    client,
  }) => {
    const former = `https://${uniqueCode()}.example`
    const person = signedIn(client, uniqueEmail())
    await person.get('/api/profile/me')
    await User.query().where('email', person.email).update({ idpIssuer: former })
    const { stdout } = await ace('identity:move', former, '--json')
    assert.deepEqual(JSON.parse(stdout), { moved: 1 })
    assert.equal((await User.withEmail(person.email)).idpIssuer, issuer.url)
  })

  test('refuses the current issuer and invalid URLs, and reports when nothing was found', async ({
    assert,
  }) => {
    for (const wrong of [issuer.url, 'nonsense']) {
      const { code, stdout } = await ace('identity:move', wrong, '--json')
      assert.equal(code, 1)
      assert.containSubset(JSON.parse(stdout), { error: { code: 'VALIDATION_ERROR' } })
    }
    const stranger = `https://${uniqueCode()}.example`
    const nobody = await ace('identity:move', stranger)
    assert.equal(nobody.code, 0)
    assert.match(nobody.stdout + nobody.stderr, /No record is bound/)
    assert.isNull(await AuditEntry.findBy({ targetId: stranger }))
  })
})
