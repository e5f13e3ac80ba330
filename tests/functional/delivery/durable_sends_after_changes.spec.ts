import { test } from '@japa/runner'
import { deleteApplication } from '#app/applications/actions/delete_application'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'
import { aType } from '#tests/helpers/deliveries'
import { sendDurably, refusedPerson, takes, assertEnds } from '#tests/helpers/pending_sends'
import { anApplication, signedIn, superAdmin } from '#tests/helpers/people'

test.group('A durable send after a change of its recipient or type', () => {
  test('does not reach a user who {change}')
    .with([
      { change: 'was deactivated', reason: /^NOTIFICATIONS_DISABLED: the user is deactivated$/ },
      { change: 'switched the application off', reason: /^NOTIFICATIONS_DISABLED$/ },
      { change: 'switched the type off', reason: /^NO_CHANNEL$/ },
      { change: 'was deleted', reason: /^SMTP_ERROR: the user was deleted$/ },
      { change: 'has a send of a type that was switched off', reason: /^NO_CHANNEL$/ },
      { change: 'has a send of a deleted brand', reason: /^SMTP_ERROR: its brand was deleted$/ },
      { change: 'has a send of a deleted type', reason: /type was deleted$/ },
      {
        change: 'has a send of a deleted application',
        reason: /application or notification type was deleted$/,
      },
    ])
    .run(async ({ assert, client, cleanup }, { change, reason }) => {
      const { server, email, brand } = await refusedPerson(cleanup)
      const application = await anApplication()
      const type = await aType(application)
      const result = await sendDurably(client, email, {
        appCode: application.code,
        type: type.code,
      })
      const person = signedIn(client, email)
      let response
      switch (change) {
        case 'was deactivated':
          await User.query().where('email', email).update({ active: false })
          break
        case 'has a send of a deleted brand':
          await superAdmin(client).delete(`/api/admin/brands/${brand.id}`)
          break
        case 'switched the application off':
          response = await person.put(`/api/profile/me/apps/${application.code}`, {
            notificationsEnabled: false,
          })
          response.assertStatus(200)
          break
        case 'switched the type off':
          response = await person.put('/api/profile/me/notifications/preferences/bulk', {
            updates: [{ notificationTypeId: type.id, email: false }],
          })
          response.assertStatus(200)
          break
        case 'was deleted':
          await User.query().where('email', email).delete()
          break
        case 'has a send of a type that was switched off':
          await type.merge({ emailEnabled: false }).save()
          break
        case 'has a send of a deleted type':
          await NotificationType.query().where('id', type.id).delete()
          break
        default:
          await deleteApplication(application.code)
      }
      takes(server)
      await assertEnds(assert, result, server, reason)
      if (change === 'was deleted') assert.isNull(await User.findBy({ email }))
    })
})
