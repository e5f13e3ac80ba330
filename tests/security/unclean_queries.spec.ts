import { test } from '@japa/runner'
import { INTERNAL_KEY } from '#tests/world/prepare'

test.group('Text in query strings that a database cannot store', () => {
  for (const text of ['%00', 'crm%00', '%00crm']) {
    test(`is refused as an application code: ${text}`, async ({ client }) => {
      const response = await client
        .get(`/api/internal/notifications/types?appCode=${text}`)
        .header('x-internal-api-key', INTERNAL_KEY)
      response.assertStatus(400)
      response.assertBodyContains({ code: 'VALIDATION_ERROR' })
    })
  }
})
