import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { replaceTypeSamples } from '#app/notifications/actions/replace_type_samples'
import NotificationTypeSample from '#app/notifications/models/notification_type_sample'
import TemplateVersion from '#app/notifications/models/template_version'
import Language from '#app/platform/models/language'
import { anApplication } from '#tests/helpers/people'
import { openPanel, whenLoaded } from '#tests/helpers/open_panel'
import { confirm, confirmationOf, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { expectProblem } from '#tests/helpers/watch_pages'

const VARIABLES = [{ key: 'order.number', required: true }]

/** A template with an English text, and its editor. */
async function anEditor() {
  const application = await anApplication()
  const type = await aType(application)
  const template = await aTemplate(application, type, { variables: VARIABLES })
  await aVersion(template, 'en', {
    subjectTemplate: 'Order {{order.number}}',
    bodyTemplate: '<p>Hello {{userName}}, order {{order.number}} was sent.</p>\n',
  })
  const path = `/apps/${application.code}/types/${type.code}/templates/${template.id}`
  return { application, type, template, path }
}

const bodyOf = (page: Page) => page.getByRole('textbox', { name: 'Body', exact: true })
const subjectOf = (page: Page) => page.getByRole('textbox', { name: 'Subject' })
const mailOf = (page: Page) => page.frameLocator('iframe[title="E-mail"]')
const published = (templateId: number, locale = 'en') =>
  TemplateVersion.findByOrFail({ notificationTemplateId: templateId, locale })

async function publish(page: Page) {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await press(page, 'Publish')
  await dialogOf(page).waitFor({ state: 'hidden' })
}

test.group('The template editor', () => {
  test('shows what is written, keeps it as a draft, and publishes it', async ({ assert }) => {
    const { template, path } = await anEditor()
    const page = await openPanel(path)
    await mailOf(page).getByText('order number was sent.').waitFor()
    await subjectOf(page).fill('Parcel {{order.number}}')
    await bodyOf(page).fill('<p>Parcel <b>{{order.number}}</b> has left.</p>')
    await mailOf(page).getByText('Parcel number has left.').waitFor()
    await page.getByText('Kept in this browser', { exact: true }).waitFor()
    const inbox = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Inbox' }) })
    assert.match(await inbox.last().innerText(), /Parcel number has left\.$/)

    await page.reload()
    await whenLoaded(page)
    assert.equal(await subjectOf(page).inputValue(), 'Parcel {{order.number}}')
    assert.equal((await published(template.id)).subjectTemplate, 'Order {{order.number}}')

    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = dialogOf(page)
    await dialog.locator('del').first().waitFor()
    const [removed, added] = [dialog.locator('del'), dialog.locator('ins')]
    assert.equal(await removed.first().innerText(), 'Order {{order.number}}')
    assert.equal(await added.first().innerText(), 'Parcel {{order.number}}')
    await press(page, 'Publish')
    await page.getByText('Revision 2').waitFor()
    const version = await published(template.id)
    assert.equal(version.subjectTemplate, 'Parcel {{order.number}}')
    assert.include(version.bodyTemplate, '<b>{{order.number}}</b>')
    assert.isTrue(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled())
  })

  test('says what could be better and what is wrong, with its line', async ({ assert }) => {
    const { path } = await anEditor()
    const page = await openPanel(path)
    await page.getByText('Nothing to improve.').waitFor()
    await bodyOf(page).fill(
      '<p>{{order.number}}</p>\n<p>{{nobody}}</p>\n<a href="http://a.example">a</a>'
    )
    await page.getByText('The variable nobody is not declared.').waitFor()
    await page.getByText('This address begins with http: http://a.example').waitFor()
    await page.getByRole('button', { name: 'Line 2' }).click()
    assert.include(await page.locator('.cm-activeLine').first().innerText(), '{{nobody}}')

    expectProblem(page, /status of 400/)
    await bodyOf(page).fill('<p>{{order.number}}</p>\n<p>{{order number}}</p>')
    await page.getByText('A template can contain only plain placeholders').first().waitFor()
    await page.getByRole('button', { name: 'Line 2' }).waitFor()
    assert.isTrue(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled())
  })

  test('completes variables', async ({ assert }) => {
    const { path } = await anEditor()
    const page = await openPanel(path)
    await bodyOf(page).fill('')
    await bodyOf(page).pressSequentially('<p>{{ord')
    // Not Enter, which the editor takes for a new line just after the list has opened.
    await page.getByRole('option', { name: /order\.number/ }).click()
    assert.equal(await bodyOf(page).innerText(), '<p>{{order.number}}')
  })

  test('fills in the sample data', async () => {
    const { path } = await anEditor()
    const page = await openPanel(path)
    const data = page.getByRole('textbox', { name: 'Sample data' })
    await data.fill('{"order": ')
    await page.getByText('This must be a JSON object.').waitFor()
    await data.fill('{"order": {"number": "A-17"}}')
    await mailOf(page).getByText('order A-17 was sent.').waitFor()
    await data.fill('{}')
    await page.getByText('has no value for the required variable order.number').waitFor()
  })

  test('shares sample data with everyone who edits the type', async ({ assert, client }) => {
    const { application, type, path } = await anEditor()
    const page = await openPanel(path)
    const section = page.getByRole('region', { name: 'Sample data' })
    const data = section.getByRole('textbox')
    const choice = section.getByRole('combobox', { name: 'Shared sample data' })
    const saveAs = async (name: string) => {
      await section.getByRole('button', { name: 'Save as…' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await press(page, 'Save')
    }
    await data.fill('{"order": {"number": "A-17"}}')
    await saveAs('  First   order ')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.equal(await choice.inputValue(), 'First order')
    await data.fill('{"order": {"number": "Z-999999"}}')
    await saveAs('First order')
    await page.getByText('There is already sample data with this name.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Long number')
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'hidden' })

    const as = await panelPerson(client, { [application.code]: 'edit' })
    const other = await aTemplate(application, type, { key: 'other' })
    const theirs = await openPanel(path.replace(/\d+$/, String(other.id)), { as })
    await theirs.getByRole('combobox', { name: 'Shared sample data' }).selectOption('First order')
    const field = theirs.getByRole('region', { name: 'Sample data' }).getByRole('textbox')
    assert.include(await field.inputValue(), 'A-17')

    await choice.selectOption('First order')
    await mailOf(page).getByText('order A-17 was sent.').waitFor()
    await data.fill('{"order": {"number": "B-18"}}')
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('First order was saved').last().waitFor()
    await section.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Second order')
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await choice.selectOption('Long number')
    await section.getByRole('button', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await page.getByText('Long number was deleted').last().waitFor()
    assert.include(await data.inputValue(), 'Z-999999', 'what is in the field stays')
    const stored = await NotificationTypeSample.ofType(type)
    assert.deepEqual(
      stored.map(({ name, data: { order } }) => [name, order]),
      [['Second order', { number: 'B-18' }]]
    )
  })

  test('does not replace sample data that someone else has saved', async ({ assert }) => {
    const { application, type, path } = await anEditor()
    const store = (number: string) =>
      replaceTypeSamples(application.code, type.code, [
        { name: 'One', data: { order: { number } } },
      ])
    await store('first')
    const page = await openPanel(path)
    const section = page.getByRole('region', { name: 'Sample data' })
    await section.getByRole('combobox').selectOption('One')
    await section.getByRole('textbox').fill('{"order": {"number": "mine"}}')
    await store('theirs')
    expectProblem(page, /status of 412/)
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Someone else has changed it meanwhile.').last().waitFor()
    const [theirs] = await NotificationTypeSample.ofType(type)
    assert.deepEqual(theirs.data, { order: { number: 'theirs' } })
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('One was saved').last().waitFor()
    const [mine] = await NotificationTypeSample.ofType(type)
    assert.deepEqual(mine.data, { order: { number: 'mine' } })
  })

  test('shows mails on a phone, in the dark, and without their scripts', async ({ assert }) => {
    const { path } = await anEditor()
    const page = await openPanel(path)
    await page.getByRole('button', { name: 'Phone' }).click()
    const frame = page.locator('iframe[title="E-mail"]')
    const { width } = (await frame.boundingBox())!
    assert.isAtMost(width, 390)
    await page.getByRole('button', { name: 'Dark' }).click()
    await mailOf(page).getByText('order number was sent.').waitFor()
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts')
  })

  test('writes another language next to the first', async ({ assert }) => {
    const { application, template, path } = await anEditor()
    const { name } = await Language.findByOrFail({ code: 'cs' })
    await application.merge({ supportedLanguages: ['en', 'cs'] }).save()
    const page = await openPanel(path)
    await page.getByRole('button', { name: `${name} missing` }).click()
    await page.getByText('Write a subject and a body').waitFor()
    await page.getByRole('group', { name: 'Beside the editor' }).getByText('English').click()
    await page.getByRole('textbox', { name: 'Body in English' }).waitFor()
    await subjectOf(page).fill('Objednávka {{order.number}}')
    await bodyOf(page).fill('<p>Objednávka {{order.number}}</p>')
    await publish(page)
    await page.getByText('Revision 1').waitFor()
    assert.equal(
      (await published(template.id, 'cs')).subjectTemplate,
      'Objednávka {{order.number}}'
    )
    assert.equal(await page.getByText('missing').count(), 0)

    await page.getByRole('button', { name: 'English' }).first().click()
    await subjectOf(page).fill('Your order {{order.number}}')
    await publish(page)
    await page.getByRole('button', { name: `${name} outdated` }).waitFor()
  })

  test('restores a revision', async ({ assert }) => {
    const { template, path } = await anEditor()
    await aVersion(template, 'en', { subjectTemplate: 'Wrong' })
    const page = await openPanel(`${path}?history=1`)
    await page.getByRole('button', { name: 'Compare revision 1' }).click()
    await dialogOf(page).locator('del').getByText('Wrong').waitFor()
    await press(page, 'Restore')
    await page.getByText('Revision 3').waitFor()
    assert.equal(await subjectOf(page).inputValue(), 'Order {{order.number}}')
    assert.equal((await published(template.id)).subjectTemplate, 'Order {{order.number}}')
  })

  test('does not overwrite what someone else has published in the meantime', async ({ assert }) => {
    const { template, path } = await anEditor()
    const page = await openPanel(path)
    await subjectOf(page).fill('Mine')
    await aVersion(template, 'en', { subjectTemplate: 'Theirs' })
    expectProblem(page, /status of 412/)
    await publish(page)
    await page.getByText('Someone else has changed this').waitFor()
    assert.equal((await published(template.id)).subjectTemplate, 'Theirs')
    assert.equal(await subjectOf(page).inputValue(), 'Mine')
    await page.getByRole('button', { name: 'Take theirs' }).click()
    assert.equal(await subjectOf(page).inputValue(), 'Theirs')
  })

  test('keeps drafts and data to the person who writes them', async ({ client, assert }) => {
    const { application, path } = await anEditor()
    const page = await openPanel(path)
    await subjectOf(page).fill('A secret draft')
    await page.getByRole('textbox', { name: 'Sample data' }).fill('{"order": "secret"}')
    const other = await panelPerson(client, { [application.code]: 'edit' })
    const theirs = await openPanel(path, { as: other })
    await theirs.evaluate(
      (kept) => kept.forEach(([key, value]) => localStorage.setItem(key, value)),
      await page.evaluate(() => Object.entries(localStorage) as [string, string][])
    )
    await theirs.reload()
    await whenLoaded(theirs)
    assert.equal(await subjectOf(theirs).inputValue(), 'Order {{order.number}}')
    const data = await theirs.getByRole('textbox', { name: 'Sample data' }).inputValue()
    assert.notInclude(data, 'secret')
  })

  test('deletes a language, and the template', async ({ assert }) => {
    const { template, path } = await anEditor()
    const page = await openPanel(path)
    await page.getByRole('button', { name: 'Delete the text in English' }).click()
    await confirm(page, 'Delete', 'en')
    await page.getByText('Write a subject and a body').waitFor()
    assert.isNull(await TemplateVersion.findBy({ notificationTemplateId: template.id }))
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirmationOf(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There is no template yet').waitFor()
  })

  test('is read-only for those who may only look', async ({ client, assert }) => {
    const { application, path } = await anEditor()
    const as = await panelPerson(client, { [application.code]: 'view' })
    const page = await openPanel(path, { as })
    await mailOf(page).getByText('order number was sent.').waitFor()
    assert.equal(await bodyOf(page).getAttribute('aria-readonly'), 'true')
    assert.equal(
      await page.getByRole('button', { name: /Publish|Delete|Send|variables/ }).count(),
      0
    )
  })
})
