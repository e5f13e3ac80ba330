import { test } from '@japa/runner'
import Brand from '#app/platform/models/brand'
import type Application from '#app/applications/models/application'
import { RenderedTooLarge, TemplateRequired, UnknownTemplate } from '#app/notifications/exceptions'
import { chooseTemplate } from '#app/notifications/actions/choose_template'
import { findMissingVariables } from '#app/notifications/rendering/missing_variables'
import { composeMessage } from '#app/notifications/actions/compose_message'
import { deleteVersion } from '#app/notifications/actions/delete_version'
import { updateTemplate } from '#app/notifications/actions/update_template'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import { burn } from '#tests/helpers/event_loop'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aLanguage } from '#tests/helpers/platform'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

async function compose(
  application: Application,
  template: NotificationTemplate | null,
  { data = {}, locale = 'en' }: { data?: Record<string, unknown>; locale?: string } = {}
) {
  const recipient = { email: uniqueEmail(), name: 'Ada', brand: await Brand.default() }
  return composeMessage({ application, template, data, locale, recipient })
}

test.group('Choosing the template of a type', () => {
  test('finds none for a type without templates', async ({ assert }) => {
    const type = await aType(await anApplication())
    assert.isNull(await chooseTemplate(type, undefined))
  })

  test('uses the only one by default', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const variables = [{ key: 'a', required: true }]
    const template = await aTemplate(application, type, { variables })
    for (const key of [undefined, 'main']) {
      const chosen = await chooseTemplate(type, key)
      assert.equal(chosen?.id, template.id)
      assert.deepEqual(chosen?.variables, variables)
    }
  })

  test('requires a name if there are several', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(application, type, { key: 'b' })
    await aTemplate(application, type, { key: 'a' })
    const error = await chooseTemplate(type, undefined).catch((reason: unknown) => reason)
    assert.instanceOf(error, TemplateRequired)
    assert.containSubset(error, { status: 400, code: 'TEMPLATE_REQUIRED' })
    assert.equal((await chooseTemplate(type, 'a'))?.key, 'a')
  })

  test('lists the available ones for an unknown key', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const choose = (key: string) => chooseTemplate(type, key).catch((reason: unknown) => reason)
    const without = await choose('x')
    assert.instanceOf(without, UnknownTemplate)
    assert.containSubset(without, { status: 400, details: { available: [] } })
    await aTemplate(application, type, { key: 'b' })
    await aTemplate(application, type, { key: 'a' })
    await aTemplate(application, await aType(application), { key: 'x' })
    assert.containSubset(await choose('x'), {
      code: 'UNKNOWN_TEMPLATE',
      details: { available: ['b', 'a'] },
    })
  })

  test('sees changed variables immediately', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(application, type)
    const missing = async () =>
      findMissingVariables((await chooseTemplate(type, 'main'))!, { b: 1 })
    assert.deepEqual(await missing(), [])
    const variables = [
      { key: 'a', required: true },
      { key: 'b', required: true },
      { key: 'userEmail', required: true },
    ]
    await updateTemplate(template.id, { variables })
    assert.deepEqual(await missing(), ['a'])
  })
})

