import { test } from '@japa/runner'
import { allowedIn, ask, here, preflight } from '#tests/helpers/cross_origin'
import { eventually } from '#tests/helpers/eventually'
import { recordStatements } from '#tests/helpers/count_statements'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
} from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { credentials } from '#tests/helpers/send'
import { startProductionService } from '#tests/world/production_service'
import { startService } from '#tests/world/service'

test.group('Pages of an instance', () => {
  const isAllowed = async (origin: string, url = here()) =>
    allowedIn(await preflight(url, '/api/profile/me', origin)) === origin

  async function anInstance(by: { post: ReturnType<typeof signedIn>['post'] }, code: string) {
    const origin = `https://${uniqueCode('shop')}.example`
    const path = `/api/applications/${code}/instances`
    const fields = { name: uniqueCode(), baseUrl: `${origin}/shop` }
    const response = await by.post(path, fields)
    response.assertStatus(201)
    return { origin, path: `${path}/${response.body().data.id}` }
  }

  test('are allowed only while it is approved', async ({ assert, client }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const root = superAdmin(client)
    const { origin, path } = await anInstance(admin, application.code)
    assert.isFalse(await isAllowed(origin), 'before it is approved')

    const approved = await root.post(`${path}/approve`)
    approved.assertStatus(200)
    assert.isTrue(await isAllowed(origin), 'approved')
    assert.isFalse(await isAllowed(`${origin}/shop`), 'with a path')

    const moved = await admin.put(path, { baseUrl: 'https://evil.example' })
    moved.assertStatus(200)
    assert.isFalse(await isAllowed(origin), 'moved away')
    assert.isFalse(await isAllowed('https://evil.example'), 'moved to')
  })

  test('are refused once it or its application is deleted', async ({ assert, client }) => {
    const root = superAdmin(client)
    const { code } = await anApplication()
    const first = await anInstance(root, code)
    const second = await anInstance(root, code)
    assert.isTrue((await isAllowed(first.origin)) && (await isAllowed(second.origin)))

    const deleted = await root.delete(first.path)
    deleted.assertStatus(204)
    assert.isFalse(await isAllowed(first.origin))
    assert.isTrue(await isAllowed(second.origin))
    const gone = await root.delete(`/api/applications/${code}`)
    gone.assertStatus(204)
    assert.isFalse(await isAllowed(second.origin))
  })

  test('are allowed by other processes within 30 seconds', async ({ assert, client, cleanup }) => {
    const other = await startService(sameDatabase())
    cleanup(async () => void (await other.stop()))
    const { code } = await anApplication()
    assert.isFalse(await isAllowed('https://warm.example', other.url))
    const { origin } = await anInstance(superAdmin(client), code)
    await eventually('the other process knows it', () => isAllowed(origin, other.url), 30_000)
  }).timeout(60_000)

  test('costs the database nothing per request', async ({ assert, client }) => {
    const { code } = await anApplication()
    const { origin } = await anInstance(superAdmin(client), code)
    await isAllowed(origin)
    const statements = await recordStatements(async () => {
      for (let i = 0; i < 20; i++) await isAllowed(origin)
    })
    assert.deepEqual(statements, [])
  })

  test('are refused without https in production', async ({ assert, cleanup }) => {
    const service = await startProductionService(sameDatabase())
    cleanup(async () => void (await service.stop()))
    const { default: Instance } = await import('#app/applications/models/instance')
    const application = await anApplication()
    const host = `${uniqueCode('shop')}.example`
    for (const baseUrl of [`http://${host}`, `https://${host}`]) {
      await Instance.create({
        applicationId: application.id,
        name: uniqueCode(),
        baseUrl,
        approved: true,
        callbackUrls: [],
        postLogoutUrls: [],
      })
    }
    assert.isTrue(await isAllowed(`https://${host}`, service.url))
    assert.isFalse(await isAllowed(`http://${host}`, service.url))
  })

  test('still need a token', async ({ assert }) => {
    const origin = 'http://localhost:5173'
    assert.equal((await ask(here(), { origin })).status, 401)
    assert.equal((await ask(here(), { origin, headers: await credentials('token') })).status, 200)
  })
})
