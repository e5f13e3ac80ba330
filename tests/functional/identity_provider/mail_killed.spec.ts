import { once } from 'node:events'
import { test } from '@japa/runner'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import {
  LONG_AGO,
  withRecipient,
  anOrganisation,
  logEntriesOf,
  postProviderMessage,
  storedMail,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { passwordReset } from '#tests/helpers/provider_samples'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'

test.group('Mails of the provider: killed process', (group) => {
  withSigningKey(group)

  test('the first call of a process is recorded', async ({ assert, cleanup }) => {
    const service = await startService({ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' })
    cleanup(async () => void (await service.stop()))
    const lastCall = async () => (await NotificationProvider.current())?.lastHookCallAt ?? null
    const before = await lastCall()
    const { id } = await anOrganisation()
    await postProviderMessage(withRecipient(passwordReset(), id, uniqueEmail()), service.url)
    await eventually('it is recorded', async () => Number(await lastCall()) > Number(before))
    assert.closeTo((await lastCall())!.diffNow('seconds').seconds, 0, 30)
  }).timeout(60_000)

  test('a mail stored by a killed process is sent once by another', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    const first = await startService({ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' })
    cleanup(async () => {
      await first.stop()
      await server.stop()
    })
    server.react = (stage) => (stage === 'CONNECT' ? 'stall' : undefined)
    const email = uniqueEmail()
    const response = postProviderMessage(
      withRecipient(passwordReset(), id, email),
      first.url
    ).catch(() => null)
    await eventually('the mail is stored', async () => (await logEntriesOf(email)).length === 1)
    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    await response
    server.react = () => undefined
    assert.isEmpty(server.mails)
    const mail = await storedMail(email)
    assert.equal(mail.status, 'queued')

    const second = await startService(sameDatabase())
    cleanup(async () => {
      await second.stop()
    })
    assert.isEmpty(server.mailsTo(email), 'the claim of the dead holds until it runs out')
    await mail.merge({ dueAt: LONG_AGO }).save()
    await eventually('the mail is sent', async () => (await mail.refresh()).status === 'sent')
    assert.lengthOf(server.mailsTo(email), 1)
    assert.equal((await logEntriesOf(email))[0].status, 'sent')
  }).timeout(60_000)
})
