import { test } from '@japa/runner'
import mailConfig from '#config/mail'
import Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import UserPool from '#app/platform/models/user_pool'
import { violations } from '#tests/helpers/accessibility'
import { storedLogin, storedSmtp } from '#tests/helpers/brand_mail'
import { eventually } from '#tests/helpers/eventually'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { ordinaryScene } from '#tests/helpers/panel_scenes'
import { uniqueCode } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { TestSmtpServer } from '#tests/world/smtp_server'

const saved = 'Saved'

test.group('Brands in the panel', () => {
  test('are created, and get their colours, which are shown at once', async ({ assert }) => {
    const slug = uniqueCode('brand')
    const page = await openPanel('/brands')
    await page.getByRole('button', { name: 'New brand' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Acme')
    await dialogOf(page).getByRole('textbox', { name: 'Slug' }).fill(slug)
    await press(page, 'Create')
    await whenShown(page, 'Acme')
    const swatch = page.locator('input[type=color]').first()
    assert.equal(await swatch.inputValue(), '#3b5bdb', 'the colour that its mails have now')
    const colour = page.getByRole('textbox', { name: 'Main colour', exact: true })
    await colour.fill('#fc1')
    assert.equal(await swatch.inputValue(), '#ffcc11')
    await colour.fill('#facc15')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('#9ca3af')
    await page.getByText('The text is hard to read on white: contrast 2.5').waitFor()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText(saved, { exact: true }).first().waitFor()
    const brand = await Brand.findByOrFail({ slug })
    assert.equal(brand.appearance?.primaryColor, '#facc15')

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm(page, 'Delete', slug)
    await whenShown(page, 'Brands')
    assert.isNull(await Brand.find(brand.id))
  })

  test('get a mail server and a key, and show the DNS records for both', async ({ assert }) => {
    const slug = uniqueCode('brand')
    const { id } = await Brand.create({ slug, name: 'Acme', isDefault: false })
    const page = await openPanel(`/brands/${id}`)
    await page.getByRole('textbox', { name: 'Sender address' }).fill('shop@acme.example')
    await page.getByRole('checkbox', { name: 'Own mail server' }).check()
    await page.getByRole('textbox', { name: 'Host' }).fill('smtp.acme.example')
    await page.getByRole('textbox', { name: 'User', exact: true }).fill('shop')
    await page.getByRole('textbox', { name: 'Password' }).fill('S3cret')
    await page.getByRole('checkbox', { name: 'Own DKIM signature' }).check()
    await page.getByRole('textbox', { name: 'Domain' }).fill('acme.example')
    await page.getByRole('textbox', { name: 'Selector' }).fill('mail2026')
    await page.getByRole('button', { name: 'Generate a new key' }).click()
    const key = page.getByRole('textbox', { name: 'Private key' })
    await key.and(page.locator(':not(:placeholder-shown)')).waitFor()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('mail2026._domainkey.acme.example').waitFor()
    await page.getByText(/^v=DKIM1; k=rsa; p=/).waitFor()
    await page.getByText('v=spf1 a:smtp.acme.example ~all', { exact: true }).waitFor()
    await page.getByText('_dmarc.acme.example', { exact: true }).waitFor()
    await page.getByText('v=DMARC1; p=none; rua=mailto:postmaster@acme.example').waitFor()
    assert.isEmpty(await violations(page))
    const stored = await Brand.findOrFail(id)
    assert.equal(stored.smtp?.host, 'smtp.acme.example')
    assert.isNotNull(stored.smtp?.password)
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), '')
    assert.equal(await key.inputValue(), '')
    assert.isTrue(await page.getByRole('button', { name: 'Save' }).last().isDisabled())

    // The other form of the page does not mistake this for someone else's change.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme and friends')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await whenShown(page, 'Acme and friends')
    assert.isNotNull((await Brand.findOrFail(id)).dkim?.privateKey)
  })

  test('say whose SPF record counts if they send through the platform', async ({
    assert,
    cleanup,
  }) => {
    const emailFrom = 'shop@acme.example'
    const { id } = await Brand.create({
      slug: uniqueCode(),
      name: 'A',
      isDefault: false,
      emailFrom,
    })
    const page = await openPanel(`/brands/${id}`)
    await page.getByText('The SPF record of acme.example must allow it').waitFor()
    await page.getByText('_dmarc.acme.example', { exact: true }).waitFor()
    assert.isEmpty(await violations(page))

    cleanup(() => {
      mailConfig.spf = null
      mailConfig.bounceAddress = null
    })
    mailConfig.spf = 'include:spf.mail.example'
    await page.reload()
    await page.getByText('v=spf1 include:spf.mail.example ~all', { exact: true }).waitFor()
    mailConfig.bounceAddress = { local: 'bounces', domain: 'platform.example' }
    await page.reload()
    await page.getByText('receivers look at platform.example, not at acme.example').waitFor()
    await page.getByText('platform.example', { exact: true }).waitFor()
    assert.isEmpty(await violations(page))
  })

  test('send a test mail, and say in plain words why it failed', async ({ assert, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const smtp = storedLogin(server.port, 'S3cret')
    const slug = uniqueCode('brand')
    const { id } = await Brand.create({ slug, name: 'Acme', isDefault: false, smtp })
    const page = await openPanel(`/brands/${id}`)
    const send = page.getByRole('button', { name: 'Send a test' })
    await send.click()
    await page.getByText('The mail server accepted the mail').waitFor()
    await page.getByText('Of the brand', { exact: true }).waitFor()
    assert.lengthOf(server.mailsTo(SUPER_ADMIN), 1)
    assert.isEmpty(await violations(page))

    server.react = (stage) => (stage === 'AUTH' ? 535 : undefined)
    server.refusal = 'S3cret is wrong'
    await send.click()
    await page.getByText('The server refused the user or the password').waitFor()
    await page.getByText('535 the server refused the account').waitFor()
    assert.notInclude(await page.content(), 'S3cret')
    assert.isEmpty(await violations(page))

    // It was about other settings.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme and friends')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('The server refused the user').waitFor({ state: 'detached' })
  })

  test('send one test at a time', async ({ assert, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<undefined>()
    server.react = () => mayGoOn
    const smtp = storedSmtp(server.port)
    const { id } = await Brand.create({ slug: uniqueCode(), name: 'Acme', isDefault: false, smtp })
    const [page, other] = [await openPanel(`/brands/${id}`), await openPanel(`/brands/${id}`)]
    const send = page.getByRole('button', { name: 'Send a test' })
    await send.click()
    await eventually('it is being sent', () => server.connections === 1)
    assert.isTrue(await send.isDisabled())
    expectProblem(other, /status of 409/)
    await other.getByRole('button', { name: 'Send a test' }).click()
    await other.getByText('The same operation is already in progress').first().waitFor()
    goOn(undefined)
    await page.getByText('The mail server accepted the mail').waitFor()
  })

  test('are read-only for those who may only look', async ({ client, assert }) => {
    const { appCode, brandId } = await ordinaryScene()
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/brands/${brandId}`, { as })
    assert.isTrue(
      await page.getByRole('textbox', { name: 'Main colour', exact: true }).isDisabled()
    )
    assert.isTrue(await page.getByRole('textbox', { name: 'Sender address' }).isDisabled())
    assert.equal(await page.getByRole('button', { name: /Save|Delete|Send/ }).count(), 0)
  })
})

test.group('Languages in the panel', () => {
  test('are created with a fallback, changed and deleted', async ({ assert }) => {
    const page = await openPanel('/languages?new=1')
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Code' }).fill('hsb')
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Hornjoserbšćina')
    await sheet.getByRole('combobox', { name: 'Falls back to' }).selectOption('cs')
    await press(page, 'Create')
    const row = page.getByRole('row').filter({ hasText: 'Hornjoserbšćina' })
    await row.getByText('cs', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Edit Hornjoserbšćina' }).click()
    await dialogOf(page).getByRole('checkbox', { name: 'People can choose it' }).uncheck()
    await press(page, 'Save')
    await row.getByText('Not offered').waitFor()
    const { enabled, fallback } = await Language.findByOrFail({ code: 'hsb' })
    assert.isFalse(Boolean(enabled))
    assert.equal(fallback, 'cs')
    await row.getByRole('button', { name: 'Delete Hornjoserbšćina' }).click()
    await confirm(page, 'Delete')
    await row.waitFor({ state: 'detached' })
    assert.isNull(await Language.findBy({ code: 'hsb' }))
  })

  test('show what is written, of an application', async ({ assert }) => {
    const { appCode, type } = await ordinaryScene()
    const page = await openPanel(`/languages?app=${appCode}`)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: type }) })
    await row.getByText('en 1/1').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Application' }).inputValue(), appCode)
  })
})

test.group('User pools in the panel', () => {
  test('are created, changed and deleted', async ({ assert }) => {
    const slug = uniqueCode('pool')
    const { brandId } = await ordinaryScene()
    const page = await openPanel('/user-pools?new=1')
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Name' }).fill(`Pool ${slug}`)
    await sheet.getByRole('textbox', { name: 'Slug' }).fill(slug)
    await sheet.getByRole('combobox', { name: 'Brand' }).selectOption(brandId)
    await sheet.getByRole('textbox', { name: 'Organisations' }).fill(`${slug}-1\n${slug}-2`)
    await press(page, 'Create')
    const row = page.getByRole('row').filter({ hasText: slug })
    await row.getByText(`${slug}-2`).waitFor()
    const pool = await UserPool.findByOrFail({ slug })
    assert.equal(String(pool.brandId), brandId)
    await row.getByRole('button', { name: /^Edit/ }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Organisations' }).fill(`${slug}-1`)
    await press(page, 'Save')
    await row.getByText(`${slug}-2`).waitFor({ state: 'detached' })
    await row.getByRole('button', { name: /^Delete/ }).click()
    await confirm(page, 'Delete')
    await row.waitFor({ state: 'detached' })
    assert.isNull(await UserPool.find(pool.id))
  })
})
