import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { normalizeEmail } from '#core/values/email'
import { UserNotFound } from '#app/profiles/exceptions'

/** What `PUT /users/:email/identity` does, for when no super admin can sign in any more. */
export default class IdentityBind extends BaseCommand {
  static override commandName = 'identity:bind'
  static override description = 'Bind a user record to another account of the identity provider'
  static override help = [
    'Without --account the record is released: the next verified account with the address gets it.',
    'On SQLite a running service hears of it within 30 seconds.',
    '',
    'Examples:',
    '  node ace identity:bind ada@acme.example --account=300000000000000001',
    '  node ace identity:bind ada@acme.example',
    '',
    'Exit codes: 0 done; 1 there is no record of this address.',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'E-mail address of the record' })
  declare email: string

  @flags.string({ description: 'User id (sub) of the account; without it the record is released' })
  declare account: string

  @flags.boolean({ description: 'Print JSON only' })
  declare json: boolean

  override async run() {
    const email = normalizeEmail(this.email)
    const { changeIdentity } = await import('#app/identity_provider/actions/change_identity')
    try {
      if (email === null) throw new UserNotFound()
      const { idpUserId } = await changeIdentity(email, this.account || null, 'identity:bind')
      if (this.json) return this.#print({ done: true, email, idpUserId })
      this.logger.success(`${email} ${idpUserId ? `belongs to ${idpUserId}` : 'is released'}`)
    } catch (error) {
      if (!(error instanceof UserNotFound)) throw error
      this.exitCode = 1
      if (this.json) return this.#print({ done: false, error: { code: error.code } })
      this.logger.error(`There is no user record of "${this.email}"`)
    }
  }

  #print(result: object) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
}
