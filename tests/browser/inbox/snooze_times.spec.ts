import { test } from '@japa/runner'
import { aNotification } from '#tests/helpers/inbox'
import { Shop, itemOf, openInbox, panelOf } from '#tests/helpers/inbox_page'
import { uniqueEmail } from '#tests/helpers/people'

let shop: Shop

/** What the choices send, in order, at a time on the clock of a browser in Prague. */
async function choicesAt(time: string): Promise<Record<string, string>> {
  const email = uniqueEmail('snooze')
  await aNotification(email, { subject: 'Later' })
  const context = await shop.browser()
  await context.clock.setFixedTime(new Date(time))
  const page = await shop.open(email, {}, context)
  const headers = { 'access-control-allow-origin': '*' }
  const choices: Record<string, string> = {}
  await page.route('**/snooze', (route) => route.fulfill({ status: 204, headers }))
  await openInbox(page)
  const snooze = itemOf(page, 'Later').getByRole('button', { name: /^Snooze/ })
  const group = panelOf(page).getByRole('group', { name: 'Snooze until' })
  await snooze.click()
  const names = await group.getByRole('button').allTextContents()
  for (const [index, name] of names.entries()) {
    const sent = page.waitForRequest('**/snooze')
    await group.getByRole('button').nth(index).click()
    const { until } = (await sent).postDataJSON() as { until: string }
    choices[name] = until
    await page.reload()
    await openInbox(page)
    await snooze.click()
  }
  await context.close()
  return choices
}

test.group('The times until which the inbox component snoozes', (group) => {
  group.setup(async () => {
    shop = new Shop(process.env.APP_URL!)
    await shop.start()
    return () => shop.stop()
  })

  test('are on the clock of the user, also when it changes: {now}')
    .with([
      {
        // The clock goes forward in the night before Sunday.
        now: '2027-03-27T20:30:00+01:00',
        choices: {
          'In an hourSat 9:30 PM': '2027-03-27T20:30:00.000Z',
          'Tomorrow morningSun 8:00 AM': '2027-03-28T06:00:00.000Z',
          'Next weekMon 8:00 AM': '2027-03-29T06:00:00.000Z',
        },
      },
      {
        // It goes back at three, and this is the first of two hours.
        now: '2027-10-31T02:30:00+02:00',
        choices: {
          'In an hourSun 2:30 AM': '2027-10-31T01:30:00.000Z',
          'This eveningSun 6:00 PM': '2027-10-31T17:00:00.000Z',
          // On a Sunday, this is also the next week.
          'Tomorrow morningMon 8:00 AM': '2027-11-01T07:00:00.000Z',
        },
      },
    ])
    .run(async ({ assert }, { now, choices }) => {
      assert.deepEqual(await choicesAt(now), choices)
    })
})
