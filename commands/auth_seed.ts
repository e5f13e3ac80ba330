import { flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'

/** See platform.md#seed-command. */
export default class AuthSeed extends JsonCommand {
  static override commandName = 'auth:seed'
  static override description =
    'Create the panel’s application and the templates of the identity provider’s mails'
  static override help = [
    'Creates only what is missing, including deleted templates and language versions. Edited templates',
    'and sender names are not changed. Migrate the database first.',
    '',
    'Examples:',
    '  node ace auth:seed',
    '  node ace auth:seed --dry-run',
    '  node ace auth:seed --json',
    '',
    'Exit codes: 0 success, even if nothing was missing; 1 the database could not be written.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Show what is missing without creating it' })
  declare dryRun: boolean

  override async run() {
    const { runSeedAuth } = await import('#app/identity_provider/auth_templates/run_seed_auth')
    const { describeError } = await import('#core/exceptions/describe_error')
    const dryRun = Boolean(this.dryRun)
    try {
      this.#show({ dryRun, created: await runSeedAuth({ dryRun }) })
    } catch (error) {
      this.exitCode = 1
      const { code, type } = describeError(error)
      this.#show({ dryRun, created: [], error: String(code ?? type) })
    }
  }

  #show(result: { dryRun: boolean; created: string[]; error?: string }) {
    const { created, error, dryRun } = result
    this.report(result, () => {
      if (error !== undefined) {
        this.logger.error(
          `Nothing was created. The database returned ${error}; check that it is migrated.`
        )
      } else if (created.length === 0) this.logger.info('Nothing is missing')
      else {
        for (const item of created) this.logger.info(item)
        const text = dryRun ? 'would be created' : 'created'
        this.logger.success(`${created.length} ${text}`)
      }
    })
  }
}
