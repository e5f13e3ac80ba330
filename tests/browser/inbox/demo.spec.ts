import { test } from '@japa/runner'
import { itemsOf, openInbox } from '#tests/helpers/inbox_page'
import { newBrowser } from '#tests/helpers/open_panel'
import { printedUrls, startScript } from '#tests/helpers/start_script'

test('npm start shows the inbox component in a page that sends messages', async ({
  assert,
  cleanup,
}) => {
  const { output, stop } = await startScript('bin/start.ts')
  cleanup(async () => void (await stop()))
  const { service, inbox } = printedUrls(output)
  const context = await newBrowser({ as: null, origins: [inbox, new URL(service).origin] })
  const page = await context.newPage()
  await page.goto(inbox)
  await page.getByRole('button', { name: 'Send me a message' }).click()
  await page.getByRole('status').getByText('Sent').waitFor()
  // The message arrives on its stream.
  await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
  await openInbox(page)
  await itemsOf(page).getByText('is ready').waitFor()

  const elsewhere = await fetch(`${inbox}/token?email=ada@acme.example`)
  assert.equal(elsewhere.status, 403)
  // It would try to follow the inbox of a service that has stopped.
  await page.close()
})