test.group('Composing a message', () => {
  test('does not wait for the messages of another application', async ({ assert }) => {
    const [busy, other] = [await anApplication(), await anApplication()]
    const template = await aTemplate(other, await aType(other))
    await aVersion(template, 'en')
    await compose(other, template)
    let rendered = 0
    const work = () => {
      burn(10)
      rendered += 1
    }
    const others = Array.from({ length: 100 }, () => renderingTurns.run(work, { group: busy.id }))
    await compose(other, template)
    assert.isBelow(rendered, 100)
    await Promise.all(others)
  })

  test('uses the requested locale, then the fallback chain, then English, then any', async ({
    assert,
    client,
  }) => {
    const parent = await aLanguage(client)
    const child = await aLanguage(client, { fallback: parent.code })
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    const localeFor = async (locale: string) =>
      (await compose(application, template, { locale }))?.locale
    assert.isUndefined(await localeFor('en'))
    await aVersion(template, 'cs')
    assert.equal(await localeFor(child.code), 'cs')
    await aVersion(template, 'en')
    assert.equal(await localeFor(child.code), 'en')
    await aVersion(template, parent.code)
    assert.equal(await localeFor(child.code), parent.code)
    await aVersion(template, child.code)
    assert.equal(await localeFor(child.code), child.code)
    assert.equal(await localeFor('cs-CZ'), 'cs')
    assert.equal(await localeFor('en_US'), 'en')
    for (const garbage of ['*', '', 'x'.repeat(1_000), '../..', 'xx']) {
      assert.equal(await localeFor(garbage), 'en')
    }
    await superAdmin(client).put(`/api/admin/languages/${child.code}`, { fallback: 'cs' })
    await deleteVersion(template.id, child.code)
    assert.equal(await localeFor(child.code), 'cs')
  })

  test('leaves out a body for the inbox that is too large', async ({ assert }) => {
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    await aVersion(template, 'en', { bodyTemplate: `${'<a>x</a>'.repeat(9_000)}{{x}}` })
    const data = { x: 'x'.repeat(430_000) }
    const message = await compose(application, template, { data })
    assert.include(message?.html, data.x)
    assert.isNull(message?.inboxBody.html)
  })

  test('never uses outdated texts', async ({ assert }) => {
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    for (let n = 0; n < 30; n++) {
      await aVersion(template, 'en', { subjectTemplate: `${n}`, bodyTemplate: `<p>${n}</p>` })
      const message = await compose(application, template)
      assert.equal(message?.subject, `${n}`)
      assert.equal(message?.text, `${n}`)
    }
  })

  test('uses subject and body of the data if there is no template', async ({ assert }) => {
    const application = await anApplication()
    const data = { subject: 'Hi {{userName}}\r\nBcc: x', body: '<b>{{appName}}</b>\nsecond & last' }
    const message = await compose(application, null, { data, locale: 'cs_CZ' })
    assert.equal(message?.subject, 'Hi {{userName}} Bcc: x')
    assert.include(message?.html, '&lt;b&gt;{{appName}}&lt;/b&gt;<br>\nsecond &amp; last')
    assert.include(message?.html, '<html lang="cs" dir="ltr">')
    assert.equal(message?.text, data.body)
    assert.equal(message?.locale, 'cs')
    const garbage = await compose(application, null, { data, locale: '*' })
    assert.equal(garbage?.locale, 'en')
  })

  test('renders nothing without a template and without subject or body')
    .with([
      {},
      { subject: 's' },
      { body: 'b' },
      { subject: 's', body: 5 },
      { subject: null, body: 'b' },
      { subject: ['s'], body: 'b' },
    ])
    .run(async ({ assert }, data: Record<string, unknown>) => {
      assert.isNull(await compose(await anApplication(), null, { data }))
    })

  test('refuses a text whose HTML is too large, without a template')
    .with(['&'.repeat(104_858), `${'\n'.repeat(104_857)}xxxx`, 'a'.repeat(524_289)])
    .run(async ({ assert }, text: string) => {
      const application = await anApplication()
      const sent = (body: string) => compose(application, null, { data: { subject: 's', body } })
      await assert.rejects(() => sent(text), RenderedTooLarge)
      const { inboxBody } = (await sent(text.slice(1)))!
      assert.isNull(inboxBody.html)
    })

  test('lets other work run between the mail and what the inbox shows', async ({ assert }) => {
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    const bodyTemplate = '{{#items}}{{a}}{{b}}{{c}}{{/items}}'
    await aVersion(template, 'en', { bodyTemplate })
    let turn = 0
    const turns = new Set<number>()
    const items = new Proxy(
      Array.from({ length: 5_000 }, () => ({})),
      {
        getOwnPropertyDescriptor(target, name) {
          turns.add(turn)
          return Reflect.getOwnPropertyDescriptor(target, name)
        },
      }
    )
    let immediate = setImmediate(function next() {
      turn++
      immediate = setImmediate(next)
    })
    const message = await compose(application, template, { data: { items } })
    clearImmediate(immediate)
    assert.isNotNull(message)
    assert.equal(turns.size, 2)
  })
})
