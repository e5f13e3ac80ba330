import { args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import { ValidationError } from '#core/exceptions/problems'

/** For a provider that kept its accounts when its address changed. */
export default class IdentityMove extends JsonCommand {
  static override commandName = 'identity:move'
  static override description = 'Move user records to the current issuer after its address changed'
  static override help = [
    'Rebinds the records of the previous issuer to the same user ids at IDP_ISSUER.',
    'Run it only if the provider kept its user ids.',
    '',
    'Example:',
    '  npm run ace -- identity:move https://old-id.example.com',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'The previous value of IDP_ISSUER' })
  declare issuer: string

  override async run() {
    const { moveAccounts } = await import('#app/identity_provider/user_lifecycle/move_accounts')
    try {
      const moved = await moveAccounts(this.issuer)
      this.report({ moved }, () => {
        if (moved > 0) this.logger.success(`Moved ${moved} records`)
        else this.logger.warning(`No record is bound to an account of ${this.issuer}`)
      })
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      this.exitCode = 1
      this.report({ error: { code: error.code, detail: error.message } }, () => {
        this.logger.error(error.message)
      })
    }
  }
}
