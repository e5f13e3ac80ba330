import { test } from '@japa/runner'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, NEXT_INTERNAL_KEY, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'

test.group('Internal keys', () => {
  test('all configured keys are valid')
    .with([INTERNAL_KEY, NEXT_INTERNAL_KEY])
    .run(async ({ client }, key) => {
      const { code } = await anApplication()
      const response = await client
        .post('/api/internal/auth/application-events')
        .header('x-internal-api-key', key)
        .json({ email: uniqueEmail(), appCode: code, event: 'login' })
      response.assertStatus(200)
    })

  test('other keys return 401: {$self}')
    .with([
      '',
      ' ',
      'wrong',
      INTERNAL_KEY.slice(0, -1),
      `${INTERNAL_KEY}x`,
      INTERNAL_KEY.toUpperCase(),
      `${INTERNAL_KEY},${NEXT_INTERNAL_KEY}`,
      WEBHOOK_SECRET,
    ])
    .run(async ({ client }, key) => {
      const response = await client
        .post('/api/internal/auth/application-events')
        .header('x-internal-api-key', key)
        .json({})
      response.assertProblem(401, 'UNAUTHENTICATED')
    })

  test('a request without a key returns 401 even with a token', async ({ client }) => {
    const response = await client
      .post('/api/internal/auth/application-events')
      .header('authorization', `Bearer ${await issuer.token(uniqueEmail())}`)
      .json({})
    response.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('a wrong key is refused before the body is read', async ({ client }) => {
    const response = await client
      .put('/api/internal/auth/profile-sync')
      .header('x-internal-api-key', 'wrong')
      .header('content-type', 'text/plain')
      .setup((request) => void request.request.send('not even JSON'))
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})

test.group('The webhook secret', () => {
  test('admits the identity provider', async ({ client }) => {
    const response = await client
      .post('/api/idp/webhook')
      .header('x-webhook-secret', WEBHOOK_SECRET)
      .json({ eventType: 'user.created', orgId: '1', user: { email: uniqueEmail() } })
    response.assertStatus(200)
  })

  test('is required: {$self} returns 401')
    .with(['', 'wrong', `${WEBHOOK_SECRET} ${WEBHOOK_SECRET}`, INTERNAL_KEY])
    .run(async ({ client }, secret) => {
      const response = await client
        .post('/api/idp/webhook')
        .header('x-webhook-secret', secret)
        .json({ eventType: 'user.created', orgId: '1', user: { email: uniqueEmail() } })
      response.assertProblem(401, 'UNAUTHENTICATED')
    })

  test('returns 401 when missing', async ({ client }) => {
    const response = await client.post('/api/idp/webhook').json({ eventType: 'user.created' })
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
