import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import SuperAdmin from '#app/permissions/models/super_admin'
import { aKeyOf } from '#tests/helpers/application_keys'
import { eventually } from '#tests/helpers/eventually'
import { metricOf } from '#tests/helpers/metrics'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection } from '#tests/world/raw_connection'
import type { RunningService } from '#tests/world/service'

test.group('A right while a body arrives slowly', (group) => {
  let service: RunningService
  let internalUrl: string

  group.setup(async () => {
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startProductionService({
      ...sameDatabase(),
      INTERNAL_PORT: String(port),
      LOG_LEVEL: 'error',
    })
    return async () => void (await service.stop())
  })

  /** Sends all but the end of a request, and waits until its guards have accepted it. */
  async function halfSent(url: string, path: string, headers: object, body: object) {
    const text = JSON.stringify(body)
    const connection = await RawConnection.to(url)
    const all = { 'connection': 'close', 'content-length': String(text.length), ...headers }
    connection.write(rawRequest('POST', path, all) + text.slice(0, -1))
    const kind = path.startsWith('/api/internal') ? 'sends' : 'other'
    await eventually('it waits for the rest', async () => {
      const sample = `concierge_http_requests_arriving{class="${kind}"}`
      return (await metricOf(internalUrl, sample)) === 1
    })
    // Its guards take no longer than those of this one.
    for (let time = 0; time < 3; time++) {
      await (await fetch(`${url}${path}/`, { method: 'POST', headers: { ...headers } })).text()
    }
    return async () => {
      connection.write(text.slice(-1))
      const received = await connection.closed()
      return statusesIn(received)
    }
  }

  const bearer = async (email: string) => ({ authorization: `Bearer ${await issuer.token(email)}` })

  test('does not count if it is revoked meanwhile: a super admin', async ({ assert, client }) => {
    const email = uniqueEmail('super')
    const friend = uniqueEmail()
    const added = await superAdmin(client).post('/api/users/admins', { email })
    added.assertStatus(201)
    await signedIn(client, email).get('/api/profile/me')
    const body = { email: friend }
    const finish = await halfSent(service.url, '/api/users/admins', await bearer(email), body)
    const removed = await superAdmin(client).delete(`/api/users/admins/${email}`)
    removed.assertStatus(204)
    assert.deepEqual(await finish(), [403])
    assert.isNull(await SuperAdmin.findBy({ email: friend }))
  })

  test('does not count if it is revoked meanwhile: an application key', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const { text, id } = await aKeyOf(application)
    const data = { subject: 'Hello', body: 'There' }
    const message = { recipientEmail: uniqueEmail(), appCode: application.code, type: 'generic' }
    const headers = { 'x-internal-api-key': text }
    const path = '/api/internal/notifications'
    const finish = await halfSent(internalUrl, path, headers, { ...message, data })
    const revoked = await superAdmin(client).delete(
      `/api/applications/${application.code}/keys/${id}`
    )
    revoked.assertStatus(204)
    assert.deepEqual(await finish(), [401])
  })

  test('does not bring back the record of a user who is erased meanwhile', async ({ assert }) => {
    const email = uniqueEmail()
    const path = '/api/profile/me/notifications/inbox/read-all'
    const finish = await halfSent(service.url, path, await bearer(email), {})
    assert.isNotNull(await User.findBy({ email }))
    const erased = await fetch(`${service.url}/api/users/${email}`, {
      method: 'DELETE',
      headers: await bearer(SUPER_ADMIN),
    })
    assert.equal(erased.status, 204)
    assert.deepEqual(await finish(), [401])
    assert.isNull(await User.findBy({ email }))
  })

  test('counts if it is not revoked', async ({ assert, client }) => {
    const email = uniqueEmail('super')
    await superAdmin(client).post('/api/users/admins', { email })
    const body = { email: uniqueEmail() }
    const finish = await halfSent(service.url, '/api/users/admins', await bearer(email), body)
    assert.deepEqual(await finish(), [201])
  })
})

test.group('A HEAD request', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startProductionService({ ...sameDatabase(), LOG_LEVEL: 'error' })
    return async () => void (await service.stop())
  })

  test('does not keep later requests of its connection from writing', async ({
    assert,
    client,
  }) => {
    const [email, other] = [uniqueEmail('super'), uniqueEmail('super')]
    await superAdmin(client).post('/api/users/admins', { email })
    await superAdmin(client).post('/api/users/admins', { email: other })
    const authorization = `Bearer ${await issuer.token(email)}`
    const connection = await RawConnection.to(service.url)
    const health = (method: string) => rawRequest(method, '/api/health/live')
    connection.write(
      health('HEAD') +
        health('GET').repeat(3) +
        rawRequest('DELETE', `/api/users/admins/${other}`, { authorization, connection: 'close' })
    )
    assert.deepEqual(statusesIn(await connection.closed()), [200, 200, 200, 200, 204])
    assert.isNull(await SuperAdmin.findBy({ email: other }))
  })
})
