import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { aKeyOf, aMessage, serverWith } from '#tests/helpers/application_keys'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { INTERNAL_KEY, SUPER_ADMIN, smtp } from '#tests/world/prepare'

async function replaced(client: ApiClient, { code }: Application) {
  const deleted = await superAdmin(client).delete(`/api/applications/${code}`)
  deleted.assertStatus(204)
  return anApplication({ code })
}

/** What a deleted application has sent, and the new application with its code. */
async function aSuccessor(client: ApiClient) {
  const former = await anApplication()
  const server = serverWith(client, (await aKeyOf(former)).text)
  const email = uniqueEmail()
  const sent = await server.post('/notifications', aMessage(former.code, email))
  sent.assertStatus(200)
  const application = await replaced(client, former)
  return { application, email, formerId: sent.body().data.id as number }
}

const idsIn = (response: { body(): { data: { id: number }[] } }) =>
  response.body().data.map(({ id }) => id)

test.group('An application with the code of a deleted one', () => {
  test('does not show its key what the deleted one sent', async ({ client, assert }) => {
    const { application, email, formerId } = await aSuccessor(client)
    const { code } = application
    const server = serverWith(client, (await aKeyOf(application)).text)
    const lists = [`/notifications/log/app/${code}`, `/notifications/log/${email}`]
    for (const path of lists) assert.deepEqual(idsIn(await server.get(path)), [])

    const own = await server.post('/notifications', aMessage(code, email))
    for (const path of lists) {
      assert.deepEqual(idsIn(await server.get(path)), [own.body().data.id])
    }
    const platform = serverWith(client, INTERNAL_KEY)
    const [ofApplication, ofPerson] = lists
    assert.deepEqual(idsIn(await platform.get(ofApplication)), [own.body().data.id])
    assert.deepEqual(idsIn(await platform.get(ofPerson)), [own.body().data.id, formerId])
  })

  test('does not show anyone what the deleted one sent', async ({ client, assert }) => {
    const { application, formerId } = await aSuccessor(client)
    const { code } = application
    const log = `/api/admin/notifications/log/${code}`
    const statistics = `/api/admin/notifications/stats/${code}`
    for (const email of [
      await anAdministratorOf(application),
      await panelPerson(client, { [code]: 'view' }),
      await panelPerson(client, {}, { globally: 'edit' }),
      SUPER_ADMIN,
    ]) {
      const person = signedIn(client, email)
      const entry = await person.get(`${log}/${formerId}`)
      entry.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
      for (const path of [log, `${log}?from=2020-01-01T00:00:00Z`, `${log}?type=generic`]) {
        assert.deepEqual(idsIn(await person.get(path)), [])
      }
      for (const path of [statistics, `${statistics}?from=2020-01-01T00:00:00Z`]) {
        const counts = await person.get(path)
        assert.deepEqual(counts.body().data, [])
      }
    }
    const everything = await superAdmin(client).get(`/api/admin/notifications/log?appCode=${code}`)
    assert.deepEqual(idsIn(everything), [formerId])
    const platform = serverWith(client, INTERNAL_KEY)
    const entry = await platform.get(`/notifications/${formerId}`)
    entry.assertStatus(200)
  })

  test('does not show anyone the logins of the deleted one', async ({ client, assert }) => {
    const former = await anApplication()
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await person.get(`/api/profile/me/apps/${former.code}`)
    const application = await replaced(client, former)
    const administrator = signedIn(client, await anAdministratorOf(application))
    const ofApplication = `/api/applications/${former.code}/login-records`
    const ofPerson = `/api/users/${encodeURIComponent(email)}/login-records`
    const paths = [ofApplication, ofPerson]
    for (const path of paths) assert.deepEqual((await administrator.get(path)).body().data, [])
    const own = await superAdmin(client).get(ofApplication)
    assert.deepEqual(own.body().data, [])
    const everything = await superAdmin(client).get(ofPerson)
    assert.lengthOf(everything.body().data, 1)
    await person.get(`/api/profile/me/apps/${former.code}`)
    for (const path of paths) {
      assert.lengthOf((await administrator.get(path)).body().data, 1)
    }
  })

  test('does not get the responses to idempotency keys of the deleted one', async ({
    client,
    assert,
  }) => {
    for (const platform of [false, true]) {
      const former = await anApplication()
      const request = aMessage(former.code)
      const headers = { 'idempotency-key': randomUUID() }
      const send = async (application: Application) => {
        const key = platform ? INTERNAL_KEY : (await aKeyOf(application)).text
        const response = await serverWith(client, key).post('/notifications', request, headers)
        response.assertStatus(200)
        return response.body().data.id
      }
      const first = await send(former)
      assert.equal(await send(former), first)
      const application = await replaced(client, former)
      assert.notEqual(await send(application), first)
      assert.lengthOf(smtp.mailsTo(request.recipientEmail), 2)
    }
  })

  test('shares idempotency keys with the platform only', async ({ client, assert }) => {
    const application = await anApplication()
    const request = aMessage(application.code)
    const headers = { 'idempotency-key': randomUUID() }
    const own = serverWith(client, (await aKeyOf(application)).text)
    const first = await own.post('/notifications', request, headers)
    const platform = serverWith(client, INTERNAL_KEY)
    const again = await platform.post('/notifications', request, headers)
    assert.deepEqual(again.body(), first.body())
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    // A code that looks like the id of another application is not mistaken for it.
    const number = aMessage(String(application.id), request.recipientEmail)
    const unknown = await platform.post('/notifications', number, headers)
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
