import { jsonColumn } from '#core/database/columns'
import { PendingSendSchema } from '#database/schema'
import type { Channel } from '#app/delivery/models/delivery'

/** A single send that is retried until it succeeds or its retry period ends. */
export default class PendingSend extends PendingSendSchema {
  @jsonColumn()
  declare channels: Channel[]
}
