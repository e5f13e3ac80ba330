import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { READ, changeItem } from '#app/inbox/actions/change_item'
import { NewsReader } from '#app/inbox/stream/news_reader'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { aNotification } from '#tests/helpers/inbox'

test.group('What is new in inboxes', () => {
  test('is not lost if the database fails while it is read', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const { code: appCode } = await anApplication()
    const reader = new NewsReader()
    await reader.start()
    const { id } = await aNotification(email, { appCode })
    await changeItem(email, id, READ)
    const rename = (from: string, to: string) =>
      db.rawQuery(`alter table notifications rename column ${from} to ${to}`)
    const read = () => reader.read((address) => address === email)
    // Arrivals are read last.
    await rename('shown_at', 'shown_then')
    let isRenamed = true
    const restore = async () => {
      if (isRenamed) await rename('shown_then', 'shown_at')
      isRenamed = false
    }
    cleanup(restore)
    await assert.rejects(read)
    await restore()
    const [news] = await read()
    assert.equal(news.email, email)
    assert.deepEqual(
      news.changes.map(({ kind, items }) => ({ kind, items })),
      [{ kind: 'read', items: [id] }]
    )
    assert.deepEqual(
      news.arrived.map((item) => item.id),
      [id]
    )
    assert.deepEqual(await read(), [])
  })
})
