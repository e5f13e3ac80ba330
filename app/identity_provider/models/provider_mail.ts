import { column } from '@adonisjs/lucid/orm'
import { ProviderMailSchema } from '#database/schema'
import type { TemplateSource } from '#app/identity_provider/mail_hook/mail_content'

/** A system e-mail the identity provider has handed over, until it is sent or given up, and then its fingerprint. */
export default class ProviderMail extends ProviderMailSchema {
  @column()
  declare status: 'queued' | 'sent' | 'failed'

  @column()
  declare templateSource: TemplateSource
}
