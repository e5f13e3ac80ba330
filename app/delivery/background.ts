import { PendingSendSource } from '#app/delivery/background/pending_send_source'

export const deliveryWork = [new PendingSendSource()]
