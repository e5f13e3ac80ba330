import { test } from '@japa/runner'
import { ConciergeProblem } from '@concierge/client'
import { aClient } from '#tests/helpers/clients'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

test.group('Previews by the client', () => {
  test('read flips page after page', async ({ assert, client }) => {
    const { code: app } = await anApplication()
    const manage = manageApplication(client, app)
    for (const code of ['orders', 'refunds']) await manage.permission({ code })
    const email = uniqueEmail()
    const { concierge, sent } = aClient({ token: await issuer.token(SUPER_ADMIN) })
    const changes = [{ op: 'addAdministrator' as const, email }]
    const found: string[] = []
    for await (const { total, flips } of concierge.preview({ app, changes, limit: 1 })) {
      assert.equal(total, 2)
      found.push(...flips.map(({ permission }) => permission))
    }
    assert.deepEqual(found, ['orders', 'refunds'])
    assert.lengthOf(sent, 2)
  })

  test('reject what the service refuses', async ({ assert }) => {
    const { code: app } = await anApplication()
    const { concierge } = aClient({ token: await issuer.token(SUPER_ADMIN) })
    const pages = concierge.preview({ app, changes: [{ op: 'deleteRole', role: 'nobody' }] })
    const problem = await pages.next().catch((error: unknown) => error)
    assert.instanceOf(problem, ConciergeProblem)
    assert.equal((problem as ConciergeProblem).code, 'ROLE_NOT_FOUND')
  })
})
