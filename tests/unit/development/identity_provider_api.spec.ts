import { stat } from 'node:fs/promises'
import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_ORGANISATION } from '#development/identity_provider/main'
import {
  SERVICE_TOKEN,
  beginProvider,
  idp,
  mint,
  options,
  restart,
} from '#tests/unit/development/provider_under_test'
import { Browser } from '#tests/helpers/browser'
import { beginSignIn, exchange, signIn } from '#tests/unit/development/sign_in'

type Json = Record<string, any>

/** Calls the API as the service does. */
async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${idp.issuer}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SERVICE_TOKEN}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const ORG = { 'x-zitadel-orgid': DEVELOPMENT_ORGANISATION.id }
const REDIRECT_URI = 'http://127.0.0.1:4000/callback'
const ADD_EMAIL = '/admin/v1/email/http'
const EMAIL = { endpoint: 'https://concierge.example/hook', description: 'Concierge' }

async function aClient() {
  const { body: project } = await call('POST', '/management/v1/projects', { name: 'Shop' }, ORG)
  const path = `/management/v1/projects/${project.id}/apps/oidc`
  const client = { name: 'Web', redirectUris: [REDIRECT_URI], devMode: true }
  const { body } = await call('POST', path, client, ORG)
  return { projectId: project.id as string, ...(body as { appId: string; clientId: string }) }
}

test.group('Development identity provider, API', (group) => {
  group.each.setup(beginProvider)

  test('lists the accounts as users of the one organisation', async ({ assert }) => {
    const { body: found } = await call('POST', '/v2/organizations/_search', {})
    assert.containsSubset(found.result, [{ ...DEVELOPMENT_ORGANISATION }])
    await signIn(idp.issuer, 'new@acme.example')
    const organizationIdQuery = { organizationId: DEVELOPMENT_ORGANISATION.id }
    const { body } = await call('POST', '/v2/users', { queries: [{ organizationIdQuery }] })
    const emails = body.result.map((user: Json) => user.human.email.email)
    assert.sameMembers(emails, [
      ...DEVELOPMENT_ACCOUNTS.map((one) => one.email),
      'new@acme.example',
    ])
  })

  test('keeps its state when it restarts, readable by the owner only', async ({ assert }) => {
    const { body: created } = await call('POST', '/v2/organizations', { name: 'Contoso' })
    await mint('minted@acme.example')
    await restart(async () => {})
    const idQuery = { id: created.organizationId }
    const { body } = await call('POST', '/v2/organizations/_search', { queries: [{ idQuery }] })
    assert.containsSubset(body.result, [{ id: created.organizationId, name: 'Contoso' }])
    const emailQuery = { emailAddress: 'minted@acme.example' }
    const { body: users } = await call('POST', '/v2/users', { queries: [{ emailQuery }] })
    assert.equal(users.details.totalResult, '1')
    const { mode } = await stat(options.keysFile.replace('.json', '.state.json'))
    assert.equal(mode & 0o777, 0o600)
  })

  test('signs users in to a client that was created through it', async ({ assert }) => {
    const { clientId } = await aClient()
    const browser = new Browser()
    const parameters = { client_id: clientId, redirect_uri: REDIRECT_URI }
    const { page, verifier } = await beginSignIn(idp.issuer, browser, parameters)
    const credentials = { email: DEVELOPMENT_ACCOUNTS[2].email, password: 'concierge' }
    const submitted = await browser.submit(page.url, credentials)
    const location = new URL((await browser.follow(submitted)).headers.get('location')!)
    const tokens = await exchange(idp.issuer, {
      ...parameters,
      grant_type: 'authorization_code',
      code: location.searchParams.get('code')!,
      code_verifier: verifier,
    })
    assert.equal(tokens.status, 200)
  })

  test('lets no deactivated user sign in', async ({ assert }) => {
    const { userId, email } = DEVELOPMENT_ACCOUNTS[2]
    assert.equal((await call('POST', `/v2/users/${userId}/deactivate`, {})).status, 200)
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const submitted = await browser.submit(page.url, { email, password: 'concierge' })
    assert.equal(submitted.status, 403)
    await call('POST', `/v2/users/${userId}/reactivate`, {})
    assert.property(await signIn(idp.issuer, email), 'access_token')
  })
})

