import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import RolePermission from '#app/permissions/models/role_permission'
import { violations } from '#tests/helpers/accessibility'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { cellOf, dialogOf, press } from '#tests/helpers/panel_parts'
import { fullScene } from '#tests/helpers/panel_scenes'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

/** Two roles and three permissions, of which the clerk has one. */
async function aMatrix(client: ApiClient) {
  const { code: appCode } = await anApplication()
  const manage = manageApplication(client, appCode)
  const leads = await manage.permission({ code: 'leads', type: 'tiered', groupName: 'Leads' })
  const exports = await manage.permission({ code: 'leads.export', groupName: 'Leads' })
  const contracts = await manage.permission({ code: 'contracts', groupName: 'Contracts' })
  const clerk = await manage.role({ code: 'clerk' })
  const manager = await manage.role({ code: 'manager' })
  await manage.rolePermissions(clerk.id, [{ permissionId: leads.id, accessLevel: 'view' }])
  const levelOf = async (role: { id: number }, permission: { id: number }) => {
    const found = await RolePermission.findBy({ roleId: role.id, permissionId: permission.id })
    return found?.accessLevel ?? null
  }
  const change = (role: { id: number }, permission: { id: number }, accessLevel: string | null) =>
    superAdmin(client).patch(`/api/applications/${appCode}/role-permissions`, {
      changes: [{ roleId: role.id, permissionId: permission.id, accessLevel }],
    })
  return { appCode, leads, exports, contracts, clerk, manager, levelOf, change }
}

