import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import Role from '#app/permissions/models/role'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { confirm } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

/** Someone who may view orders as a clerk. */
async function anApplicationWithClerk(client: ApiClient) {
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  const clerk = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'view' }])
  const ada = uniqueEmail('ada')
  await manage.userRoles(ada, [clerk.id])
  return { appCode, application, clerk, ada, manage }
}

const documentOf = (page: Page) => page.getByRole('textbox', { name: 'Document' })
const planOf = (page: Page) => page.getByRole('region', { name: 'Plan' })

/** The clerk may edit orders; there is a new role, and no other. */
const changed = (appCode: string) => `application: ${appCode}
permissions:
  - code: orders
    type: tiered
roles:
  - code: clerk
    permissions:
      - permission: orders
        accessLevel: edit
  - code: seller
`

async function planned(page: Page, text: string) {
  await documentOf(page).fill(text)
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await planOf(page).waitFor()
}

test.group('Policy in the panel', () => {
  test('is downloaded as YAML and JSON, with assignments or without', async ({
    client,
    assert,
  }) => {
    const { appCode, ada } = await anApplicationWithClerk(client)
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}`, { as })
    await page.getByRole('navigation').getByRole('link', { name: 'Policy' }).click()
    await whenShown(page, 'Policy')
    const save = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ])
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }
    const yaml = await save('YAML')
    assert.equal(yaml.name, `${appCode}.yaml`)
    assert.match(yaml.text, /^# yaml-language-server.*\napplication: /)
    assert.notInclude(yaml.text, ada)
    await page.getByRole('checkbox', { name: /^With assignments/ }).check()
    const json = await save('JSON')
    const { application, assignments } = JSON.parse(json.text)
    assert.equal(application, appCode)
    assert.deepEqual(assignments.roles, [{ email: ada, role: 'clerk' }])
  })

  test('is shown to those who may only see it, without a way to change it', async ({
    client,
    assert,
  }) => {
    const { appCode } = await anApplicationWithClerk(client)
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}/policy`, { as })
    await page.getByRole('button', { name: 'Open the current policy' }).click()
    await documentOf(page).getByText('code: clerk').waitFor()
    assert.equal(await documentOf(page).getAttribute('aria-readonly'), 'true')
    assert.equal(await page.getByRole('button', { name: /plan/i }).count(), 0)
    assert.equal(await page.locator('input[type=file]').count(), 0)
  })

  test('shows what a document changes and for whom, and applies it', async ({ client, assert }) => {
    const { appCode, application, clerk, ada } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}/policy`)
    await page.setInputFiles('input[type=file]', {
      name: 'policy.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(changed(appCode)),
    })
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = planOf(page)
    await plan.getByText('2 changes. Nothing has been stored yet.').waitFor()
    await plan.getByText('seller').waitFor()
    await plan.getByText('clerk', { exact: true }).click()
    await plan.getByText('permissions.orders').waitFor()
    const flip = plan.getByRole('row').filter({ hasText: ada })
    await flip.getByText('Edit', { exact: true }).waitFor()
    await plan.getByText('1 gained').waitFor()
    assert.lengthOf(await Role.findManyBy({ applicationId: application.id }), 1)

    await plan.getByRole('button', { name: 'Apply' }).click()
    await confirm(page, 'Apply')
    await page.getByText('The policy was applied', { exact: true }).waitFor()
    await plan.getByText('The document changes nothing').waitFor()
    const path = `/api/applications/${appCode}/roles/${clerk.id}/permissions`
    const granted = await superAdmin(client).get(path)
    assert.equal(granted.body().data[0].accessLevel, 'edit')
  })

  test('says what is wrong at its line, and keeps what was written', async ({ client, assert }) => {
    const { appCode } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}/policy`)
    await page.getByRole('button', { name: 'Start with an empty document' }).click()
    expectProblem(page, /status of 400/)
    const plan = page.getByRole('button', { name: /plan/i })
    const refused = async (text: string, line: string, reason: RegExp) => {
      await documentOf(page).fill(text)
      await plan.click()
      await page.getByRole('alert').getByText(reason).waitFor()
      await page.getByRole('button', { name: line }).click()
      return page.locator('.cm-activeLine').first().innerText()
    }
    const application = `application: ${appCode}\n`
    const misspelt = `${application}roles:\n  - code: clerk\n    permisions: []\n`
    assert.include(await refused(misspelt, 'Line 4', /permisions/), 'permisions')
    const broken = `${application}roles: [\n`
    await refused(broken, 'Line 3', /./)
    const unknown = `${application}roles:\n  - code: clerk\n    permissions:\n      - permission: nothing\n        accessLevel: allowed\n`
    assert.include(await refused(unknown, 'Line 5', /nothing/), 'permission: nothing')
    await page.reload()
    await documentOf(page).getByText('permission: nothing').waitFor()
  })

  test('does not apply a plan that is out of date, and shows a new one', async ({
    client,
    assert,
  }) => {
    const { appCode, application, manage } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}/policy?open=1`)
    await planned(page, changed(appCode))
    await planOf(page).getByText('2 changes.').waitFor()
    await documentOf(page).press('Control+End')
    await documentOf(page).pressSequentially('# again')
    await page.getByText('differ from this plan').waitFor()
    assert.isTrue(await planOf(page).getByRole('button', { name: 'Apply' }).isDisabled())
    await page.getByRole('button', { name: 'Plan again' }).click()
    await page.getByText('differ from this plan').waitFor({ state: 'detached' })
    await whenLoaded(page)

    await manage.role({ code: 'seller' })
    expectProblem(page, /status of 412/)
    await planOf(page).getByRole('button', { name: 'Apply' }).click()
    await confirm(page, 'Apply')
    await page.getByText('so nothing was applied').waitFor()
    await planOf(page).getByText('1 change.').waitFor()
    assert.lengthOf(await Role.findManyBy({ applicationId: application.id }), 2)
    await planOf(page).getByRole('button', { name: 'Apply' }).click()
    await confirm(page, 'Apply')
    await page.getByText('The policy was applied', { exact: true }).waitFor()
  })

  test('asks for the code of the application before something is removed', async ({ client }) => {
    const { appCode, ada } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}/policy?open=1`)
    await documentOf(page).fill(`application: ${appCode}\nroles: []\n`)
    await page.getByRole('checkbox', { name: /^Also remove/ }).check()
    await page.getByRole('button', { name: 'Show the plan' }).click()
    await planOf(page).getByRole('row').filter({ hasText: ada }).getByText('Denied').waitFor()
    await planOf(page).getByRole('button', { name: 'Apply' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('1 entry is removed.').waitFor()
    await dialog.getByRole('textbox').fill(appCode)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The policy was applied', { exact: true }).waitFor()
    await whenLoaded(page)
  })
})
