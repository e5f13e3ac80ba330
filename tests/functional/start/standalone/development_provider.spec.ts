import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_PASSWORD } from '#development/identity_provider/main'
import { printedUrls, startScript } from '#tests/helpers/start_script'
import { Browser } from '#tests/helpers/browser'

const [superAdmin, , alan] = DEVELOPMENT_ACCOUNTS

let project: Awaited<ReturnType<typeof startScript>>
let urls: ReturnType<typeof printedUrls>
let token: string

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${urls.service}${path}`, {
    method,
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { data: any } }
}

const listOrganisations = async () => (await call('GET', '/idp/admin/orgs')).body.data

/** Signs in with a client and returns the result of the callback. */
async function signIn(clientId: string) {
  const browser = new Browser()
  const login = await browser.get(`${urls.service}/idp/login?client_id=${clientId}`)
  const page = await browser.get(login.headers.get('location')!)
  const form = await browser.follow(page)
  const fields = { email: alan.email, password: DEVELOPMENT_PASSWORD }
  const done = await browser.follow(await browser.submit(form.url, fields))
  const callback = await browser.get(done.headers.get('location')!)
  return { status: callback.status, body: (await callback.json()) as { data: any } }
}

test.group('The identity provider of npm start', (group) => {
  group.setup(async () => {
    project = await startScript('bin/start.ts')
    urls = printedUrls(project.output)
    token = (await project.ace('token', superAdmin.email)).stdout.trim()
    return async () => {
      await project.stop()
    }
  })

  test('has its mail set up', async ({ assert }) => {
    const path = '/idp/admin/notification-provider'
    const calls = [
      await call('GET', path),
      await call('POST', `${path}/setup`, {}),
      await call('POST', `${path}/activate`, {}),
    ]
    for (const { status, body } of calls) {
      assert.equal(status, 200)
      assert.containsSubset(body, { configured: true })
    }
  })

  test('serves the administration of organisations and sign-in to their clients', async ({
    assert,
  }) => {
    assert.containsSubset(await listOrganisations(), [{ name: 'Acme' }])
    const fields = { name: 'Contoso', domain: 'contoso.example' }
    const created = await call('POST', '/idp/admin/orgs', fields)
    assert.equal(created.status, 201)
    const { id } = created.body.data
    assert.containsSubset(await listOrganisations(), [{ id, name: 'Contoso' }])

    const branding = { primaryColor: '#0b7285' }
    assert.equal((await call('PUT', `/idp/admin/orgs/${id}/branding`, branding)).status, 200)

    const setup = await call('POST', `/idp/admin/orgs/${id}/setup`, {
      projectName: 'Shop',
      appName: 'Web',
      redirectUris: [`${urls.service}/idp/callback`],
      userApiAppCode: 'demo',
    })
    assert.equal(setup.status, 200)
    const signedIn = await signIn(setup.body.data.clientId)
    assert.equal(signedIn.status, 200)
    assert.equal(signedIn.body.data.access_token_claims.client_id, setup.body.data.clientId)
    assert.equal((await call('POST', '/applications/demo/idp/sync')).status, 200)
  })

  test('serves the commands of another process', async ({ assert }) => {
    const names = { firstName: 'Ada', lastName: 'King', displayName: 'Ada King' }
    assert.equal((await call('PUT', '/profile/me', names)).status, 200)

    const preview = await project.ace('idp:setup-provider', '--dry-run', '--json')
    const { permissions } = JSON.parse(preview.stdout) as { permissions: { granted: boolean }[] }
    assert.isTrue(permissions.every(({ granted }) => granted))
    const setup = await project.ace('idp:setup-provider', '--rotate', '--json')
    assert.containsSubset(JSON.parse(setup.stdout), { done: true, configured: true, active: true })
    const reconciled = await project.ace('idp:reconcile', '--json')
    assert.containsSubset(JSON.parse(reconciled.stdout), { done: true, changes: [] })
    assert.deepEqual([preview.code, setup.code, reconciled.code], [0, 0, 0])
  }).timeout(60_000)
})
