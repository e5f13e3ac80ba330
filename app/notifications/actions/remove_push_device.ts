import { recordChange } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { transaction } from '#core/database/transaction'
import { SubscriptionNotFound } from '#app/notifications/exceptions'
import PushSubscription from '#app/notifications/models/push_subscription'
import { pushDeviceResource } from '#app/notifications/transformers/push_device_resource'
import User from '#app/profiles/models/user'

/** @throws UserNotFound, SubscriptionNotFound */
export async function removePushDevice(email: string, id: number) {
  const user = await User.withEmail(email)
  await transaction(async (trx) => {
    const device = await PushSubscription.ofUser(user, trx).where({ id }).forUpdate().first()
    if (!device) throw new SubscriptionNotFound()
    await recordChange(trx, {
      action: 'user.push_device_removed',
      application: null,
      target: userTarget(email),
      email,
      before: pushDeviceResource(device),
      after: null,
    })
    await device.delete()
  })
}
