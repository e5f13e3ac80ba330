import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sqlitePath } from '#core/database/sqlite_path'
import { sealEntries } from '#app/audit/actions/seal_entries'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'

if (process.env.DB_CONNECTION === 'sqlite') {
  test.group('The database file after an erasure', () => {
    test('has neither the address nor what was written to it', async ({ assert, client }) => {
      const secret = randomUUID()
      const email = uniqueEmail()
      const application = await anApplication()
      const type = await aType(application)
      await aTemplate(type, { en: { subject: 'Order', body: '<p>{{name}}</p>' } })
      await signedIn(client, email).put('/api/profile/me', { firstName: secret })
      await manageApplication(client, application.code).administrator(email)
      const appCode = application.code
      // Short texts are in the pages of their rows, long ones in pages of their own.
      for (const name of [secret, `${secret} `.repeat(1_000)]) {
        await sendNotification(client, {
          recipientEmail: email,
          appCode,
          type: type.code,
          data: { name },
        })
      }
      await sealEntries()
      assert.include(await fileText(), secret)

      const erased = await superAdmin(client).delete(`/api/users/${email}`)
      erased.assertStatus(204)
      const text = await fileText()
      assert.isFalse(text.includes(secret), 'a text is in the file')
      assert.isFalse(text.includes(email), 'the address is in the file')
    })
  })
}

/** The file with everything that has been committed, and without its log. */
async function fileText(): Promise<string> {
  const [checkpoint] = await db.rawQuery('pragma wal_checkpoint(truncate)')
  if (checkpoint.busy !== 0) throw new Error('The log is in use')
  return readFileSync(sqlitePath(), 'latin1')
}
