import { jsonColumn } from '#core/database/columns'
import { PendingSendSchema } from '#database/schema'
import type { Channel } from '#app/delivery/models/delivery'

/** A durable send that has not ended yet. */
export default class PendingSend extends PendingSendSchema {
  @jsonColumn()
  declare channels: Channel[]
}
