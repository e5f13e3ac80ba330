import { test } from '@japa/runner'
import { superAdmin } from '#tests/helpers/people'

test.group('Problem details', () => {
  test('an unknown path is 404 and a known path with another method 405', async ({ client }) => {
    const unknown = await client.get('/api/nowhere')
    unknown.assertProblem(404, 'NOT_FOUND')

    const wrongMethod = await client.patch('/api/applications')
    wrongMethod.assertProblem(405, 'METHOD_NOT_ALLOWED')
    wrongMethod.assertHeader('allow', 'GET, HEAD, POST')
  })

  test('a body that is not JSON is refused before anything changes', async ({ client }) => {
    const admin = superAdmin(client)
    const response = await admin.post('/api/applications', { code: 5 })
    response.assertProblem(400, 'VALIDATION_ERROR', {
      errors: [{ field: 'code', rule: 'string' }],
    })
  })
})
