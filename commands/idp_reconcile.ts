import { flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import { Problem } from '#core/exceptions/problem'
import type { RunSummary } from '#app/identity_provider/reconciliation/reconciliation'

/** See identity-provider.md#reconcile-command. */
export default class IdpReconcile extends JsonCommand {
  static override commandName = 'idp:reconcile'
  static override description =
    'Update user records from the identity provider, in case events were lost'
  static override help = [
    'Updates activity, names and the provider’s ids. Skips uncertain cases: addresses shared by several',
    'users, organisations whose users the service account cannot see, and changes of the last five',
    'minutes. Safe to repeat and to interrupt.',
    '',
    'Examples:',
    '  node ace idp:reconcile --dry-run',
    '  node ace idp:reconcile',
    '  node ace idp:reconcile --org=300000000000000001 --json',
    '',
    'Exit codes: 0 success; 1 interrupted, try again: the identity provider or the database could not be',
    'reached, or another run is in progress (changes reported so far are saved); 2 fix a setting, the',
    'service account or its permissions first.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Show what would change without changing it' })
  declare dryRun: boolean

  @flags.string({ description: 'Only users of this organisation, by its id at the provider' })
  declare org?: string

  override async run() {
    if (this.org !== undefined && !/^\d{1,200}$/.test(this.org)) {
      return this.#fail(
        { code: 'USAGE', message: '--org must be the numeric id of an organisation' },
        2
      )
    }
    const { beginRun, runRecorded } =
      await import('#app/identity_provider/reconciliation/recorded_run')
    const { newRunSummary } = await import('#app/identity_provider/reconciliation/reconciliation')
    const summary = newRunSummary()
    try {
      const options = { dryRun: Boolean(this.dryRun), orgId: this.org }
      await runRecorded(await beginRun('command', options), options, summary)
      this.#succeed(summary)
    } catch (error) {
      const { toProblem } = await import('#core/exceptions/to_problem')
      const { AlreadyAtWork } = await import('#core/exceptions/problems')
      const { kind, message, details } = error instanceof Problem ? error : toProblem(error)
      const isRetryable = kind.status >= 500 || error instanceof AlreadyAtWork
      this.#fail({ code: kind.code, message, details }, isRetryable ? 1 : 2, summary)
    }
  }

  #succeed(summary: RunSummary) {
    this.report({ done: true, ...this.#resultOf(summary) }, () => {
      this.#printSummary(summary)
      this.logger.success('User records match the identity provider')
    })
  }

  #fail(
    error: { code: string; message: string; details?: object },
    exitCode: number,
    summary?: RunSummary
  ) {
    this.exitCode = exitCode
    this.report({ done: false, ...(summary && this.#resultOf(summary)), error }, () => {
      if (summary && summary.read > 0) {
        this.#printSummary(summary)
        this.logger.warning('Interrupted before the end')
      }
      this.logger.error(`${error.message} (${error.code})`)
    })
  }

  #printSummary({ read, changes, skipped }: RunSummary) {
    for (const { email, change } of changes.values()) this.logger.log(`${change} ${email}`)
    const made = this.dryRun ? 'changes would be made' : 'changes made'
    this.logger.info(`${read} users read, ${changes.size} ${made}`)
    if (skipped.unclear > 0) {
      this.logger.warning(`Skipped ${skipped.unclear} users: their address is unverified or shared`)
    }
    if (skipped.unseen > 0) {
      this.logger.warning(
        `Skipped ${skipped.unseen} records: the service account cannot see their users`
      )
    }
  }

  #resultOf({ read, changes, skipped }: RunSummary) {
    return { dryRun: Boolean(this.dryRun), read, changes: [...changes.values()], skipped }
  }
}
