import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { MailChannel } from '#app/delivery/channels/mail_channel'
import { PushChannel } from '#app/delivery/channels/push_channel'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'

const mail = new MailChannel()

/** The channels of this process. */
export const channels: { email: DeliveryChannel<OutgoingMail>; push: DeliveryChannel } = {
  email: mail,
  push: new PushChannel(),
}

/** Lets mails under way finish and closes the connections, so that the process can end. */
export function closeChannels() {
  mail.close()
}
