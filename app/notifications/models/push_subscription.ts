import { createHash } from 'node:crypto'
import { PushSubscriptionSchema } from '#database/schema'

/** A browser that takes Web Push for a person (specification 2.4). */
export default class PushSubscription extends PushSubscriptionSchema {
  static digestOf(endpoint: string): string {
    return createHash('sha256').update(endpoint).digest('hex')
  }
}
