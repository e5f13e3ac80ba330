import { test } from '@japa/runner'
import { manageApplication } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
} from '#tests/helpers/people'

const URLS = {
  baseUrl: 'https://shop.example',
  callbackUrls: ['https://shop.example/callback'],
  postLogoutUrls: ['https://shop.example/bye'],
}

test.group('Approval of an instance', () => {
  test('an instance created by an administrator needs the approval of a super admin', async ({
    client,
  }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/instances`
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post(path, { name: 'Shop', ...URLS })
    created.assertStatus(201)
    const { id } = created.body().data
    const waiting = { id, name: 'Shop', ...URLS, approved: false }
    created.assertBody({ success: true, data: waiting })

    const own = await admin.post(`${path}/${id}/approve`)
    own.assertProblem(403, 'FORBIDDEN')
    const still = await admin.get(path)
    still.assertBody({ success: true, data: [waiting] })

    const approved = await superAdmin(client).post(`${path}/${id}/approve`)
    approved.assertStatus(200)
    approved.assertBody({ success: true, data: { ...waiting, approved: true } })
    const list = await admin.get(path)
    list.assertBody({ success: true, data: [{ ...waiting, approved: true }] })
    const again = await superAdmin(client).post(`${path}/${id}/approve`, {})
    again.assertStatus(200)
  })

  test('a request cannot set the approval', async ({ client, assert }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/instances`
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post(path, { name: 'Shop', ...URLS, approved: true })
    assert.isFalse(created.body().data.approved)
    const { id } = created.body().data
    const changed = await admin.put(`${path}/${id}`, { approved: true })
    assert.isFalse(changed.body().data.approved)
  })

  test('an administrator’s change of {field} needs approval again')
    .with([
      { field: 'baseUrl', value: 'https://evil.example' },
      { field: 'callbackUrls', value: ['https://evil.example'] },
      { field: 'callbackUrls', value: [] },
      { field: 'postLogoutUrls', value: ['https://evil.example'] },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const application = await anApplication()
      const { id } = await manageApplication(client, application.code).instance(URLS)
      const path = `/api/applications/${application.code}/instances/${id}`
      const admin = signedIn(client, await anAdministratorOf(application))
      const changed = await admin.put(path, { [field]: value })
      changed.assertStatus(200)
      assert.isFalse(changed.body().data.approved)
      const back = await admin.put(path, URLS)
      assert.isFalse(back.body().data.approved)
    })

  test('changing the name, or sending the same URLs, needs no approval', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { id } = await manageApplication(client, application.code).instance(URLS)
    const path = `/api/applications/${application.code}/instances/${id}`
    const admin = signedIn(client, await anAdministratorOf(application))
    const changed = await admin.put(path, { name: uniqueCode(), ...URLS })
    changed.assertStatus(200)
    assert.isTrue(changed.body().data.approved)
  })

  test('a change by a super admin does not change the approval', async ({ client, assert }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/instances`
    const approved = await manageApplication(client, application.code).instance(URLS)
    const moved = await superAdmin(client).put(`${path}/${approved.id}`, {
      baseUrl: 'https://new.example',
    })
    assert.isTrue(moved.body().data.approved)

    const admin = signedIn(client, await anAdministratorOf(application))
    const waiting = await admin.post(path, { name: 'Shop', ...URLS })
    const renamed = await superAdmin(client).put(`${path}/${waiting.body().data.id}`, {
      name: 'The shop',
    })
    assert.isFalse(renamed.body().data.approved)
  })

  test('only the URLs that the super admin has reviewed are approved', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/instances`
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post(path, { name: 'Shop', ...URLS })
    const { id } = created.body().data
    await admin.put(`${path}/${id}`, { callbackUrls: ['https://evil.example/callback'] })
    const refused = await superAdmin(client).post(`${path}/${id}/approve`, URLS)
    refused.assertProblem(409, 'INSTANCE_CHANGED')
    const list = await admin.get(path)
    assert.isFalse(list.body().data[0].approved)
    const seen = { callbackUrls: ['https://evil.example/callback'] }
    const approved = await superAdmin(client).post(`${path}/${id}/approve`, seen)
    assert.isTrue(approved.body().data.approved)
  })

  test('concurrent approval and change never approve URLs that nobody has reviewed', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/instances`
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post(path, { name: 'Shop', ...URLS })
    const { id } = created.body().data
    const evil = { callbackUrls: ['https://evil.example/callback'] }
    for (let round = 0; round < 5; round++) {
      await admin.put(`${path}/${id}`, URLS)
      await Promise.all([
        superAdmin(client).post(`${path}/${id}/approve`, URLS),
        admin.put(`${path}/${id}`, evil),
      ])
      const [instance] = (await admin.get(path)).body().data
      assert.deepEqual(instance, { id, name: 'Shop', ...URLS, ...evil, approved: false })
    }
  })

  test('an instance of another application, or one that does not exist, is not found', async ({
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const { id } = await manageApplication(client, other.code).instance(URLS)
    const admin = superAdmin(client)
    const foreign = await admin.post(`/api/applications/${mine.code}/instances/${id}/approve`)
    foreign.assertProblem(404, 'INSTANCE_NOT_FOUND')
    const nowhere = await admin.post(`/api/applications/${uniqueCode()}/instances/1/approve`)
    nowhere.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
