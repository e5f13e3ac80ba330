import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import AuditEntry from '#app/audit/models/audit_entry'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'
import { sameDatabase } from '#tests/helpers/same_database'
import { TestHttpServer } from '#tests/world/http_server'
import { IdentityApi } from '#tests/world/identity_api'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

let api: IdentityApi
let service: RunningService
let pictures: TestHttpServer

const ORGS = '/api/idp/admin/orgs'
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')
const at = (path: string) => `${service.url}${path}`
const admin = (client: ApiClient) => ({
  list: () => superAdmin(client).get(at(ORGS)),
  create: (body: object) => superAdmin(client).post(at(ORGS), body),
  branding: (id: string) => superAdmin(client).get(at(`${ORGS}/${inPath(id)}/branding`)),
  brand: (id: string, body: object) =>
    superAdmin(client).put(at(`${ORGS}/${inPath(id)}/branding`), body),
  setUp: (id: string, body: object) =>
    superAdmin(client).post(at(`${ORGS}/${inPath(id)}/setup`), body),
  synchronise: (code: string) => superAdmin(client).post(at(`/api/applications/${code}/idp/sync`)),
})

const newNames = () => {
  const name = uniqueCode('org')
  return { name, domain: `${name}.example` }
}
const organisationsCalled = (wanted: string) =>
  [...api.state.organisations.values()].filter(({ name }) => name === wanted)
const statesAfter = async (action: string, targetId: string) => {
  const entries = await AuditEntry.query().where({ action, targetId }).orderBy('id')
  return entries.map(({ stateAfter }) => JSON.parse(stateAfter!))
}
const clientsOf = (orgId: string) =>
  [...api.state.projects.values()]
    .filter((project) => project.orgId === orgId)
    .flatMap(({ clients }) => clients)

const latestEntry = () => AuditEntry.query().orderBy('id', 'desc').firstOrFail()

/**
 * Repeats an attempt with a failure at each of its calls, before or after it took effect. Whatever
 * is written leaves an audit entry.
 */
async function cutOffEverywhere(
  attempt: () => Promise<{ again: () => Promise<void>; status: () => number }>
) {
  for (const when of ['before', 'after'] as const) {
    for (let call = 1; ; call++) {
      const known = await latestEntry()
      let isWritten = false
      api.beforeWrite = async () => {
        isWritten = true
      }
      api.fault({ at: call, when, how: 'die' })
      const { again, status } = await attempt()
      api.beforeWrite = async () => {}
      const { id, action } = await latestEntry()
      if (isWritten && !(id > known.id && action.startsWith('organisation.'))) {
        throw new Error(`No entry after a failure at call ${call}`)
      }
      if (!api.faultHappened) {
        api.fault()
        if (status() >= 300) throw new Error(`It failed without a fault: ${status()}`)
        break
      }
      if (status() !== 502) throw new Error(`Cut off at call ${call}, and ${status()}`)
      await again()
    }
  }
}

