import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { Problem } from '#core/exceptions/problem'
import type { RunSummary } from '#app/identity_provider/reconciliation/reconciliation'

/** Reconciles user records with the identity provider, as the schedule does (identity-provider.md#reconcile-command). */
export default class IdpReconcile extends BaseCommand {
  static override commandName = 'idp:reconcile'
  static override description =
    'Bring user records in line with the identity provider’s user lists, for events that got lost'
  static override help = [
    'Corrects who is active, names, and the provider’s ids. Leaves alone what is not certain: addresses',
    'that several users have, organisations of which the service account sees nobody, and whatever',
    'changed within the last five minutes. Safe to repeat, and to break off.',
    '',
    'Examples:',
    '  node ace idp:reconcile --dry-run',
    '  node ace idp:reconcile',
    '  node ace idp:reconcile --org=300000000000000001 --json',
    '',
    'Exit codes: 0 done; 1 broken off, so try again: the identity provider or the database could not be',
    'reached, or another run is at work; what is said to be done by then is done;',
    '2 something has to be put right first: a setting, the service account or one of its permissions.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Say what would change; change nothing' })
  declare dryRun: boolean

  @flags.string({ description: 'Only people of this organisation, by its id at the provider' })
  declare org?: string

  @flags.boolean({ description: 'Print JSON only' })
  declare json: boolean

  override async run() {
    if (this.org !== undefined && !/^\d{1,200}$/.test(this.org)) {
      return this.#fail({ code: 'USAGE', message: '--org takes the id of an organisation' }, 2)
    }
    const { reconcileUsers } = await import('#app/identity_provider/reconciliation/reconcile_users')
    const { newRunSummary: newRunSummary } =
      await import('#app/identity_provider/reconciliation/reconciliation')
    const summary = newRunSummary()
    try {
      await reconcileUsers({ dryRun: this.dryRun, orgId: this.org }, summary)
      this.#report(summary)
    } catch (error) {
      const { toProblem } = await import('#core/exceptions/to_problem')
      const { AlreadyAtWork } = await import('#app/identity_provider/exceptions')
      const { kind, message, details } = error instanceof Problem ? error : toProblem(error)
      const mayTryAgain = kind.status >= 500 || error instanceof AlreadyAtWork
      this.#fail({ code: kind.code, message, details }, mayTryAgain ? 1 : 2, summary)
    }
  }

  #report(summary: RunSummary) {
    if (this.json) return this.#print({ done: true, ...this.#resultOf(summary) })
    this.#tell(summary)
    this.logger.success('Everybody is in line with the identity provider, as far as it can be told')
  }

  #fail(
    error: { code: string; message: string; details?: object },
    exitCode: number,
    summary?: RunSummary
  ) {
    this.exitCode = exitCode
    if (this.json) {
      return this.#print({ done: false, ...(summary && this.#resultOf(summary)), error })
    }
    if (summary && summary.read > 0) {
      this.#tell(summary)
      this.logger.warning('Broken off before the end')
    }
    this.logger.error(`${error.message} (${error.code})`)
  }

  #tell({ read, changes, skipped }: RunSummary) {
    for (const { email, change } of changes.values()) this.logger.log(`${change} ${email}`)
    const made = this.dryRun ? 'changes would be made' : 'changes made'
    this.logger.info(`${read} users read, ${changes.size} ${made}`)
    if (skipped.unclear > 0) {
      this.logger.warning(
        `${skipped.unclear} left alone: their address is unverified or not theirs alone`
      )
    }
    if (skipped.unseen > 0) {
      this.logger.warning(
        `${skipped.unseen} records left alone: the service account does not see their users`
      )
    }
  }

  #resultOf({ read, changes, skipped }: RunSummary) {
    return { dryRun: Boolean(this.dryRun), read, changes: [...changes.values()], skipped }
  }

  #print(result: object) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
}
