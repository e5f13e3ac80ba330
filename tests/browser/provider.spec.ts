import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import Instance from '#app/applications/models/instance'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'
import Brand from '#app/platform/models/brand'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_ORGANISATION } from '#development/identity_provider/main'
import { violations } from '#tests/helpers/accessibility'
import { deleteStoredProvider } from '#tests/helpers/notification_provider'
import { newBrowser, openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { confirm, confirmationOf, dialogOf, press } from '#tests/helpers/panel_parts'
import { type PanelWorld, SERVICE_ACCOUNT_TOKEN, startPanelWorld } from '#tests/helpers/panel_world'
import { anAdministratorOf, anApplication, uniqueCode } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { aPerson, userRecordOf } from '#tests/helpers/reconciliation'
import { expectProblem } from '#tests/helpers/watch_pages'
import type { IdentityApi } from '#tests/world/identity_api'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const [ada] = DEVELOPMENT_ACCOUNTS
const MARKUP = `<img src=x onerror="globalThis.wasRun = true">`

test.group('The identity provider in the panel', (group) => {
  let api: IdentityApi
  let service: RunningService

  group.setup(async () => {
    const started = await startProviderService()
    ;({ api, service } = started)
    return async () => {
      await started.stop()
      await deleteStoredProvider()
    }
  })
  group.each.setup(async () => {
    await deleteStoredProvider()
    api.state.emailProviders.clear()
    api.denied.clear()
    api.fault()
  })

  const open = (path: string) => openPanel(path, { origins: [service.url] })
  const stepOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

  test('has a status that says of each step what to do', async () => {
    api.denied.add('policy.read')
    const page = await open('/')
    await page.getByRole('link', { name: 'does not send its mails through Concierge' }).click()
    await whenShown(page, 'System mails')
    await page.getByRole('link', { name: 'Identity provider', exact: true }).click()
    await whenShown(page, 'Identity provider')
    await stepOf(page, 'The provider responds').getByText('Done').waitFor()
    const permissions = stepOf(page, 'has all permissions')
    await permissions.getByText('policy.read').waitFor()
    await permissions.getByText('Give the machine user the role IAM_OWNER').waitFor()
    await stepOf(page, 'registered as its e-mail provider').getByText('To do').waitFor()
    await stepOf(page, 'sends its mails').getByText('Needs the steps above').waitFor()
    await page.getByText('4 of 8 steps are done.').waitFor()
  })

  test('says what the settings lack', async () => {
    const page = await openPanel('/provider')
    const account = stepOf(page, 'A service account is configured')
    await account.getByText('Set IDP_SERVICE_ACCOUNT_TOKEN to its token').waitFor()
    await page.getByRole('link', { name: 'System mails' }).click()
    await whenShown(page, 'System mails')
    await page.getByText('Concierge needs a service account').waitFor()
  })

  test('says that it refuses the service account', async () => {
    api.refusal = { status: 401, code: 16, message: 'Errors.Token.Invalid' }
    const page = await openPanel('/sessions', { origins: [service.url] })
    expectProblem(page, /status of 409/)
    await page.goto('/panel/provider')
    await whenLoaded(page)
    api.refusal = undefined
    await stepOf(page, 'accepts the service account').getByText('may have expired').waitFor()
  })

  test('is set up after a preview, and gets another key', async ({ assert }) => {
    api.state.emailProviders.set('400000000000000001', {
      id: '400000000000000001',
      isActive: true,
      description: 'SMTP',
      smtp: { host: 'smtp.example' },
    })
    const page = await open('/provider/setup')
    await stepOf(page, 'Add an e-mail provider').waitFor()
    await stepOf(page, 'Deactivate the one that is active now')
      .getByText('400000000000000001')
      .waitFor()
    await page.getByRole('button', { name: 'Set up' }).click()
    const question = confirmationOf(page)
    await question.getByText('Change the identity provider?').waitFor()
    await question.getByText('Add an e-mail provider').waitFor()
    await question.getByText('Deactivate the one that is active now').waitFor()
    assert.isEmpty(await violations(page))
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.lengthOf(api.emailProviders, 1)
    await page.getByRole('button', { name: 'Set up' }).click()
    await confirm(page, 'Set up')
    await page.getByText('Everything is set up').waitFor()
    await whenLoaded(page)
    await page.getByText('Nothing would change.').waitFor()
    const [own] = api.emailProviders.filter(({ http }) => http)
    assert.isTrue(own.isActive)

    const { signingKey } = own.http!
    await page.getByRole('checkbox', { name: 'Replace the signing key' }).check()
    await stepOf(page, 'Replace the signing key').getByText(own.id).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await confirm(page, 'Apply')
    await page.getByText('Nothing would change.').waitFor()
    assert.notEqual(own.http!.signingKey, signingKey)
    const content = await page.content()
    assert.notInclude(content, signingKey!)
    assert.notInclude(content, own.http!.signingKey!)
  })

  test('keeps what it has if a setup fails, and says why', async ({ assert }) => {
    const page = await open('/provider/setup')
    await stepOf(page, 'Add an e-mail provider').waitFor()
    api.denied.add('iam.write')
    expectProblem(page, /status of 409/)
    await page.getByRole('button', { name: 'Set up' }).click()
    await confirm(page, 'Set up')
    await page.getByText('lacks the permission iam.write').first().waitFor()
    await stepOf(page, 'Add an e-mail provider').waitFor()
    assert.isEmpty(api.emailProviders)
  })

  test('has organisations, whose sign-in is shown while it is edited', async ({ assert }) => {
    const code = uniqueCode('org')
    const name = `${MARKUP} ${code}`
    const domain = `${uniqueCode('contoso')}.example`
    const page = await open('/provider/organisations')
    await page.getByRole('button', { name: 'New organisation' }).first().click()
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill(name)
    await dialogOf(page).getByRole('textbox', { name: 'Domain' }).fill(domain)
    await press(page, 'Create')
    await whenShown(page, name)
    await page.getByText('no branding of its own yet').waitFor()
    await page.getByText('None: mails to its people are refused.').waitFor()
    const colour = page.getByRole('textbox', { name: 'Main colour', exact: true })
    await colour.fill('yellow')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('These characters are not allowed here.').waitFor()
    assert.equal(await colour.getAttribute('aria-invalid'), 'true')
    await colour.fill('#FACC15')
    await page.getByText('White text on the buttons is hard to read: contrast 1.5').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The branding is active now').first().waitFor()
    const [{ id }] = [...api.state.organisations.values()].filter((one) => one.name === name)
    assert.equal(api.state.policies.get(id)!.active!.primaryColor, '#facc15')
    assert.isUndefined(await page.evaluate('globalThis.wasRun'))

    await page.getByRole('link', { name: 'Organisations' }).first().click()
    await whenShown(page, 'Organisations')
    await page.getByRole('searchbox').fill(code)
    await page.getByText('1 organisation', { exact: true }).waitFor()
    assert.include(page.url(), `search=${code}`)
  })

  test('lets the people of an organisation sign in to an application', async ({ assert }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const application = await anApplication()
    const page = await open(`/provider/organisations/${id}?application=1`)
    await dialogOf(page).getByRole('combobox', { name: 'Application' }).fill(application.code)
    await page.getByRole('option', { name: application.code }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Project' }).fill('Shop')
    await dialogOf(page).getByRole('textbox', { name: 'Client' }).fill('web')
    await dialogOf(page)
      .getByRole('textbox', { name: 'Callback URLs' })
      .fill('https://shop.example/callback')
    await press(page, 'Set up')
    await page.getByText('to IDP_AUDIENCE').first().waitFor()
    await page.getByRole('cell', { name: 'Shop / web' }).waitFor()
    const [project] = [...api.state.projects.values()].filter(({ orgId }) => orgId === id)
    assert.deepEqual(project.clients[0].config.redirectUris, ['https://shop.example/callback'])
  })

  test('has clients, whose callback URLs are compared with those of instances', async ({
    assert,
  }) => {
    const { id } = api.addOrganisation({ name: uniqueCode('org') })
    const application = await anApplication()
    const page = await open(`/provider/organisations/${id}?application=1`)
    await dialogOf(page).getByRole('combobox', { name: 'Application' }).fill(application.code)
    await page.getByRole('option', { name: application.code }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Project' }).fill('Shop')
    await dialogOf(page).getByRole('textbox', { name: 'Client' }).fill('web')
    const url = 'https://shop.example/setup'
    await dialogOf(page).getByRole('textbox', { name: 'Callback URLs' }).fill(url)
    await press(page, 'Set up')
    await page.getByText('to IDP_AUDIENCE').first().waitFor()

    const baseUrl = 'https://shop.example'
    const callbackUrls = [`${baseUrl}/callback`]
    const fields = { applicationId: application.id, name: 'Production', baseUrl, callbackUrls }
    await Instance.create({ ...fields, postLogoutUrls: [], approved: true })
    await page.goto(`/panel/apps/${application.code}/instances`)
    await whenShown(page, 'Instances')
    await page.getByText('A synchronisation adds:').waitFor()
    assert.equal(await page.getByText('Not synchronised', { exact: true }).count(), 2)
    assert.isEmpty(await violations(page))

    api.denied.add('project.app.write')
    expectProblem(page, /status of 409/)
    await page.getByRole('button', { name: 'Synchronise now' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Not synchronised:' })
    await alert.getByText('project.app.write').waitFor()
    api.denied.clear()
    await page.getByRole('button', { name: 'Synchronise now' }).click()
    await page.getByText('1 callback URL is at the provider now').last().waitFor()
    await page.getByText('In sync', { exact: true }).nth(1).waitFor()
    const [project] = [...api.state.projects.values()].filter(({ orgId }) => orgId === id)
    assert.deepEqual(project.clients[0].config.redirectUris, [url, ...callbackUrls])

    api.denied.add('project.app.read')
    await page.reload()
    await page.getByText('lacks the permission project.app.read').waitFor()
    assert.equal(await page.getByText('Failed', { exact: true }).count(), 2)
    assert.isEmpty(await violations(page))
  })

  test('has reconciliations, which can be started and watched', async ({ assert }) => {
    await ReconciliationRecord.query().delete()
    const orgId = uniqueId()
    const { email } = await aPerson(api, { userId: uniqueId(), orgId, state: 'INACTIVE' })
    const page = await open('/provider/reconciliations')
    await page.getByText('There was no reconciliation in the last 90 days.').waitFor()
    for (const isReal of [false, true]) {
      await page.getByRole('button', { name: 'New reconciliation' }).first().click()
      const dryRun = dialogOf(page).getByRole('checkbox', { name: 'Dry run' })
      assert.isTrue(await dryRun.isChecked())
      if (isReal) await dryRun.uncheck()
      await dialogOf(page).getByRole('textbox', { name: 'Organisation' }).fill(orgId)
      await press(page, 'Start')
      // The newest run is the first one; the header is a row, too.
      await page
        .getByRole('row')
        .nth(isReal ? 2 : 1)
        .waitFor()
      const row = page.getByRole('row').nth(1)
      await row.getByText('Done').waitFor()
      await row.getByText('1 deactivated').waitFor()
      assert.equal(await row.getByText('Dry run').count(), isReal ? 0 : 1)
      assert.equal((await userRecordOf(email)).active, !isReal)
    }
    await page.getByRole('link', { name: 'Changes of that day' }).click()
    await whenShown(page, 'Changes')
    await page.getByText(email).first().waitFor()
    await ReconciliationRecord.query().delete()
  })

  test('is for super admins', async ({ assert }) => {
    const as = await anAdministratorOf(await anApplication())
    const page = await openPanel('/sessions', { as })
    assert.equal(await page.getByRole('link', { name: 'Identity provider' }).count(), 0)
    expectProblem(page, /status of 403/)
    await page.goto('/panel/provider')
    await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  })
})

test.group('The guide to the identity provider', (group) => {
  let world: PanelWorld
  let smtp: TestSmtpServer

  group.setup(async () => {
    smtp = await new TestSmtpServer().start()
    await deleteStoredProvider()
    world = await startPanelWorld({
      SUPER_ADMINS: `${SUPER_ADMIN},${ada.email}`,
      IDP_SERVICE_ACCOUNT_TOKEN: SERVICE_ACCOUNT_TOKEN,
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
    })
    return async () => {
      await world.end()
      await smtp.stop()
      await deleteStoredProvider()
    }
  })

  test('ends in a mail and a sign-in', async ({ assert }) => {
    const idpOrgId = DEVELOPMENT_ORGANISATION.id
    await Brand.query().where({ idpOrgId }).update({ idpOrgId: null })
    await Brand.create({ slug: uniqueCode('brand'), name: 'Acme', isDefault: false, idpOrgId })
    const context = await newBrowser({ as: null, origins: [world.url, world.provider.issuer] })
    const page = await context.newPage()
    await page.goto('/panel/provider/guide')
    await page.getByRole('button', { name: ada.displayName }).click()
    await whenShown(page, 'Guide')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Set up' }).click()
    await confirm(page, 'Set up')
    await page.getByText('Nothing would change.').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Has a brand').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('button', { name: `Send a test mail to ${ada.email}` }).click()
    await page.getByText(`It works. Check the mailbox of ${ada.email}.`).waitFor()
    assert.isTrue(smtp.mailsTo(ada.email).length > 0)

    await page.getByRole('link', { name: 'Next' }).click()
    assert.match(page.url(), /\/guide\/sign-in$/)
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in, in another window' }).click(),
    ])
    await other.getByRole('button', { name: ada.displayName }).click()
    await other.getByText('It works: you were signed in.').waitFor()
    await page.getByText('It works: you were signed in.').waitFor()
    assert.notMatch(other.url(), /code=|token|state=/)

    // The address of a test says its outcome, which anyone can write into a link.
    await other.reload()
    await whenLoaded(other)
    assert.equal(await other.getByText('It works').count(), 0)
    const guess = '0'.repeat(32)
    for (const link of ['outcome=works', `outcome=client_refused&test=${guess}`]) {
      await other.goto(`/panel/provider/guide/sign-in?${link}`)
      await whenLoaded(other)
      assert.equal(await other.getByRole('status').count(), 0)
      await page.getByText('It works: you were signed in.').waitFor()
    }

    const again = page.getByRole('link', { name: 'Try again, in another window' })
    const href = await again.getAttribute('href')
    const nonce = href!.split('=')[1]
    await other.goto(`/panel/provider/guide/sign-in?outcome=client_refused&test=${nonce}`)
    await page.getByText('Compare PANEL_CLIENT_ID').waitFor()
    await other.getByText('Compare PANEL_CLIENT_ID').waitFor()
    assert.notMatch(other.url(), /outcome|test=/)
  })
})
