import type { NodeMailerMessage } from '@adonisjs/mail/types'
import type { SigningOptions } from '#app/delivery/mail/sign_mail'

export type SignableMail = NodeMailerMessage & { dkim?: SigningOptions }
