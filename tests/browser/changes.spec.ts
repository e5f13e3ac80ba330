import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import { violations } from '#tests/helpers/accessibility'
import { sealAll } from '#tests/helpers/audit_chain'
import { inPath, manageApplication } from '#tests/helpers/management'
import { type Visit, openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

/** The row of the list that has all of these texts. */
const rowOf = (page: Page, ...texts: string[]) =>
  texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('row'))

/** What the open sheet says about a field. */
const fieldOf = (page: Page, name: string) =>
  dialogOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })

/** Someone whose role in an application was replaced by another one. */
async function aChangedPerson(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const clerk = await manage.role({ code: 'clerk', name: 'Clerk' })
  const manager = await manage.role({ code: 'manager', name: 'Manager' })
  const email = uniqueEmail('changed')
  await manage.userRoles(email, [clerk.id])
  await manage.userRoles(email, [manager.id])
  return { code, clerk, email }
}

/** By how many pixels the parts of the open sheet that scroll are too wide. */
const SIDEWAYS = `[...document.querySelectorAll('[role=dialog] *')]
  .filter((element) => getComputedStyle(element).overflowX === 'auto')
  .map((element) => element.scrollWidth - element.clientWidth)`

test.group('Changes in the panel', () => {
  test('are listed with who made them, and open with what they changed', async ({ assert }) => {
    const application = await anApplication()
    const as = await anAdministratorOf(application)
    const page = await openPanel(`/apps/${application.code}/roles?new=1`, { as })
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).fill('clerk')
    await press(page, 'Create')
    await whenShown(page, 'clerk')
    await page.getByRole('link', { name: 'Changes' }).first().click()
    await whenShown(page, 'Changes')
    const row = rowOf(page, 'Role created', as)
    await row.getByRole('button', { name: 'Role created' }).click()
    await dialogOf(page).getByRole('heading', { name: 'Role created' }).waitFor()
    await fieldOf(page, 'code').getByText('Added').waitFor()
    await fieldOf(page, 'code').getByText('clerk', { exact: true }).waitFor()
    assert.equal(await dialogOf(page).getByText('Request id').count(), 1)
    assert.equal(await dialogOf(page).getByText('Place in the chain', { exact: true }).count(), 0)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await row.getByRole('link', { name: 'clerk' }).click()
    await whenShown(page, 'clerk')
  })

  test('about a user are on their page, with what they lost and were given', async ({ client }) => {
    const { code, email } = await aChangedPerson(client)
    const page = await openPanel(`/people/${inPath(email)}`)
    await page.getByRole('link', { name: 'Changes', exact: true }).last().click()
    const changes = page.getByRole('button', { name: 'Roles of a person changed' })
    await changes.nth(1).waitFor()
    await rowOf(page, code).first().waitFor()
    await changes.first().click()
    await fieldOf(page, 'clerk').getByText('Removed').waitFor()
    await fieldOf(page, 'manager').getByText('Added').waitFor()
  })

  test('show a field before and after, and why it changed', async ({ client }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role({ name: 'Clerk' })
    const page = await openPanel(`/apps/${code}/changes`)
    await page.evaluate(
      `fetch('/api/applications/${code}/roles/${role.id}', {
        method: 'PUT',
        headers: {
          'x-concierge-panel': '1', 'content-type': 'application/json', 'x-audit-reason': 'T-42',
        },
        body: '{"name":"Seller"}',
      })`
    )
    await page.reload()
    await whenLoaded(page)
    await rowOf(page, 'Role changed', 'T-42').getByRole('button', { name: 'Role changed' }).click()
    const name = fieldOf(page, 'name')
    await name.getByText('Changed', { exact: true }).waitFor()
    await name.getByText('Clerk', { exact: true }).waitFor()
    await name.getByText('Seller', { exact: true }).waitFor()
  })

  test('are narrowed by kind, person and time, which the address keeps', async ({
    client,
    assert,
  }) => {
    const { code } = await aChangedPerson(client)
    const page = await openPanel(`/apps/${code}/changes`)
    await rowOf(page, 'Role created').first().waitFor()
    await page
      .getByRole('combobox', { name: 'Kind of change' })
      .selectOption('Roles of a person changed')
    await rowOf(page, 'Role created').first().waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Changed by' }).fill('nobody@nowhere.example')
    await page.getByText('No change matches.').waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('action'), 'user.roles_replaced')
    assert.equal(searchParams.get('actor'), 'nobody@nowhere.example')
    await page.reload()
    await whenLoaded(page)
    await page.getByText('No change matches.').waitFor()
    await page.getByRole('link', { name: 'Clear' }).click()
    await rowOf(page, 'Role created').first().waitFor()
    const actors = page.getByRole('combobox', { name: 'People or programs' })
    await actors.selectOption('Command')
    await page.getByText('No change matches.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('actorKind'), 'command')
    await actors.selectOption('People')
    await rowOf(page, 'Role created').first().waitFor()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No change matches.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('to'), '2020-01-01')
  })

  test('are exported, and written as a command, with the same filters', async ({
    client,
    assert,
  }) => {
    const { code } = await aChangedPerson(client)
    const page = await openPanel(
      `/apps/${code}/changes?action=role.created&actorKind=user&from=2030-01-01`
    )
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as concierge' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(
      await page.evaluate<string>('navigator.clipboard.readText()'),
      `concierge audit list ${code} --actor-kind user --action role.created --from 2029-12-31T23:00:00.000Z`
    )
    await page.goto(`/panel/apps/${code}/changes?action=role.created`)
    await whenLoaded(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    assert.lengthOf(lines, 3)
    assert.match(lines[0], /^\uFEFF?id,at,actorKind/)
    assert.include(lines[1], 'role.created')
  })

  test('are exported whole, however few of a page match', async ({ client, assert }) => {
    const { code } = await aChangedPerson(client)
    const page = await openPanel(`/apps/${code}/changes`)
    // As of a trail with so many entries that each page finds one of those it searches.
    const pages = 60
    await page.route(/\/api\/admin\/audit\?.*limit=200/, (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 1)
      const next = `</api/admin/audit?cursor=${number + 1}>; rel="next"`
      return route.fulfill({
        headers: { 'content-type': 'text/csv', ...(number < pages && { link: next }) },
        body: `id,reason\n${number},"two\nlines"\n`,
      })
    })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    assert.lengthOf(text.match(/^\d+,/gm)!, pages)
    assert.lengthOf(text.match(/id,reason/g)!, 1)
    assert.equal(await page.getByText('Only the newest').count(), 0)
  })

  test('of other applications are hidden from those who cannot see them', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await aChangedPerson(client), await aChangedPerson(client)]
    const page = await openPanel('/changes', {
      as: await panelPerson(client, { [mine.code]: 'view' }),
    })
    await rowOf(page, mine.code).first().waitFor()
    assert.equal(await page.getByText(other.code).count(), 0)
  })

  test('of someone who was erased say so', async ({ client }) => {
    const { code, email } = await aChangedPerson(client)
    await sealAll()
    await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    const page = await openPanel(`/apps/${code}/changes`)
    await page.getByText(email).first().waitFor({ state: 'detached' })
    const row = rowOf(page, 'Roles of a person changed', 'Redacted', SUPER_ADMIN).first()
    await row.getByRole('button').click()
    await dialogOf(page).getByText('A person named in this entry was erased later').waitFor()
    await dialogOf(page).getByText('Place in the chain', { exact: true }).waitFor()
  })

  test('can be verified later with the command that the panel shows', async ({
    assert,
    client,
  }) => {
    await aChangedPerson(client)
    await sealAll()
    const page = await openPanel('/changes')
    await page.getByRole('button', { name: 'Verify' }).click()
    const command = await dialogOf(page).getByText('audit:verify').textContent()
    const [, head] = /^node bin\/console\.js audit:verify --from-head=(\d+:[0-9a-f]{64})$/.exec(
      command!
    )!
    const { data } = (await superAdmin(client).get('/api/admin/audit/head')).body()
    assert.equal(head, `${data.sequence}:${data.hash}`)
    assert.deepEqual(await violations(page), [])

    const application = await anApplication()
    const as = await anAdministratorOf(application)
    const other = await openPanel('/changes', { as })
    await whenLoaded(other)
    assert.equal(await other.getByRole('button', { name: 'Verify' }).count(), 0)
  })

  const looks: [string, Visit][] = [
    ['a phone, light, English', { width: 375, theme: 'light', language: 'en' }],
    ['a tablet, dark, Czech', { width: 768, theme: 'dark', language: 'cs' }],
  ]
  for (const [title, visit] of looks) {
    test(`open accessibly on ${title}`, async ({ client, assert }) => {
      const { code } = await aChangedPerson(client)
      const page = await openPanel(`/apps/${code}/changes`, visit)
      await page.getByRole('table').getByRole('button').first().click()
      await dialogOf(page).getByRole('listitem').first().waitFor()
      assert.deepEqual(await violations(page), [])
      const overflow = await page.evaluate<number[]>(SIDEWAYS)
      assert.isNotEmpty(overflow)
      assert.isTrue(overflow.every((pixels) => pixels <= 0))
    })
  }
})
