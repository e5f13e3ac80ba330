import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { MailChannel } from '#app/delivery/channels/mail_channel'
import { PushChannel } from '#app/delivery/channels/push_channel'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'

const mail = new MailChannel()

export const channels: { email: DeliveryChannel<OutgoingMail>; push: DeliveryChannel } = {
  email: mail,
  push: new PushChannel(),
}

/** Lets current mails finish. */
export function closeChannels() {
  mail.close()
}
