import { column } from '@adonisjs/lucid/orm'
import { LoginRecordSchema } from '#database/schema'

export type LoginEvent = 'login' | 'logout'
export type LoginSource = 'frontend' | 'server'

/** See profiles.md#login-record-fields. */
export default class LoginRecord extends LoginRecordSchema {
  @column()
  declare event: LoginEvent

  @column()
  declare source: LoginSource
}
