import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import { openPanel, whenLoaded } from '#tests/helpers/open_panel'
import { panelPerson } from '#tests/helpers/panel_people'
import { ordinaryScene } from '#tests/helpers/panel_scenes'
import { cellOf } from '#tests/helpers/panel_parts'
import { inPath } from '#tests/helpers/management'

/** What a button or link says that leads to a change. */
const CHANGES =
  /^(New|Add|Allow|Apply|Approve|Assign|Bind|Change|Create|Deactivate|Delete|Discard|Edit|Erase|Give|Import|Like another|Reactivate|Release|Remove|Review|Revoke|Save|Switch|Synchronise)\b/

/** Names of what the page offers to change, though it is someone who may only see it. */
async function offersOf(page: Page) {
  const names = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main button:enabled, main a[href]')].map((one) =>
      (one.ariaLabel ?? one.textContent).trim()
    )`
  )
  return names.filter((name) => CHANGES.test(name))
}

/** Addresses below the application that its pages lead to, in the navigation and in tabs. */
async function linksOf(page: Page, base: string) {
  const links = await page.evaluate<string[]>(
    `[...document.querySelectorAll('nav a[href]')].map(({ pathname }) => pathname)`
  )
  return links.filter((path) => path.startsWith(base))
}

/** Every test also fails if the service refuses anything that the page asks for. */
test.group('Someone with the level view', () => {
  const aViewer = async (client: ApiClient) => {
    const scene = await ordinaryScene()
    return { ...scene, as: await panelPerson(client, { [scene.appCode]: 'view' }) }
  }

  test('sees all screens of the application, and is offered no change', async ({
    client,
    assert,
  }) => {
    const { as, appCode } = await aViewer(client)
    const base = `/panel/apps/${appCode}`
    const page = await openPanel(`/apps/${appCode}`, { as })
    const waiting = [base]
    const seen = new Set<string>()
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      await page.goto(path)
      await whenLoaded(page)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      assert.deepEqual(await offersOf(page), [], path)
      assert.equal(await page.locator('main [role=alert]').count(), 0, path)
      waiting.push(...(await linksOf(page, base)))
    }
    assert.isAbove(seen.size, 10)
    assert.isFalse(seen.has(`${base}/keys`))
  })

  test('sees a role, a permission and a person, and is offered no change', async ({
    client,
    assert,
  }) => {
    const { as, appCode, roleId, permissionId, type, templateId, broadcastId, email } =
      await aViewer(client)
    for (const path of [
      `/apps/${appCode}/broadcasts/${broadcastId}`,
      `/apps/${appCode}/roles/${roleId}`,
      `/apps/${appCode}/permissions/${permissionId}`,
      `/apps/${appCode}/types/${type}/templates/${templateId}`,
      `/people/${inPath(email)}`,
      `/people/${inPath(email)}/access?app=${appCode}`,
    ]) {
      const page = await openPanel(path, { as })
      assert.deepEqual(await offersOf(page), [], path)
    }
  })

  test('is not shown a form by its address', async ({ client, assert }) => {
    const { as, appCode, roleId, permissionId, type, templateId, email } = await aViewer(client)
    const page = await openPanel('/', { as })
    for (const path of [
      '/apps?new=1',
      '/brands?new=1',
      '/languages?new=1',
      '/languages?edit=en',
      '/user-pools?new=1',
      `/apps/${appCode}/roles?new=1`,
      `/apps/${appCode}/roles/${roleId}?edit=1`,
      `/apps/${appCode}/roles/${roleId}?delete=1`,
      `/apps/${appCode}/roles/${roleId}?assign=1`,
      `/apps/${appCode}/permissions?new=1`,
      `/apps/${appCode}/permissions/${permissionId}?edit=1`,
      `/apps/${appCode}/matrix?review=1`,
      `/apps/${appCode}/people?assign=1`,
      `/apps/${appCode}/people?import=1`,
      `/apps/${appCode}/overrides?edit=1`,
      `/apps/${appCode}/administrators?add=1`,
      `/apps/${appCode}/types?new=1`,
      `/apps/${appCode}/types/${type}?delete=1`,
      `/apps/${appCode}/types/${type}?template=1`,
      `/apps/${appCode}/types/${type}/templates/${templateId}?edit=1`,
      `/apps/${appCode}/types/${type}/templates/${templateId}?delete=1`,
      `/people/${inPath(email)}?assign=1`,
      `/people/${inPath(email)}?copy=1`,
    ]) {
      await page.goto(`/panel${path}`)
      await whenLoaded(page)
      assert.equal(await page.getByRole('dialog').count(), 0, path)
    }
  })

  test('can read the matrix, and keys change nothing', async ({ client, assert }) => {
    const { as, appCode } = await aViewer(client)
    const page = await openPanel(`/apps/${appCode}/matrix`, { as })
    assert.equal(await page.getByRole('grid').getAttribute('aria-readonly'), 'true')
    const cell = await cellOf(page, 'permission.2', 'role-1')
    const before = await cell.innerText()
    await cell.click()
    await page.keyboard.press('Space')
    await page.keyboard.press('n')
    assert.equal(await cell.innerText(), before)
    assert.isFalse(await page.getByRole('button', { name: 'Review' }).isVisible())
  })

  test('can ask why, and is offered no change', async ({ client, assert }) => {
    const { as, appCode, email } = await aViewer(client)
    const query = new URLSearchParams({ email, permission: 'permission.5' })
    const page = await openPanel(`/apps/${appCode}/why?${query}`, { as })
    await page.getByRole('heading', { name: /^(Yes|No)/ }).waitFor()
    assert.deepEqual(await offersOf(page), [])
  })
})

test.group('Someone with the level view on everything', () => {
  test('sees applications and people, and is offered no change of them', async ({
    client,
    assert,
  }) => {
    const { email } = await ordinaryScene()
    const as = await panelPerson(client, {}, { globally: 'view' })
    const parts = ['', '/access', '/logins', '/messages']
    const person = parts.map((part) => `/people/${inPath(email)}${part}`)
    for (const path of ['/', '/apps', '/brands', '/languages', '/user-pools', ...person]) {
      const page = await openPanel(path, { as })
      assert.deepEqual(await offersOf(page), [], path)
      assert.equal(await page.locator('main [role=alert]').count(), 0, path)
    }
  })
})
