import { column } from '@adonisjs/lucid/orm'
import { ProviderMailSchema } from '#database/schema'
import type { TemplateSource } from '#app/identity_provider/mail_hook/mail_content'

/** A system mail to deliver. Once it is finished, only its fingerprint is kept. */
export default class ProviderMail extends ProviderMailSchema {
  @column()
  declare status: 'queued' | 'sent' | 'failed'

  @column()
  declare templateSource: TemplateSource
}
