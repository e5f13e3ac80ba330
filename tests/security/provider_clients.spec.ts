import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { acquireLease, releaseLease } from '#core/database/leases/leases'
import type Application from '#app/applications/models/application'
import AuditEntry from '#app/audit/models/audit_entry'
import Instance from '#app/applications/models/instance'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import {
  aSuperAdmin,
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
} from '#tests/helpers/people'
import type { IdentityApi } from '#tests/world/identity_api'
import { startProductionService } from '#tests/world/production_service'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'

const PLATFORM_CLIENT = 'client-of-the-platform'
const GENUINE = 'https://shop.example/callback'
const SECOND = 'https://shop.example/two'
const EVIL = 'https://evil.example/callback'

let api: IdentityApi
let service: RunningService

const at = (path: string) => `${service.url}${path}`
const syncPath = (code: string) => at(`/api/applications/${code}/idp/sync`)
const instancesPath = (code: string) => at(`/api/applications/${code}/instances`)

const clientOf = (orgId: string) => {
  const [project] = [...api.state.projects.values()].filter((one) => one.orgId === orgId)
  return project.clients[0]
}
const urisOf = (orgId: string) => clientOf(orgId).config.redirectUris

const setUp = (client: ApiClient, orgId: string, application: Application, fields: object = {}) =>
  superAdmin(client).post(at(`/api/idp/admin/orgs/${inPath(orgId)}/setup`), {
    projectName: 'Shop',
    appName: 'web',
    redirectUris: [GENUINE],
    userApiAppCode: application.code,
    ...fields,
  })

/** An application with its client at the provider, and an administrator. */
async function aShop(client: ApiClient) {
  const application = await anApplication()
  const { id: orgId } = api.addOrganisation({ name: uniqueCode('org') })
  const done = await setUp(client, orgId, application)
  done.assertStatus(200)
  const admin = signedIn(client, await anAdministratorOf(application))
  const instance = async (urls: object) => {
    const created = await admin.post(instancesPath(application.code), {
      name: uniqueCode('instance'),
      baseUrl: 'https://shop.example',
      ...urls,
    })
    created.assertStatus(201)
    const { id } = created.body().data
    const path = `${instancesPath(application.code)}/${id}`
    return {
      approve: () => superAdmin(client).post(`${path}/approve`),
      change: (fields: object) => admin.put(path, fields),
      delete: () => admin.delete(path),
    }
  }
  const sync = async () => {
    const response = await admin.post(syncPath(application.code))
    response.assertStatus(200)
    return response.body().data
  }
  const approved = async (urls: object) => {
    const added = await instance(urls)
    await added.approve()
    return added
  }
  const published = async (urls: object) => {
    const added = await approved(urls)
    await sync()
    return added
  }
  return { application, orgId, admin, instance, approved, published, sync }
}