test.group('Development identity provider, API, refused calls', (group) => {
  group.setup(beginProvider)

  test('refuses callers without the token, whatever they request', async ({ assert }) => {
    for (const authorization of ['', 'Bearer', 'Bearer guessed', `Basic ${SERVICE_TOKEN}`]) {
      for (const path of ['/v2/users/1', '/admin/v1/email', '/management/v1/nothing', '/v2/']) {
        const { status, body } = await call('GET', path, undefined, { authorization })
        assert.deepEqual([status, body.code], [401, 16], `${authorization} ${path}`)
      }
    }
  })

  test('refuses {title}')
    .with([
      { title: 'an unknown path', method: 'GET', path: '/v2/nothing', status: 404 },
      { title: 'a wrong method', method: 'GET', path: '/v2/users', status: 405 },
      { title: 'a query string', method: 'GET', path: '/admin/v1/email?limit=1', status: 400 },
      { title: 'a malformed id', method: 'GET', path: '/v2/users/%zz', status: 400 },
      { title: 'a missing body', method: 'POST', path: ADD_EMAIL, status: 400 },
      { title: 'a list as the body', method: 'POST', path: ADD_EMAIL, body: [], status: 400 },
      {
        title: 'an unknown field',
        method: 'POST',
        path: ADD_EMAIL,
        body: { ...EMAIL, extra: 1 },
        status: 400,
      },
      {
        title: 'a missing field',
        method: 'POST',
        path: ADD_EMAIL,
        body: { description: 'Concierge' },
        status: 400,
      },
      {
        title: 'an endpoint that is no URL',
        method: 'POST',
        path: ADD_EMAIL,
        body: { ...EMAIL, endpoint: 'concierge.example' },
        status: 400,
      },
      {
        title: 'an unknown field of a query',
        method: 'POST',
        path: '/v2/users',
        body: { queries: [{ typeQuery: { type: 'TYPE_HUMAN', not: true } }] },
        status: 400,
      },
      {
        title: 'an unknown nested query',
        method: 'POST',
        path: '/v2/users',
        body: { queries: [{ notQuery: { query: { nameQuery: { name: 'Ada' } } } }] },
        status: 400,
      },
      {
        title: 'a page above the limit',
        method: 'POST',
        path: '/v2/organizations/_search',
        body: { query: { limit: 101 } },
        status: 400,
      },
      {
        title: 'an unknown organisation',
        method: 'GET',
        path: '/management/v1/policies/label',
        headers: { 'x-zitadel-orgid': '1' },
        status: 404,
      },
      {
        title: 'JSON of another type',
        method: 'POST',
        path: '/v2/organizations',
        body: { name: 'Contoso' },
        headers: { 'content-type': 'text/plain' },
        status: 400,
      },
    ])
    .run(async ({ assert }, { method, path, body, headers, status }) => {
      const response = await call(method, path, body, headers)
      assert.equal(response.status, status)
      assert.sameMembers(Object.keys(response.body), ['code', 'message', 'details'])
    })

  test('names the member that it refuses', async ({ assert }) => {
    const { body } = await call('POST', ADD_EMAIL, { ...EMAIL, expires: '0s' })
    assert.match(body.message, /additional properties .*"expires"/)
  })

  test('refuses a client with plain http unless in development mode', async ({ assert }) => {
    const { projectId, appId } = await aClient()
    const path = `/management/v1/projects/${projectId}/apps/${appId}/oidc_config`
    const { status } = await call('PUT', path, { redirectUris: [REDIRECT_URI] }, ORG)
    assert.equal(status, 400)
  })
})
