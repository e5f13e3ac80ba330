import { DigestSource } from '#app/delivery/background/digest_source'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import { ScheduledSendSource } from '#app/delivery/background/scheduled_send_source'

export const deliveryWork = [new PendingSendSource(), new ScheduledSendSource(), new DigestSource()]
