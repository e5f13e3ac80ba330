import { test } from '@japa/runner'
import Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'
import { eventually } from '#tests/helpers/eventually'
import { openPanel } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication } from '#tests/helpers/people'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

/** An application with the entity `order`, and the address of its catalog. */
async function aCatalog(fields: { listEndpoint?: string } = {}) {
  const { id: applicationId, code } = await anApplication()
  const entity = await Entity.create({ applicationId, code: 'order', name: 'Order', ...fields })
  const add = (resourceId: string, label: string | null, properties = {}) =>
    Resource.create({ entityId: entity.id, resourceId, label, properties })
  return { code, entity, add, path: `/apps/${code}/entities/${entity.id}/resources` }
}

test.group('Resources in the panel', () => {
  test('are added, changed and deleted', async ({ assert }) => {
    const { code, entity } = await aCatalog()
    const page = await openPanel(`/apps/${code}/entities`)
    await page.getByRole('link', { name: 'Resources', exact: true }).click()
    await page.getByRole('heading', { name: 'Order', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'New resource' }).first().click()
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Id' }).fill('42')
    await sheet.getByRole('textbox', { name: 'Label' }).fill('Order 42')
    const properties = sheet.getByRole('textbox', { name: 'Properties' })
    await properties.fill('{"status": open}')
    await press(page, 'Add')
    await page.locator('textarea[aria-invalid=true]').waitFor()
    await page.getByText('This must be a JSON object').waitFor()
    await properties.fill('{"status": "open"}')
    await press(page, 'Add')
    await page.getByRole('cell', { name: 'Order 42', exact: true }).waitFor()
    const stored = await Resource.findByOrFail({ entityId: entity.id, resourceId: '42' })
    assert.deepEqual(stored.properties, { status: 'open' })

    await page.getByRole('button', { name: 'Edit Order 42' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Label' }).fill('')
    await press(page, 'Save')
    await page.getByText('No label').waitFor()
    await stored.refresh()
    assert.isNull(stored.label)
    assert.deepEqual(stored.properties, { status: 'open' })

    await page.getByRole('button', { name: 'Delete 42' }).click()
    await confirm(page, 'Delete')
    await page.getByText('is in the catalog yet').waitFor()
    assert.isNull(await Resource.find(stored.id))
  })

  test('are imported from a list', async ({ assert }) => {
    const { entity, path, add } = await aCatalog()
    await add('1', 'Stays')
    const page = await openPanel(`${path}?import=1`)
    const list = dialogOf(page).getByRole('textbox', { name: 'List' })
    await list.fill('{"resources": 1}')
    await press(page, 'Import')
    await page.getByText('This is not a JSON list of resources.').waitFor()
    await list.fill(JSON.stringify([{ resourceId: '2', label: 'Second' }, { resourceId: '3' }]))
    await page.getByText('2 resources to save').waitFor()
    await press(page, 'Import')
    await page.getByText('2 added, 0 changed, 0 unchanged').first().waitFor()
    await page.getByRole('cell', { name: 'Second', exact: true }).waitFor()
    assert.lengthOf(await Resource.query().where({ entityId: entity.id }), 3)
  })

  test('are searched, and the search is in the address', async ({ assert }) => {
    const { path, add } = await aCatalog()
    await add('1', 'Apples')
    await add('2', 'Pears')
    const page = await openPanel(path)
    await page.getByRole('searchbox').fill('pea')
    await page.getByRole('cell', { name: 'Apples', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Pears', exact: true }).waitFor()
    assert.include(page.url(), 'search=pea')
  })

  test('are read-only for those who may only look', async ({ client, assert }) => {
    const { code, path, add } = await aCatalog()
    await add('1', 'Apples')
    const page = await openPanel(path, { as: await panelPerson(client, { [code]: 'view' }) })
    await page.getByRole('cell', { name: 'Apples', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /New|Import|Edit|Delete/ }).count(), 0)
  })

  test('are suggested for overrides: those of the catalog first, then those of the application', async ({
    assert,
    cleanup,
  }) => {
    const listed = [
      { id: 'catalogued', name: 'Under another name' },
      { id: 'listed', name: 'Order of the application' },
    ]
    const server = new TestHttpServer((_, response) => sendJson(response, listed))
    await server.start()
    cleanup(() => server.stop())
    const { code, add } = await aCatalog({ listEndpoint: `${server.url}/orders` })
    await add('catalogued', 'Order of the catalog')
    const page = await openPanel(`/apps/${code}/why?resourceType=order`)
    await page.getByRole('combobox', { name: 'Resource id' }).fill('order')
    const suggestions = page.getByRole('listbox').getByRole('option')
    // The list is empty for a moment when it is filtered.
    const options = await eventually('both are suggested', async () => {
      const texts = await suggestions.allTextContents()
      return texts.length === 2 && texts
    })
    assert.include(options[0], 'Order of the catalog')
    assert.include(options[1], 'Order of the application')
  })
})
