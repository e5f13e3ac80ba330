import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { normalizeEmail } from '#core/values/email'

/** Prints nothing but the token, for use in a shell. */
export default class Token extends BaseCommand {
  static override commandName = 'token'
  static override description = 'Print a new token of the development identity provider'
  static override help = [
    'Any e-mail address gets a token, not only the ready-made accounts.',
    '',
    'Example:',
    '  npm run -s token -- alan@acme.example',
    '  curl -H "authorization: Bearer $(npm run -s token -- alan@acme.example)" …',
    '',
    'Exit codes: 0 printed; 1 no token can be issued for this address.',
  ]
  static override options: CommandOptions = { startApp: false }

  @args.string({ description: 'E-mail address of the account' })
  declare email: string

  override async run() {
    const email = normalizeEmail(this.email)
    if (email === null) return this.#fail(`"${this.email}" is not an e-mail address`)
    if (this.app.inProduction)
      return this.#fail('The development provider does not run in production')
    const { DEVELOPMENT_CLIENT_ID, developmentSettings } = await import('#development/settings')
    const settings = developmentSettings()
    if (!settings.embeddedProvider) {
      return this.#fail(`This project uses ${settings.issuer} instead of the development provider`)
    }
    const { mintToken } = await import('#development/identity_provider/main')
    const token = await mintToken({ ...settings, clientId: DEVELOPMENT_CLIENT_ID, email })
    process.stdout.write(`${token}\n`)
  }

  #fail(message: string) {
    this.logger.error(message)
    this.exitCode = 1
  }
}
