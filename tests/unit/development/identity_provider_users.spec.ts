import { test } from '@japa/runner'
import { decodeJwt } from 'jose'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import {
  SERVICE_TOKEN,
  idp,
  beginProvider,
  mint,
  userinfo,
} from '#tests/unit/development/provider_under_test'
import { signIn } from '#tests/unit/development/sign_in'

const [ada, , alan] = DEVELOPMENT_ACCOUNTS

test.group('Development identity provider, user API', (group) => {
  group.each.setup(beginProvider)

  const user = (userId: string, init: RequestInit & { token?: string } = {}) =>
    fetch(`${idp.issuer}/v2/users/${userId}`, {
      ...init,
      headers: {
        authorization: `Bearer ${init.token ?? SERVICE_TOKEN}`,
        ...(init.body && { 'content-type': 'application/json' }),
      },
    })

  const rename = (userId: string, profile: object) =>
    user(userId, { method: 'PATCH', body: JSON.stringify({ human: { profile } }) })

  test('shows changed names in later tokens of the account', async ({ assert }) => {
    const names = { givenName: 'Ada', familyName: 'King', displayName: 'Ada King' }
    const response = await rename(ada.userId, names)
    const { changeDate } = (await response.json()) as { changeDate: string }
    assert.equal(response.status, 200)
    assert.isFalse(Number.isNaN(Date.parse(changeDate)))

    const { access_token: signedIn } = await signIn(idp.issuer, ada.email)
    for (const token of [signedIn, await mint(ada.email)]) {
      assert.containsSubset(decodeJwt(token), { family_name: 'King', name: 'Ada King' })
    }
    const claims = await (await userinfo(signedIn)).json()
    assert.containsSubset(claims, { family_name: 'King' })

    const { user: record } = (await (await user(ada.userId)).json()) as { user: object }
    assert.containsSubset(record, {
      userId: ada.userId,
      human: { profile: names, email: { email: ada.email, isVerified: true } },
    })
  })

  test('changes only the names that are sent', async ({ assert }) => {
    await rename(alan.userId, { displayName: 'Prof' })
    assert.containsSubset(decodeJwt(await mint(alan.email)), { name: 'Prof', given_name: 'Alan' })
  })

  test('renames an account that has only a minted token', async ({ assert }) => {
    const { sub } = decodeJwt(await mint('minted@acme.example'))
    assert.equal((await user(sub!)).status, 200)
    const names = { givenName: 'Minna', displayName: 'Minna' }
    assert.equal((await rename(sub!, names)).status, 200)
    assert.equal(decodeJwt(await mint('minted@acme.example')).given_name, 'Minna')
  })

  test('refuses other callers, unknown users and invalid bodies', async ({ assert }) => {
    const denied = await user(ada.userId, { token: 'guessed' })
    assert.equal(denied.status, 401)
    assert.containsSubset(await denied.json(), { code: 16 })

    const unknown = await rename('123', { displayName: 'X' })
    assert.equal(unknown.status, 404)
    assert.containsSubset(await unknown.json(), { code: 5 })

    assert.equal((await rename(ada.userId, { displayName: 5 })).status, 400)
    assert.equal((await user(ada.userId, { method: 'PATCH', body: '{' })).status, 400)
    assert.equal((await user(ada.userId, { method: 'PATCH', body: 'null' })).status, 400)
    assert.equal((await user(ada.userId, { method: 'DELETE' })).status, 405)
    assert.equal((await rename(ada.userId, { displayName: 'x'.repeat(1_100_000) })).status, 413)
  })
})
