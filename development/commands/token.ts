import { BaseCommand, args } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { normalizeEmail } from '#core/values/email'

/** Prints a fresh token of the development identity provider, and nothing else, so that it can be used in a shell. */
export default class Token extends BaseCommand {
  static override commandName = 'token'
  static override description = 'Print a fresh token of the development identity provider'
  static override help = [
    'Any address gets a token; it need not be one of the ready-made accounts.',
    '',
    'Example:',
    '  npm run -s token -- alan@acme.example',
    '  curl -H "authorization: Bearer $(npm run -s token -- alan@acme.example)" …',
    '',
    'Exit codes: 0 printed, 1 there is none for this address.',
  ]
  static override options: CommandOptions = { startApp: false }

  @args.string({ description: 'E-mail address of the person the token is for' })
  declare email: string

  override async run() {
    const email = normalizeEmail(this.email)
    if (email === null) return this.#fail(`"${this.email}" is not an e-mail address`)
    if (this.app.inProduction) return this.#fail('There is no development provider in production')
    const { DEVELOPMENT_CLIENT_ID, developmentSettings } = await import('#development/settings')
    const settings = developmentSettings()
    if (!settings.embeddedProvider) {
      return this.#fail(`Tokens come from ${settings.issuer}, not from the development provider`)
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
