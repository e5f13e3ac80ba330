import { test } from '@japa/runner'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'

test.group('Preferences of an application deleted concurrently', () => {
  test('are served or not found, never an error', async ({ assert, client }) => {
    const statuses = new Set<number>()
    for (let round = 0; round < 8; round++) {
      const { code } = await anApplication()
      const path = `/api/profile/me/apps/${code}`
      const person = signedIn(client, uniqueEmail())
      await person.get('/api/profile/me')
      const requests = [
        ...Array.from({ length: 4 }, () => () => signedIn(client, uniqueEmail()).get(path)),
        ...Array.from({ length: 4 }, () => () => person.put(path, { showHelp: false })),
        ...Array.from({ length: 4 }, () => () => person.post(`${path}/activity`)),
        ...Array.from({ length: 4 }, () => async () => {
          const body = { email: uniqueEmail(), appCode: code, event: 'activity' }
          return applicationEvent(client, body)
        }),
        () => person.get('/api/profile/me/apps'),
      ]
      const responses = requests.map((send) => send())
      responses.splice(8, 0, superAdmin(client).delete(`/api/applications/${code}`))
      for (const response of await Promise.all(responses)) {
        statuses.add(response.status())
        if (response.status() === 404) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
      }
      assert.isEmpty((await person.get('/api/profile/me/apps')).body().data)
    }
    assert.includeMembers([200, 204, 404], [...statuses])
  })
})
