import { test } from '@japa/runner'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { overClient } from './client_driver.ts'
import { overCommandLine } from './command_driver.ts'
import { overHttp } from './http_driver.ts'
import { type Operations, type Refused } from './operations.ts'

const DRIVERS: Record<string, () => Promise<Operations>> = {
  'plain HTTP': overHttp,
  'the client': overClient,
  'the command line': overCommandLine,
}

for (const [title, begin] of Object.entries(DRIVERS)) {
  test.group(`An operator's day, over ${title}`, (group) => {
    let by: Operations
    group.setup(async () => {
      by = await begin()
    })

    test('access: an application, its permissions, roles, grants and an explained check', async ({
      assert,
    }) => {
      const app = uniqueCode()
      const email = uniqueEmail()
      const orders = { email, app, permission: 'orders' }
      const order = { ...orders, resource: { type: 'order', id: 'a:42' } }

      assert.include(await by.createApplication(app, 'Shop'), { code: app, name: 'Shop' })
      assert.include(await by.showApplication(app), { code: app, name: 'Shop' })
      assert.include(await by.createPermission(app, 'orders', 'tiered'), { code: 'orders' })
      assert.include(await by.createPermission(app, 'export', 'binary'), { code: 'export' })
      assert.include(await by.createRole(app, 'clerk'), { code: 'clerk' })
      assert.isFalse(await by.check(orders))
      assert.include(await by.explain(orders), { allowed: false, decidedBy: 6 })

      await by.setRolePermissions(app, 'clerk', { orders: 'view', export: 'allowed' })
      await by.giveRole(email, app, 'clerk')
      assert.isTrue(await by.check({ ...orders, level: 'view' }))
      assert.isFalse(await by.check({ ...orders, level: 'edit' }))
      assert.isTrue(await by.check(order))
      assert.include(await by.explain(orders), { allowed: true, decidedBy: 5 })

      await by.deny(email, app, 'orders', order.resource)
      assert.isFalse(await by.check(order))
      assert.include(await by.explain(order), { allowed: false, decidedBy: 4 })
      assert.isTrue(await by.check(orders))
      assert.deepEqual(await by.clearCaches(), { cleared: true })
      assert.isFalse(await by.check(order))

      await by.deleteApplication(app)
      await assert.rejects(() => by.showApplication(app), 'APPLICATION_NOT_FOUND')
    }).timeout(120_000)

    test('messages: templates, a preview, a notification and its log entry', async ({ assert }) => {
      const app = uniqueCode()
      const email = uniqueEmail()
      await by.createApplication(app, 'Shop')
      const texts = {
        type: 'generic',
        template: 'main',
        locale: 'en',
        subject: 'Order {{order}}',
        body: '<p>It is <b>there</b></p>\n',
      }
      await by.saveTexts(app, texts)
      assert.include(await by.preview(app, texts, { order: '<7>' }), { subject: 'Order <7>' })
      assert.include(await by.notify(email, app, 'generic', { order: '7' }), { status: 'sent' })
      assert.include(await by.notify(email, app, 'unheard-of', {}), { status: 'skipped' })
      const [skipped, sent] = await by.log(app)
      assert.include(sent, { recipientEmail: email, status: 'sent', subject: 'Order 7' })
      assert.include(skipped, { recipientEmail: email, status: 'skipped' })
    }).timeout(120_000)

    test('errors contain their code', async ({ assert }) => {
      const app = uniqueCode()
      const codeOf = (work: Promise<unknown>) => work.catch((error: Refused) => error.code)
      assert.equal(await codeOf(by.createApplication('Not A Slug', 'x')), 'VALIDATION_ERROR')
      await by.createApplication(app, 'Shop')
      assert.equal(await codeOf(by.createApplication(app, 'Shop')), 'APPLICATION_EXISTS')
      assert.equal(await codeOf(by.createRole(uniqueCode(), 'clerk')), 'APPLICATION_NOT_FOUND')
    }).timeout(120_000)
  })
}
