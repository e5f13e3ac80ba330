import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import { aMachine, operator } from '#tests/helpers/command_line'
import { inPath } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
} from '#tests/helpers/people'
import type { IdentityApi } from '#tests/world/identity_api'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'

const OWN = 'https://shop.example/own'
const FIRST = 'https://shop.example/first'
const SECOND = 'https://shop.example/second'
const LEFT = 'https://shop.example/left'

let api: IdentityApi
let service: RunningService

/** An application with a client at the provider. */
async function aShop(client: ApiClient) {
  const application = await anApplication()
  const { id: orgId } = api.addOrganisation({ name: uniqueCode('org') })
  const at = (path: string) => `${service.url}/api/${path}`
  const setUp = await superAdmin(client).post(at(`idp/admin/orgs/${inPath(orgId)}/setup`), {
    projectName: 'Shop',
    appName: 'web',
    redirectUris: [OWN],
    userApiAppCode: application.code,
  })
  setUp.assertStatus(200)
  const ofApplication = (path: string) => at(`applications/${application.code}/${path}`)
  const by = superAdmin(client)
  const instance = async (callbackUrl: string, postLogoutUrls: string[] = []) => {
    const baseUrl = 'https://shop.example'
    const fields = { name: uniqueCode(), baseUrl, callbackUrls: [callbackUrl], postLogoutUrls }
    const { id } = (await by.post(ofApplication('instances'), fields)).body().data
    return { id, delete: () => by.delete(ofApplication(`instances/${id}`)) }
  }
  return {
    application,
    orgId,
    instance,
    ofApplication,
    sync: async () => (await by.post(ofApplication('idp/sync'))).assertStatus(200),
    state: async () => {
      const response = await by.get(ofApplication('idp/sync'))
      response.assertStatus(200)
      return response.body().data
    },
  }
}

test.group('The state of the clients of an application', (group) => {
  group.setup(async () => {
    const started = await startProviderService()
    ;({ api, service } = started)
    return started.stop
  })
  group.each.setup(() => {
    api.denied.clear()
  })

  test('says what a synchronisation would change, and changes nothing', async ({
    assert,
    client,
  }) => {
    const shop = await aShop(client)
    const about = { organisationId: shop.orgId, clientName: 'web', problem: null }
    assert.containsSubset(await shop.state(), {
      clients: [{ ...about, state: 'in_sync', adds: [], removes: [] }],
      clientCount: 1,
      instances: [],
    })

    const first = await shop.instance(FIRST, [LEFT])
    await shop.sync()
    assert.containsSubset(await shop.state(), {
      clients: [{ ...about, state: 'in_sync', adds: [], removes: [] }],
      instances: [{ id: first.id, state: 'in_sync' }],
    })

    const second = await shop.instance(SECOND)
    await first.delete()
    const pending = {
      clients: [{ ...about, state: 'pending', adds: [SECOND], removes: [FIRST, LEFT] }],
      instances: [{ id: second.id, state: 'pending' }],
    }
    assert.containsSubset(await shop.state(), pending)
    assert.containsSubset(await shop.state(), pending)
    await shop.sync()
    assert.containsSubset(await shop.state(), {
      clients: [{ state: 'in_sync', adds: [], removes: [] }],
      instances: [{ id: second.id, state: 'in_sync' }],
    })
  })

  test('is shown by the command line', async ({ assert, client }) => {
    const shop = await aShop(client)
    await shop.instance(FIRST)
    const env = { ...(await operator()), CONCIERGE_URL: service.url }
    const show = async (...format: string[]) => {
      const args = ['instances', 'sync-state', shop.application.code, ...format]
      const { code, stdout, stderr } = await aMachine().run(args, { env })
      assert.equal(code, 0, stderr)
      return stdout
    }
    const table = await show()
    assert.match(table, /web +\S+ +pending +https:\/\/shop\.example\/first/)
    assert.deepEqual(JSON.parse(await show('-o', 'json')), await shop.state())
  })

  test('says why a client cannot be read', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { id } = await shop.instance(FIRST)
    api.denied.add('project.app.read')
    const state = await shop.state()
    const [{ problem }] = state.clients
    assert.equal(problem.code, 'SERVICE_ACCOUNT_LACKS_PERMISSION')
    assert.include(problem.detail, 'project.app.read')
    assert.containsSubset(state, {
      clients: [{ state: 'failed', adds: [], removes: [] }],
      instances: [{ id, state: 'failed' }],
    })
  })

  test('leaves out instances that are not approved', async ({ assert, client }) => {
    const shop = await aShop(client)
    const admin = signedIn(client, await anAdministratorOf(shop.application))
    const fields = { name: 'A', baseUrl: 'https://shop.example', callbackUrls: [FIRST] }
    const created = await admin.post(shop.ofApplication('instances'), fields)
    const { id } = created.body().data
    const read = await admin.get(shop.ofApplication('idp/sync'))
    assert.containsSubset(read.body().data, {
      clients: [{ state: 'in_sync', adds: [] }],
      instances: [{ id, state: 'not_approved' }],
    })
  })

  test('is read of at most 20 clients', async ({ assert, client }) => {
    const shop = await aShop(client)
    const [row] = await OrganisationApplication.query().where('organisationId', shop.orgId)
    const { id, ...fields } = row.toObject()
    await OrganisationApplication.createMany(
      Array.from({ length: 20 }, () => ({ ...fields, organisationId: uniqueCode('org') }))
    )
    const { clients, clientCount } = await shop.state()
    assert.lengthOf(clients, 20)
    assert.equal(clientCount, 21)
  }).timeout(60_000)

  test('is not known without a client or a service account', async ({ assert, client }) => {
    const { code } = await anApplication()
    const path = `/api/applications/${code}`
    const fields = { name: 'A', baseUrl: 'https://shop.example', callbackUrls: [FIRST] }
    const { id } = (await superAdmin(client).post(`${path}/instances`, fields)).body().data
    const read = await superAdmin(client).get(`${service.url}${path}/idp/sync`)
    assert.deepEqual(read.body().data, {
      serviceAccountConfigured: true,
      clients: [],
      clientCount: 0,
      instances: [{ id, state: 'no_client' }],
    })
    const unconfigured = await superAdmin(client).get(`${path}/idp/sync`)
    const nothing = { clients: [], clientCount: 0, instances: [] }
    assert.deepEqual(unconfigured.body().data, { serviceAccountConfigured: false, ...nothing })
  })
})