test.group('The matrix of the panel', () => {
  test('collects changes, shows them, and applies them together', async ({ client, assert }) => {
    const { appCode, leads, exports, clerk, manager, levelOf } = await aMatrix(client)
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await (await cellOf(page, 'leads', 'clerk')).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('v')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    assert.equal(await (await cellOf(page, 'leads', 'clerk')).innerText(), 'Edit')
    await page.getByRole('status').getByText('3 changes').waitFor()
    assert.equal(await levelOf(clerk, leads), 'view')

    await page.getByRole('button', { name: 'Review' }).click()
    await dialogOf(page).getByRole('listitem').nth(2).waitFor()
    await press(page, 'Apply')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.equal(await levelOf(clerk, leads), 'edit')
    assert.equal(await levelOf(manager, leads), 'view')
    assert.equal(await levelOf(manager, exports), 'allowed')
    assert.isFalse(await page.getByRole('button', { name: 'Review' }).isVisible())
  })

  test('leads from the review to who would gain and lose what', async ({ client, assert }) => {
    const { appCode, leads, clerk } = await aMatrix(client)
    const manage = manageApplication(client, appCode)
    const condition = 'context.onSite'
    await manage.rolePermissions(clerk.id, [
      { permissionId: leads.id, accessLevel: 'view', condition },
    ])
    const email = uniqueEmail('gains')
    await manage.userRoles(email, [clerk.id])
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await (await cellOf(page, 'contracts', 'clerk')).click()
    await (await cellOf(page, 'leads', 'clerk')).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await dialogOf(page).getByText(`Gain something: ${email}`).waitFor()
    assert.isEmpty(await violations(page))
    await dialogOf(page).getByRole('link', { name: 'See who gains and loses what' }).click()
    await whenShown(page, 'What if?')
    const rowOf = (permission: string) =>
      page.getByRole('row').filter({ hasText: email }).filter({ hasText: permission })
    await rowOf('contracts').getByText('Allowed').waitFor()
    assert.equal(await rowOf('leads').count(), 0, 'another level keeps the condition')

    await page.goBack()
    await dialogOf(page).getByRole('listitem').nth(1).waitFor()
  })

  test('names the first of many people who would gain and lose something', async ({
    client,
    assert,
  }) => {
    const { appCode, leads, clerk } = await aMatrix(client)
    const manage = manageApplication(client, appCode)
    await manage.rolePermissions(clerk.id, [{ permissionId: leads.id, accessLevel: 'view' }])
    const emails = Array.from({ length: 5 }, (_, n) => uniqueEmail(`p${n}`)).sort()
    for (const email of emails) await manage.userRoles(email, [clerk.id])
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await (await cellOf(page, 'leads', 'clerk')).click()
    await page.keyboard.press('n')
    await page.getByRole('button', { name: 'Review' }).click()
    const lost = `Lose something: ${emails.slice(0, 3).join(', ')} and 2 more`
    await dialogOf(page).getByText(lost).waitFor()
    assert.equal(await dialogOf(page).getByText('Gain something').count(), 0)
  })

  test('shows who would gain and lose what for up to 50 changes', async ({ client }) => {
    const { code: appCode } = await anApplication()
    const manage = manageApplication(client, appCode)
    for (let number = 0; number <= 50; number++) await manage.permission({ code: `p${number}` })
    await manage.role({ code: 'clerk' })
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await page.getByRole('columnheader', { name: 'clerk' }).click()
    await page.getByRole('menuitem', { name: 'Full access' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    const hint = dialogOf(page).getByText('For at most 50 changes')
    await hint.waitFor()
    await dialogOf(page).getByRole('listitem').first().getByRole('button').click()
    await hint.waitFor({ state: 'detached' })
    await dialogOf(page).getByRole('link', { name: 'See who gains and loses what' }).waitFor()
  })

  test('keeps a draft when the page is loaded again', async ({ client }) => {
    const { appCode } = await aMatrix(client)
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await (await cellOf(page, 'contracts', 'manager')).click()
    await page.reload()
    await whenLoaded(page)
    await (await cellOf(page, 'contracts', 'manager')).getByText('Allowed').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await (await cellOf(page, 'contracts', 'manager')).getByText('–').waitFor()
  })

  test('fills rows, columns and groups', async ({ client, assert }) => {
    const { appCode } = await aMatrix(client)
    const page = await openPanel(`/apps/${appCode}/matrix`)
    const group = await cellOf(page, 'Leads', 'manager')
    await group.click()
    assert.equal(await group.innerText(), '2/2')
    await page.keyboard.press('n')
    assert.equal(await group.innerText(), '0/2')
    await page.getByRole('columnheader', { name: 'clerk' }).click()
    await page.getByRole('menuitem', { name: 'Full access' }).click()
    assert.equal(await (await cellOf(page, 'Contracts', 'clerk')).innerText(), '1/1')
    await page.getByRole('rowheader', { name: 'leads', exact: true }).click()
    await page.getByRole('menuitem', { name: 'View, where' }).click()
    assert.equal(await (await cellOf(page, 'leads', 'clerk')).innerText(), 'View')
    assert.equal(await (await cellOf(page, 'leads', 'manager')).innerText(), 'View')
  })

  test("takes over someone else's changes of other cells", async ({ client, assert }) => {
    const { appCode, leads, contracts, clerk, manager, levelOf, change } = await aMatrix(client)
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await (await cellOf(page, 'contracts', 'manager')).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await change(clerk, leads, 'edit')
    expectProblem(page, /status of 412/)
    await press(page, 'Apply')
    await page.getByText('Someone else has changed the matrix').last().waitFor()
    await whenLoaded(page)
    await press(page, 'Apply')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.equal(await levelOf(clerk, leads), 'edit')
    assert.equal(await levelOf(manager, contracts), 'allowed')
  })

  for (const [choice, expected] of [
    ['Keep mine', null],
    ['Take theirs', 'edit'],
  ] as const) {
    test(`asks about what both have changed: ${choice}`, async ({ client, assert }) => {
      const { appCode, leads, contracts, clerk, levelOf, change } = await aMatrix(client)
      const page = await openPanel(`/apps/${appCode}/matrix`)
      await (await cellOf(page, 'leads', 'clerk')).focus()
      await page.keyboard.press('n')
      await (await cellOf(page, 'contracts', 'clerk')).click()
      await page.getByRole('button', { name: 'Review' }).click()
      await change(clerk, leads, 'edit')
      expectProblem(page, /status of 412/)
      await press(page, 'Apply')
      await dialogOf(page).getByText('You have both changed').waitFor()
      assert.equal(await levelOf(clerk, leads), 'edit')
      assert.isTrue(await dialogOf(page).getByRole('button', { name: 'Apply' }).isDisabled())
      await press(page, choice)
      await press(page, 'Apply')
      await dialogOf(page).waitFor({ state: 'hidden' })
      assert.equal(await levelOf(clerk, leads), expected)
      assert.equal(await levelOf(clerk, contracts), 'allowed')
    })
  }

  test('of a large application reaches every cell by keys', async ({ assert }) => {
    const { appCode } = await fullScene()
    const page = await openPanel(`/apps/${appCode}/matrix`)
    const grid = page.getByRole('grid')
    const focused = grid.locator(':focus')
    const rows = Number(await grid.getAttribute('aria-rowcount'))
    assert.isAbove(rows, 200)
    await grid.locator('[tabindex="0"]').focus()
    await page.keyboard.press('Control+End')
    await grid.locator(`[aria-rowindex="${rows}"] :focus`).waitFor()
    assert.isTrue(await focused.isVisible())
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+Home')
    await grid.locator('[aria-rowindex="2"] :focus').waitFor()
    // Scrolling away does not lose the place.
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 4_000)
    await grid.locator('[aria-rowindex="150"]').waitFor()
    await page.keyboard.press('ArrowDown')
    await grid.locator('[aria-rowindex="3"] :focus').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('compares two roles', async ({ client, assert }) => {
    const { appCode } = await aMatrix(client)
    const page = await openPanel(`/apps/${appCode}/matrix`)
    await page.getByRole('button', { name: 'Compare two roles' }).click()
    await page.getByRole('combobox', { name: 'First role' }).waitFor()
    // Only what differs between them.
    await page
      .getByRole('rowheader', { name: 'contracts', exact: true })
      .waitFor({ state: 'hidden' })
    assert.equal(await page.getByRole('rowheader', { name: 'leads', exact: true }).count(), 1)
    await page.getByRole('button', { name: 'Show all roles' }).click()
    await page.getByRole('rowheader', { name: 'contracts', exact: true }).waitFor()
  })
})
