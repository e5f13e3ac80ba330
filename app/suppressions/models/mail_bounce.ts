import { column } from '@adonisjs/lucid/orm'
import { MailBounceSchema } from '#database/schema'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

/** One report that a mail came back or was reported as spam. */
export default class MailBounce extends MailBounceSchema {
  /** Soft bounces that suppress an address, and the days in which they count. */
  static readonly softLimit = 5
  static readonly keptDays = 30

  @column()
  declare kind: BounceKind
}
