import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { MailChannel } from '#app/delivery/channels/mail_channel'
import { PushChannel } from '#app/delivery/channels/push_channel'
import type { Channel } from '#app/delivery/models/delivery'

const mail = new MailChannel()

/** The channels of this process. */
export const channels: Record<Channel, DeliveryChannel> = { email: mail, push: new PushChannel() }

/** Lets mails under way finish and closes the connections, so that the process can end. */
export function closeChannels() {
  mail.close()
}
