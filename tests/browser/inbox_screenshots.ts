import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { projectPath } from '#core/process/root'
import { aNotification } from '#tests/helpers/inbox'
import { Shop, type ShopVisit, itemsOf, openInbox } from '#tests/helpers/inbox_page'
import { takePicture } from '#tests/helpers/pictures'
import { uniqueEmail } from '#tests/helpers/people'

const FOLDER = join(projectPath(), 'docs/images/inbox')
const SIZE = { width: 560, height: 480 }
const LOOKS: Record<string, ShopVisit> = {
  light: { ...SIZE, theme: 'light' },
  dark: { ...SIZE, theme: 'dark' },
  phone: { width: 390, height: 700 },
}
const SUBJECTS = ['Welcome to the shop', 'Your invoice for October', 'Your parcel is on its way']

/** Not a test: `npm run panel:screenshots` runs it. */
test('Pictures of the inbox component', async ({ cleanup }) => {
  mkdirSync(FOLDER, { recursive: true })
  const shop = new Shop(process.env.APP_URL!)
  await shop.start()
  cleanup(() => shop.stop())
  for (const [look, visit] of Object.entries(LOOKS)) {
    const email = uniqueEmail('picture')
    for (const [index, subject] of SUBJECTS.entries()) {
      const createdAt = DateTime.utc().minus({ hours: 5 - 2 * index })
      const bodyHtml = '<p>It arrives on Friday between 10 and 12 o’clock.</p>'
      const payload = { url: 'https://shop.example/parcels/7' }
      await aNotification(email, { subject, createdAt, bodyHtml, payload })
    }
    const page = await shop.open(email, visit)
    await openInbox(page)
    await itemsOf(page).getByRole('button').first().click()
    await itemsOf(page).getByRole('link').waitFor()
    await page.mouse.move(0, 0)
    await takePicture(page, join(FOLDER, `${look}.webp`))
  }
})
