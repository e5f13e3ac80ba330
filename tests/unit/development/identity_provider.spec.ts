import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS, startIdentityProvider } from '#development/identity_provider/main'
import { beginProvider, folder, idp, options } from '#tests/unit/development/provider_under_test'

test.group('Development identity provider, discovery', (group) => {
  group.setup(beginProvider)

  test('has its endpoints at the paths of the real provider', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/.well-known/openid-configuration`)
    const discovery = (await response.json()) as Record<string, unknown>

    assert.equal(discovery.issuer, idp.issuer)
    assert.containsSubset(discovery, {
      authorization_endpoint: `${idp.issuer}/oauth/v2/authorize`,
      token_endpoint: `${idp.issuer}/oauth/v2/token`,
      jwks_uri: `${idp.issuer}/oauth/v2/keys`,
      userinfo_endpoint: `${idp.issuer}/oidc/v1/userinfo`,
      end_session_endpoint: `${idp.issuer}/oidc/v1/end_session`,
      introspection_endpoint: `${idp.issuer}/oauth/v2/introspect`,
      revocation_endpoint: `${idp.issuer}/oauth/v2/revoke`,
      token_endpoint_auth_methods_supported: ['none'],
    })
  })

  test('publishes only the public key', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/oauth/v2/keys`)
    const { keys } = (await response.json()) as { keys: object[] }
    assert.lengthOf(keys, 1)
    assert.sameMembers(Object.keys(keys[0]), ['kty', 'kid', 'alg', 'use', 'n', 'e'])
  })

  test('lists the accounts on its front page and profile page', async ({ assert }) => {
    for (const path of ['/', '/ui/console/users/me']) {
      const body = await (await fetch(`${idp.issuer}${path}`)).text()
      for (const { email } of DEVELOPMENT_ACCOUNTS) assert.include(body, email)
    }
  })
})

test.group('Development identity provider, process', (group) => {
  group.each.setup(beginProvider)

  test('names the port that is in use', async ({ assert }) => {
    const second = () => startIdentityProvider({ ...options, port: idp.port })
    await assert.rejects(second, new RegExp(`Port ${idp.port} .* already in use`))
  })

  test('names a key file without a key', async ({ assert }) => {
    const keysFile = join(folder, 'notes.json')
    await writeFile(keysFile, '{"kty":"oct"}')
    const start = () => startIdentityProvider({ ...options, keysFile })
    await assert.rejects(start, /notes\.json contains no RSA signing key/)
  })

  test('closes immediately despite keep-alive connections', async ({ assert }) => {
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) => {
      get(`${idp.issuer}/`, { agent }, (response) => response.resume().on('end', resolve))
    })
    const began = performance.now()
    await idp.close()
    await idp.close()
    assert.isBelow(performance.now() - began, 1_000)
    agent.destroy()
  })

  test('can use an issuer other than its address', async ({ assert }) => {
    const elsewhere = await startIdentityProvider({ ...options, issuer: 'http://id.test' })
    const response = await fetch(
      `http://127.0.0.1:${elsewhere.port}/.well-known/openid-configuration`
    )
    assert.containsSubset(await response.json(), { issuer: 'http://id.test' })
    assert.equal(elsewhere.issuer, 'http://id.test')
    await elsewhere.close()
  })
})
