import { jsonColumn } from '#core/database/columns'
import { PendingSendSchema } from '#database/schema'
import type { Channel } from '#app/delivery/models/delivery'

/** A single send that is tried again until it arrives or its time is over. */
export default class PendingSend extends PendingSendSchema {
  @jsonColumn()
  declare channels: Channel[]
}
