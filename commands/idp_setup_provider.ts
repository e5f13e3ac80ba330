import { flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import { Problem } from '#core/exceptions/problem'
import type { SetupStep } from '#app/identity_provider/email_provider/preview_provider_setup'

/** See identity-provider.md#setup-command. */
export default class IdpSetupProvider extends JsonCommand {
  static override commandName = 'idp:setup-provider'
  static override description = 'Make the identity provider send its mails through this service'
  static override help = [
    'Registers this service as an e-mail provider, stores its signing key and activates it.',
    'Safe to repeat: completes an interrupted run.',
    '',
    'Examples:',
    '  node ace idp:setup-provider --dry-run',
    '  node ace idp:setup-provider',
    '  node ace idp:setup-provider --rotate',
    '  node ace idp:setup-provider --activate-only --json',
    '',
    'Exit codes: 0 success; 1 the identity provider or the database could not be reached, try again;',
    '2 fix a setting, the service account or its permissions first.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Only activate the e-mail provider set up earlier' })
  declare activateOnly: boolean

  @flags.boolean({
    description: 'Create a new signing key; the previous one stays valid for ten minutes',
  })
  declare rotate: boolean

  @flags.boolean({ description: 'Show what would be done and what is missing, without changes' })
  declare dryRun: boolean

  override async run() {
    if (this.activateOnly && this.rotate) {
      return this.#fail(
        { code: 'USAGE', message: '--rotate cannot be combined with --activate-only' },
        2
      )
    }
    try {
      await (this.dryRun ? this.#preview() : this.#perform())
    } catch (error) {
      const { toProblem } = await import('#core/exceptions/to_problem')
      const { kind, message, details } = error instanceof Problem ? error : toProblem(error)
      this.#fail({ code: kind.code, message, details }, kind.status < 500 ? 2 : 1)
    }
  }

  async #perform() {
    const { activateProvider, setUpProvider } =
      await import('#app/identity_provider/email_provider/set_up_provider')
    const status = await (this.activateOnly
      ? activateProvider()
      : setUpProvider({ rotate: this.rotate }))
    this.report({ done: true, ...status }, () => {
      this.logger.success(`The identity provider sends its mails through ${status.endpoint}`)
    })
  }

  async #preview() {
    const { previewProviderSetup } =
      await import('#app/identity_provider/email_provider/preview_provider_setup')
    const { steps, permissions } = await previewProviderSetup({ rotate: this.rotate })
    const activation = ['activate the provider that was set up']
    const preview = { steps: this.activateOnly ? activation : steps.map(describe), permissions }
    const missing = preview.permissions.filter(({ granted }) => !granted)
    if (missing.length > 0) this.exitCode = 2
    this.report({ done: false, ...preview }, () => {
      for (const step of preview.steps) this.logger.info(`Would ${step}`)
      if (preview.steps.length === 0 && missing.length === 0) this.logger.info('Nothing is missing')
      for (const { permission } of missing) {
        this.logger.error(`The service account lacks the permission ${permission}`)
      }
    })
  }

  #fail(problem: { code: string; message: string; details?: object }, exitCode: number) {
    this.exitCode = exitCode
    this.report({ done: false, error: problem }, () => {
      this.logger.error(`${problem.message} (${problem.code})`)
    })
  }
}

/** Completes "would …". */
function describe({ action, providerId }: SetupStep): string {
  switch (action) {
    case 'add':
      return 'add an e-mail provider and store its signing key'
    case 'rotate_key':
      return `change the signing key of the provider ${providerId}`
    case 'change_endpoint':
      return `change the endpoint of the provider ${providerId}`
    case 'activate':
      return `activate ${providerId === null ? 'it' : `the provider ${providerId}`}`
    case 'replace':
      return `deactivate the provider ${providerId}, which is active now`
    case 'remove':
      return `remove the provider ${providerId}, whose signing key is lost`
  }
}