test.group('Organisations', (group) => {
  group.setup(async () => {
    api = await new IdentityApi().start()
    pictures = await new TestHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    ).start()
    const { fallback: further } = issuer
    issuer.fallback = api.tokenEndpoint(issuer)
    service = await startService({
      ...sameDatabase(),
      IDP_API_URL: api.url,
      IDP_SERVICE_ACCOUNT_KEY_FILE: api.writeKeyFile(),
    })
    return async () => {
      issuer.fallback = further
      await service.stop()
      await Promise.all([api.stop(), pictures.stop()])
    }
  })
  group.each.setup(() => {
    api.fault()
    api.denied.clear()
    api.unknown.clear()
    api.lag = 0
    api.tokens.revokeIssued()
  })

  test('are created with their domain and listed by id', async ({ assert, client }) => {
    const names = newNames()
    const created = await admin(client).create(names)
    created.assertStatus(201)
    const [{ id, domains }] = organisationsCalled(names.name)
    assert.deepEqual(created.body(), { success: true, data: { id, ...names } })
    assert.include(domains, names.domain)
    for (let count = 0; count < 250; count++) api.addOrganisation({ name: uniqueCode('many') })

    const { data } = (await admin(client).list()).body()
    assert.lengthOf(data, api.state.organisations.size)
    const ids = data.map((one: { id: string }) => one.id)
    assert.deepEqual(ids, [...api.state.organisations.keys()].sort())
    assert.lengthOf(new Set(ids), ids.length)
    const state = 'ORGANIZATION_STATE_ACTIVE'
    assert.deepInclude(data, { id, name: names.name, domain: domains[0], state })
  })

  test('cannot share a name or domain', async ({ assert, client }) => {
    const names = newNames()
    await admin(client).create(names)
    for (let time = 0; time < 2; time++) {
      const again = await admin(client).create({ ...names, domain: 'other.example' })
      again.assertProblem(409, 'ORGANISATION_EXISTS')
    }
    assert.notInclude(organisationsCalled(names.name)[0].domains, 'other.example')
    const taken = await admin(client).create({ ...newNames(), domain: names.domain })
    taken.assertProblem(409, 'DOMAIN_EXISTS')
  })

  test('are not created if the reason for the audit trail is too long', async ({
    assert,
    client,
  }) => {
    const names = newNames()
    const token = await issuer.token(SUPER_ADMIN)
    const response = await client
      .post(at(ORGS))
      .header('authorization', `Bearer ${token}`)
      .header('x-audit-reason', 'x'.repeat(501))
      .json(names)
    response.assertProblem(400, 'VALIDATION_ERROR')
    assert.isEmpty(organisationsCalled(names.name))
  })

  test('are created with the API of older versions, too', async ({ assert, client }) => {
    api.unknown.add('addDomain')
    const names = newNames()
    const response = await admin(client).create(names)
    response.assertStatus(201)
    assert.include(organisationsCalled(names.name)[0].domains, names.domain)
  })

  test('are complete if their creation is repeated after a failure at any call', async ({
    assert,
    client,
  }) => {
    await cutOffEverywhere(async () => {
      const names = newNames()
      const first = await admin(client).create(names)
      const again = async () => {
        const response = await admin(client).create(names)
        response.assertStatus(201)
        const found = organisationsCalled(names.name)
        assert.lengthOf(found, 1)
        assert.include(found[0].domains, names.domain)
        const once = await admin(client).create(names)
        once.assertProblem(409, 'ORGANISATION_EXISTS')
      }
      return { again, status: () => first.status() }
    })
  })

  test('are created once by concurrent requests', async ({ assert, client }) => {
    const names = newNames()
    const responses = await Promise.all([1, 2, 3].map(() => admin(client).create(names)))
    assert.deepEqual(responses.map((response) => response.status()).sort(), [201, 409, 409])
    assert.lengthOf(organisationsCalled(names.name), 1)
  })

  test('get their branding, which is activated', async ({ assert, client }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const body = { primaryColor: '#b00020', logoUrl: `${pictures.url}/logo.png` }
    const response = await admin(client).brand(id, body)
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: body })
    assert.include(api.state.policies.get(id)!.active, { primaryColor: '#b00020' })
    const logo = { contentType: 'image/png', bytes: PNG.length }
    assert.deepEqual(api.state.logos.get(id)!.active, logo)

    api.state.policies.get(id)!.active!.fontColor = '#123456'
    const changed = await admin(client).brand(id, { primaryColor: '#00aa00', logoUrl: null })
    assert.deepEqual(changed.body().data, { primaryColor: '#00aa00', logoUrl: null })
    const { active } = api.state.policies.get(id)!
    assert.include(active, { primaryColor: '#00aa00', fontColor: '#123456' })
    assert.deepEqual(api.state.logos.get(id)!.active, logo, 'the logo stays')
    const same = await admin(client).brand(id, { primaryColor: '#00aa00' })
    same.assertStatus(200)
  })

  test('show the branding that is active at the provider', async ({ assert, client }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const none = await admin(client).branding(id)
    none.assertStatus(200)
    const colours = { primaryColor: '#5469d4', backgroundColor: '#fafafa', fontColor: '#000000' }
    assert.containSubset(none.body().data, { isDefault: true, logoUrl: null, ...colours })
    await admin(client).brand(id, { primaryColor: '#b00020', logoUrl: pictures.url })
    const own = await admin(client).branding(id)
    const { data } = own.body()
    assert.containSubset(data, { ...colours, isDefault: false, primaryColor: '#b00020' })
    assert.match(data.logoUrl, /^https:/)

    const unknown = await admin(client).branding('300000000000000404')
    unknown.assertProblem(404, 'ORGANISATION_NOT_FOUND')
    api.denied.add('policy.read')
    const denied = await admin(client).branding(id)
    denied.assertProblem(409, 'SERVICE_ACCOUNT_LACKS_PERMISSION')
    api.refusal = { status: 400, code: 3, message: 'Errors.Invalid' }
    const refused = await admin(client).branding(id)
    refused.assertProblem(400, 'IDENTITY_PROVIDER_REFUSED')
    api.refusal = undefined
    api.fault({ at: 1, when: 'before', how: 'die' })
    const cut = await admin(client).branding(id)
    cut.assertProblem(502, 'UPSTREAM_UNREACHABLE')
  })

  test('are listed with their applications, without asking the provider', async ({
    assert,
    client,
  }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const application = await anApplication()
    const { data } = (
      await admin(client).setUp(id, {
        projectName: 'Shop',
        appName: 'web',
        userApiAppCode: application.code,
        redirectUris: ['https://shop.example/callback'],
      })
    ).body()
    const [byHand, other] = ['300000000000000777', '300000000000000778']
    const mapped = { [byHand]: application.code, [other]: 'no-such-application' }
    const configured = await startService({
      ...sameDatabase(),
      IDP_ORG_APPLICATIONS: JSON.stringify(mapped),
    })
    const response = await superAdmin(client).get(`${configured.url}/api/idp/admin/applications`)
    await configured.stop()
    response.assertStatus(200)
    const facts = { applicationCode: application.code, applicationName: application.name }
    const rows = response
      .body()
      .data.filter((row: { applicationCode: string }) => row.applicationCode === application.code)
    assert.sameDeepMembers(rows, [
      {
        orgId: id,
        ...facts,
        source: 'setup',
        projectName: 'Shop',
        clientName: 'web',
        clientId: data.clientId,
      },
      {
        orgId: byHand,
        ...facts,
        source: 'setting',
        projectName: null,
        clientName: null,
        clientId: null,
      },
    ])
  })

  test('get their branding if it is repeated after a failure at any call', async ({
    assert,
    client,
  }) => {
    const body = { primaryColor: '#b00020', logoUrl: `${pictures.url}/logo.png` }
    await cutOffEverywhere(async () => {
      const { id } = api.addOrganisation({ name: uniqueCode('org') })
      const first = await admin(client).brand(id, body)
      const again = async () => {
        const response = await admin(client).brand(id, body)
        response.assertStatus(200)
        assert.include(api.state.policies.get(id)!.active, { primaryColor: '#b00020' })
        assert.isDefined(api.state.logos.get(id)!.active)
      }
      return { again, status: () => first.status() }
    })
  })

  test('leave an audit entry for branding whose response is lost', async ({ assert, client }) => {
    const body = { primaryColor: '#b00020', logoUrl: null }
    for (const when of ['before', 'after'] as const) {
      const { id } = api.addOrganisation({ name: uniqueCode('org') })
      api.fault({ at: 'activatePolicy', when, how: 'die' })
      const lost = await admin(client).brand(id, body)
      lost.assertProblem(502, 'UPSTREAM_UNREACHABLE')
      assert.deepEqual(await statesAfter('organisation.branding_changed', id), [
        { ...body, unconfirmed: true },
      ])
    }
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    api.fault({ at: 'readPolicy', when: 'after', how: 'die' })
    const unread = await admin(client).brand(id, body)
    unread.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.deepEqual(await statesAfter('organisation.branding_changed', id), [])
  })

  test('leave an audit entry for a creation whose response is {$self}')
    .with(['lost', 'empty'] as const)
    .run(async ({ assert, client }, outcome) => {
      const { name, domain } = newNames()
      const how = outcome === 'lost' ? 'die' : 'empty'
      api.fault({ at: 'createOrganisation', when: 'after', how })
      const lost = await admin(client).create({ name, domain })
      lost.assertProblem(502, 'UPSTREAM_UNREACHABLE')
      assert.deepEqual(await statesAfter('organisation.created', name), [
        { name, domain, unconfirmed: true },
      ])
    })

  test('leave an audit entry even if their domain may be missing', async ({ assert, client }) => {
    const { name, domain } = newNames()
    api.fault({ at: 'addDomain', when: 'before', how: 500 })
    const cut = await admin(client).create({ name, domain })
    cut.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    const [{ id }] = organisationsCalled(name)
    const created = 'organisation.created'
    assert.deepEqual(await statesAfter(created, id), [{ name, domain, unconfirmed: true }])
    const again = await admin(client).create({ name, domain })
    again.assertStatus(201)
    const [, second] = await statesAfter(created, id)
    assert.deepEqual(second, { name, domain })
  })

  test('keep their branding if the logo is unusable: {0}')
    .with([
      ['status', 404, 'image/png', PNG],
      ['status', 302, 'image/png', PNG],
      ['type', 200, 'text/html', PNG],
      ['empty', 200, 'image/png', Buffer.alloc(0)],
      ['too_large', 200, 'image/png', Buffer.alloc(512 * 1_024 + 1)],
      ['too_large', 200, 'image/png', Buffer.alloc(1_100_000)],
    ] as [string, number, string, Buffer][])
    .run(async ({ assert, client, cleanup }, [reason, status, type, bytes]) => {
      const { handler } = pictures
      cleanup(() => {
        pictures.handler = handler
      })
      pictures.handler = (_, response) =>
        response.writeHead(status, { 'content-type': type, 'location': api.url }).end(bytes)
      const { id } = api.addOrganisation({ name: uniqueCode('org') })
      const body = { primaryColor: '#b00020', logoUrl: pictures.url }
      const response = await admin(client).brand(id, body)
      response.assertProblem(400, 'LOGO_NOT_USABLE', { reason })
      assert.isFalse(api.state.policies.has(id))
    })

  test('never fetch a logo from a metadata address', async ({ client }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const logoUrl = 'http://169.254.169.254/latest/meta-data'
    const response = await admin(client).brand(id, { primaryColor: '#b00020', logoUrl })
    response.assertProblem(400, 'LOGO_NOT_USABLE', { reason: 'address' })
  })

  test('are set up for an application and its lifecycle events and clients', async ({
    assert,
    client,
  }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const { code } = await anApplication()
    const redirectUris = ['https://fieldbook.example/callback', 'http://localhost:8080/callback']
    const body = { projectName: 'Fieldbook', appName: 'web', redirectUris, userApiAppCode: code }
    const response = await admin(client).setUp(id, body)
    response.assertStatus(200)
    const [{ clientId, config }] = clientsOf(id)
    const [projectId] = [...api.state.projects.values()]
      .filter(({ orgId }) => orgId === id)
      .map((project) => project.id)
    const data = { orgId: id, projectId, clientId, redirectUris, applicationCode: code }
    assert.deepEqual(response.body(), { success: true, data })
    assert.deepEqual(config.redirectUris, redirectUris)
    assert.deepInclude(config, {
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
      devMode: true,
    })

    const email = uniqueEmail()
    await webhook(client, { eventType: 'user.created', orgId: id, user: { email } })
    const apps = await signedIn(client, email).get('/api/profile/me/apps')
    assert.include(JSON.stringify(apps.body()), code)

    const again = await admin(client).setUp(id, body)
    assert.deepEqual(again.body().data, data)
    assert.lengthOf(clientsOf(id), 1)

    const manage = manageApplication(client, code)
    const callbacks = ['https://one.example/cb', 'https://two.example/cb']
    await manage.instance({ callbackUrls: callbacks, postLogoutUrls: ['https://one.example/bye'] })
    await manage.instance({ callbackUrls: [callbacks[1], 'https://three.example/cb'] })
    const synchronised = await admin(client).synchronise(code)
    synchronised.assertStatus(200)
    const uris = [...callbacks, 'https://three.example/cb']
    const result = { synchronised: true, redirectUris: uris }
    assert.deepEqual(synchronised.body(), { success: true, data: result })
    const after = clientsOf(id)[0].config
    assert.deepEqual(after.redirectUris, [...redirectUris, ...uris], 'the others stay')
    assert.deepEqual(after.postLogoutRedirectUris, ['https://one.example/bye'])
    assert.equal(after.accessTokenType, 'OIDC_TOKEN_TYPE_JWT', 'the rest stays')

    api.state.projects.delete(projectId)
    const gone = await admin(client).synchronise(code)
    gone.assertProblem(409, 'APPLICATION_HAS_NO_CLIENT')
    const repaired = await admin(client).setUp(id, body)
    repaired.assertStatus(200)
    assert.lengthOf(clientsOf(id), 1)
    assert.lengthOf(await OrganisationApplication.query().where('organisationId', id), 1)
  })

  test('are set up once despite failures and concurrent requests', async ({ assert, client }) => {
    const { code } = await anApplication()
    const body = {
      projectName: 'Fieldbook',
      appName: 'web',
      redirectUris: ['https://fieldbook.example/callback'],
      userApiAppCode: code,
    }
    await cutOffEverywhere(async () => {
      const { id } = api.addOrganisation({ name: uniqueCode('org') })
      const first = await admin(client).setUp(id, body)
      const again = async () => {
        api.lag = 2
        const responses = await Promise.all([1, 2].map(() => admin(client).setUp(id, body)))
        api.lag = 0
        for (const response of responses) response.assertStatus(200)
        assert.lengthOf(clientsOf(id), 1)
        const [row] = await OrganisationApplication.query().where('organisationId', id)
        assert.equal(row.clientId, clientsOf(id)[0].clientId)
      }
      return { again, status: () => first.status() }
    })
  }).timeout(120_000)

  test('are not found if they do not exist, whatever the id looks like', async ({
    assert,
    client,
  }) => {
    const { code: userApiAppCode } = await anApplication()
    const setup = { projectName: 'P', appName: 'A', redirectUris: ['https://a.example/'] }
    const known = api.addOrganisation({ name: uniqueCode('org') }).id
    // As a JavaScript number, the next id would be the same.
    const next = String(BigInt(known) + 5_000_000n)
    for (const id of ['..', '../x', '%2e%2e', 'a b', 'ä', '1\r\n2', next]) {
      const branded = await admin(client).brand(id, { primaryColor: '#b00020' })
      branded.assertProblem(404, 'ORGANISATION_NOT_FOUND')
      const done = await admin(client).setUp(id, { ...setup, userApiAppCode })
      done.assertProblem(404, 'ORGANISATION_NOT_FOUND')
    }
    assert.isFalse(api.operations.includes('unknown'))
  })

  test('are not set up for an application that does not exist', async ({ assert, client }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const setup = { projectName: 'P', appName: 'A', redirectUris: ['https://a.example/'] }
    const response = await admin(client).setUp(id, { ...setup, userApiAppCode: uniqueCode() })
    response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    assert.lengthOf(clientsOf(id), 0)
    const { code } = await anApplication()
    const early = await admin(client).synchronise(code)
    early.assertProblem(409, 'APPLICATION_HAS_NO_CLIENT')
  })

  test('keep their callback URLs if the application has no instances', async ({
    assert,
    client,
  }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const { code } = await anApplication()
    const redirectUris = ['https://a.example/cb']
    const setup = { projectName: 'P', appName: 'A', redirectUris, userApiAppCode: code }
    await admin(client).setUp(id, setup)
    const response = await admin(client).synchronise(code)
    assert.deepEqual(response.body().data, { synchronised: false, redirectUris: [] })
    assert.deepEqual(clientsOf(id)[0].config.redirectUris, redirectUris)
  })

  test('name the permission that the service account lacks', async ({ client }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    for (const [permission, ask] of [
      ['org.create', () => admin(client).create(newNames())],
      ['org.read', () => admin(client).list()],
      ['policy.write', () => admin(client).brand(id, { primaryColor: '#b00020' })],
    ] as const) {
      api.denied.add(permission)
      const response = await ask()
      response.assertProblem(409, 'SERVICE_ACCOUNT_LACKS_PERMISSION', { permission })
      api.denied.clear()
    }
  })

  test('are read with a new token if the current one has expired', async ({ assert, client }) => {
    await admin(client).list()
    const issued = api.tokens.issued
    api.tokens.revokeIssued()
    const responses = await Promise.all([1, 2, 3].map(() => admin(client).list()))
    for (const response of responses) response.assertStatus(200)
    assert.isAtMost(api.tokens.issued, issued + 2)
    api.tokens.acceptsIssued = false
    api.tokens.revokeIssued()
    const response = await admin(client).list()
    api.tokens.acceptsIssued = true
    response.assertProblem(409, 'SERVICE_ACCOUNT_REJECTED')
  })

  test('respond 502 while the provider is down and 400 to what it refuses', async ({ client }) => {
    await api.stop()
    for (const response of [await admin(client).list(), await admin(client).create(newNames())]) {
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    }
    await api.start()
    api.fault({ at: 'createOrganisation', when: 'before', how: 400 })
    const refused = await admin(client).create(newNames())
    refused.assertProblem(400, 'IDENTITY_PROVIDER_REFUSED')
    api.fault({ at: 'searchOrganisations', when: 'before', how: 400 })
    const unlisted = await admin(client).list()
    unlisted.assertProblem(400, 'IDENTITY_PROVIDER_REFUSED')
  })
})