test.group('OIDC clients at the identity provider', (group) => {
  group.setup(async () => {
    const started = await startProviderService(
      { IDP_CLIENT_ID: PLATFORM_CLIENT },
      startProductionService
    )
    ;({ api, service } = started)
    return started.stop
  })
  group.each.setup(() => api.fault())

  test('an administrator cannot send sign-ins to another host', async ({ client, assert }) => {
    const { orgId, application, admin, instance, sync } = await aShop(client)
    for (const uri of ['http://evil.example/callback', 'http://localhost:8080/callback']) {
      const refused = await admin.post(instancesPath(application.code), {
        name: 'Evil',
        baseUrl: 'https://shop.example',
        callbackUrls: [uri],
      })
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
    await instance({ callbackUrls: [EVIL], postLogoutUrls: [EVIL] })
    assert.deepEqual(await sync(), { synchronised: false, redirectUris: [] })
    assert.deepEqual(urisOf(orgId), [GENUINE])
    assert.isNotTrue(clientOf(orgId).config.devMode)
  })

  test('changes of an administrator after the approval are not written', async ({
    client,
    assert,
  }) => {
    const { orgId, sync, published } = await aShop(client)
    const shop = await published({ callbackUrls: [SECOND] })
    assert.deepEqual(urisOf(orgId), [GENUINE, SECOND])
    await shop.change({ callbackUrls: [EVIL] })
    await sync()
    assert.deepEqual(urisOf(orgId), [GENUINE])
  })

  test('existing http URIs are never written, and devMode is never turned on', async ({
    client,
    assert,
  }) => {
    const { application, orgId, sync } = await aShop(client)
    await Instance.create({
      applicationId: application.id,
      name: 'Old',
      baseUrl: 'http://old.example',
      callbackUrls: ['http://old.example/callback', 'https://old.example/callback'],
      postLogoutUrls: ['http://old.example/bye'],
      approved: true,
    })
    const response = await sync()
    assert.deepEqual(response, {
      synchronised: true,
      redirectUris: ['https://old.example/callback'],
    })
    assert.deepEqual(urisOf(orgId), [GENUINE, 'https://old.example/callback'])
    assert.isNotTrue(clientOf(orgId).config.devMode)
  })

  test('a devMode turned on at the provider is left unchanged', async ({ client, assert }) => {
    const { orgId, published } = await aShop(client)
    const { config } = clientOf(orgId)
    Object.assign(config, { devMode: true, redirectUris: [GENUINE, 'http://dev.example/'] })
    await published({ callbackUrls: [SECOND] })
    assert.isTrue(clientOf(orgId).config.devMode)
    const all = [GENUINE, 'http://dev.example/', SECOND]
    assert.deepEqual(urisOf(orgId), all)
  })

  test('only URIs written by a synchronisation are removed', async ({ client, assert }) => {
    const { orgId, sync, published } = await aShop(client)
    const shop = await published({
      callbackUrls: [GENUINE, SECOND],
      postLogoutUrls: ['https://shop.example/bye'],
    })
    clientOf(orgId).config.redirectUris.push('https://by-hand.example/')
    await shop.delete()
    assert.deepEqual(await sync(), { synchronised: true, redirectUris: [] })
    assert.deepEqual(urisOf(orgId), [GENUINE, 'https://by-hand.example/'])
    assert.deepEqual(clientOf(orgId).config.postLogoutRedirectUris, [])

    clientOf(orgId).config.redirectUris.push(SECOND)
    await sync()
    assert.include(urisOf(orgId), SECOND, 'it was added by hand later')
  })

  test('URIs written by a process that died are removed later', async ({ client, assert }) => {
    const { orgId, admin, application, sync, approved } = await aShop(client)
    const shop = await approved({ callbackUrls: [SECOND] })
    api.fault({ at: 'changeClient', when: 'after', how: 'die' })
    const cutOff = await admin.post(syncPath(application.code))
    cutOff.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    api.fault()
    assert.include(urisOf(orgId), SECOND)
    // A repetition would find nothing to do.
    const [{ clientId }] = [clientOf(orgId)]
    const entries = await AuditEntry.query()
      .where({ action: 'oidc_client.uris_changed', targetId: clientId })
      .where('stateAfter', 'like', `%${SECOND}%`)
    assert.lengthOf(entries, 1)
    await shop.delete()
    await sync()
    assert.deepEqual(urisOf(orgId), [GENUINE])
  })

  test('a setup is not begun by someone who loses their rights while they wait for it', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { id: orgId } = api.addOrganisation({ name: uniqueCode('org') })
    const { code } = await anApplication()
    const former = await aSuperAdmin(cleanup)
    const lease = `organisation:${orgId}`
    const inAMinute = DateTime.utc().plus({ minutes: 1 })
    assert.isTrue(await acquireLease(lease, 'test', inAMinute))
    const fields = { projectName: 'Shop', appName: 'web', redirectUris: [EVIL] }
    const before = api.requests.length
    const waiting = signedIn(client, former).post(at(`/api/idp/admin/orgs/${orgId}/setup`), {
      ...fields,
      userApiAppCode: code,
    })
    await eventually('it has asked for the organisation', () => api.requests.length > before)
    await superAdmin(client).delete(at(`/api/users/admins/${inPath(former)}`))
    await releaseLease(lease, 'test')
    ;(await waiting).assertProblem(403, 'FORBIDDEN')
    assert.isFalse([...api.state.projects.values()].some((project) => project.orgId === orgId))
  })

  test('an outdated response of the provider does not bring removed URIs back', async ({
    client,
    assert,
  }) => {
    const { orgId, sync, published } = await aShop(client)
    const shop = await published({ callbackUrls: [SECOND] })
    await shop.delete()
    api.lag = 3
    await sync()
    await sync()
    api.lag = 0
    await sync()
    assert.deepEqual(urisOf(orgId), [GENUINE])
  })

  test('concurrent synchronisations all take effect', async ({ client, assert }) => {
    const { orgId, admin, application, approved } = await aShop(client)
    const uris = ['two', 'three', 'four'].map((name) => `https://shop.example/${name}`)
    const responses = await Promise.all(
      uris.map(async (uri) => {
        await approved({ callbackUrls: [uri] })
        return admin.post(syncPath(application.code))
      })
    )
    for (const response of responses) response.assertStatus(200)
    assert.sameMembers(urisOf(orgId), [GENUINE, ...uris])
  })

  test("an application's setup cannot take over the client of another", async ({
    client,
    assert,
  }) => {
    const { orgId } = await aShop(client)
    const thief = await anApplication()
    const named = await setUp(client, orgId, thief, { redirectUris: [EVIL] })
    named.assertProblem(409, 'CLIENT_BELONGS_ELSEWHERE')

    clientOf(orgId).name = 'renamed'
    const renamed = await setUp(client, orgId, thief, {
      appName: 'renamed',
      redirectUris: [EVIL],
    })
    renamed.assertProblem(409, 'CLIENT_BELONGS_ELSEWHERE')
    assert.deepEqual(urisOf(orgId), [GENUINE])
    assert.lengthOf(await OrganisationApplication.query().where('organisationId', orgId), 1)
  })

  test("setup and synchronisation cannot change the platform's own client", async ({
    client,
    assert,
  }) => {
    const { application, orgId, admin, approved } = await aShop(client)
    await approved({ callbackUrls: [EVIL] })
    // As an earlier version stored it.
    clientOf(orgId).clientId = PLATFORM_CLIENT
    await OrganisationApplication.query()
      .where('organisationId', orgId)
      .update({ clientId: PLATFORM_CLIENT })
    const synchronised = await admin.post(syncPath(application.code))
    synchronised.assertProblem(409, 'CLIENT_BELONGS_ELSEWHERE')
    const known = await setUp(client, orgId, application, { redirectUris: [EVIL] })
    known.assertProblem(409, 'CLIENT_BELONGS_ELSEWHERE')
    await OrganisationApplication.query().where('organisationId', orgId).delete()
    const found = await setUp(client, orgId, application, { redirectUris: [EVIL] })
    found.assertProblem(409, 'CLIENT_BELONGS_ELSEWHERE')
    assert.deepEqual(urisOf(orgId), [GENUINE])
  })

  test('a setup keeps existing URIs and accepts https only', async ({ client, assert }) => {
    const { application, orgId } = await aShop(client)
    clientOf(orgId).config.redirectUris.push('https://by-hand.example/')
    const again = await setUp(client, orgId, application, {
      redirectUris: ['https://shop.example/new'],
    })
    again.assertStatus(200)
    assert.deepEqual(urisOf(orgId), ['https://by-hand.example/', 'https://shop.example/new'])
    for (const uri of ['http://shop.example/', 'http://localhost/', 'https://*.example/']) {
      const refused = await setUp(client, orgId, application, { redirectUris: [uri] })
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('URIs of a setup outlive the instance that named them first', async ({ client, assert }) => {
    const { application, orgId, sync, published } = await aShop(client)
    const shop = await published({ callbackUrls: [SECOND] })
    await setUp(client, orgId, application, { redirectUris: [SECOND] })
    await shop.delete()
    await sync()
    assert.deepEqual(urisOf(orgId), [SECOND])
  })

  test(
    'each change of a client whose response is {$self} is a security event that names who did it'
  )
    .with(['received', 'lost'])
    .run(async ({ client, assert }, response) => {
      const { admin, application, published, approved } = await aShop(client)
      const uri = `https://shop.example/${uniqueCode()}`
      if (response === 'received') await published({ callbackUrls: [uri] })
      else {
        await approved({ callbackUrls: [uri] })
        api.fault({ at: 'changeClient', when: 'after', how: 'die' })
        await admin.post(syncPath(application.code))
      }
      const event = await eventually('the event is logged', () => {
        const line = service
          .output()
          .split('\n')
          .find((one) => one.includes('provider_client_changed') && one.includes(uri))
        return line && JSON.parse(line)
      })
      assert.containSubset(event, { event: 'security', actor: admin.email, added: [uri] })
    })
})
