import { RelaySource } from '#app/webhooks/background/relay_source'
import { TrimSource } from '#app/webhooks/background/trim_source'
import { WebhookSource } from '#app/webhooks/background/webhook_source'

export const webhookWork = [new WebhookSource(), new RelaySource(), new TrimSource()]
