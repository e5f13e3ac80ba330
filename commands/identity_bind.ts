import { args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import { normalizeEmail } from '#core/values/email'
import { UserNotFound } from '#app/profiles/exceptions'

/** Like `PUT /users/:email/identity`, for when no super admin can sign in. */
export default class IdentityBind extends JsonCommand {
  static override commandName = 'identity:bind'
  static override description = 'Bind a user record to an account at the identity provider'
  static override help = [
    'Without --account, releases the record; it binds to the next verified account with its address.',
    'On SQLite, a running service picks up the change within 30 seconds.',
    '',
    'Examples:',
    '  npm run ace -- identity:bind ada@acme.example --account=300000000000000001',
    '  npm run ace -- identity:bind ada@acme.example',
    '',
    'Exit codes: 0 success; 1 no user record has this address.',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'E-mail address of the user record' })
  declare email: string

  @flags.string({ description: 'User id (sub) of the account; omit to release the record' })
  declare account: string

  override async run() {
    const email = normalizeEmail(this.email)
    const { changeIdentity } = await import('#app/identity_provider/user_lifecycle/change_identity')
    try {
      if (email === null) throw new UserNotFound()
      const { idpUserId } = await changeIdentity(email, this.account || null, 'identity:bind')
      this.report({ done: true, email, idpUserId }, () => {
        this.logger.success(idpUserId ? `Bound ${email} to ${idpUserId}` : `Released ${email}`)
      })
    } catch (error) {
      if (!(error instanceof UserNotFound)) throw error
      this.exitCode = 1
      this.report({ done: false, error: { code: error.code } }, () => {
        this.logger.error(`No user record has the address "${this.email}"`)
      })
    }
  }
}
