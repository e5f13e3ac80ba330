import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

const WAIT_MS = 5_000

/** Clears the decision caches, for when waiting 30 seconds is too long. */
export default class CacheClear extends BaseCommand {
  static override commandName = 'cache:clear'
  static override description = 'Empty the permission caches of the running service'
  static override help = [
    'On PostgreSQL every running process hears of it; on SQLite the service at --url does.',
    '',
    'Examples:',
    '  node ace cache:clear',
    '  node ace cache:clear --url=http://127.0.0.1:3333',
    '  node ace cache:clear --dry-run --json',
    '',
    'Exit codes: 0 done, 1 the service or the database could not be reached.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.string({ description: 'Address of the process, where there is no PostgreSQL to tell it' })
  declare url?: string

  @flags.boolean({ description: 'Say what would be emptied and change nothing' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Print JSON only' })
  declare json: boolean

  override async run() {
    const { usesPostgres } = await import('#core/database/dialect')
    const everyProcess = usesPostgres() && !this.url
    const target = everyProcess ? 'every process' : (this.url ?? (await whereChecksAre()))
    try {
      if (!this.dryRun) await (everyProcess ? this.#tellAll() : this.#tellOne(target))
      this.#report({ cleared: !this.dryRun, target })
    } catch (error) {
      this.exitCode = 1
      this.#report({ cleared: false, target, error: error instanceof Error ? error.message : '' })
    }
  }

  async #tellAll() {
    const { clearDecisionsEverywhere } = await import('#app/checks/actions/clear_decisions')
    await clearDecisionsEverywhere()
  }

  async #tellOne(url: string) {
    const path = '/api/check/cache/clear?everywhere=true'
    const signal = AbortSignal.timeout(WAIT_MS)
    const { default: authConfig } = await import('#config/auth')
    const [key] = authConfig.checkKeys
    const headers: Record<string, string> = key === undefined ? {} : { 'x-check-key': key }
    const response = await fetch(new URL(path, url), { method: 'POST', signal, headers }).catch(
      (cause) => {
        throw new Error('it could not be reached', { cause })
      }
    )
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  }

  #report(result: { cleared: boolean; target: string; error?: string }) {
    if (this.json) process.stdout.write(`${JSON.stringify(result)}\n`)
    else if (result.error !== undefined) {
      this.logger.error(`The cache of ${result.target} was not emptied: ${result.error}`)
    } else if (result.cleared) this.logger.success(`Emptied the cache of ${result.target}`)
    else this.logger.info(`Would empty the cache of ${result.target}`)
  }
}

/** The listener of this machine's service that takes the request. */
async function whereChecksAre(): Promise<string> {
  const { default: authConfig } = await import('#config/auth')
  const { port, host } = authConfig.internalListener
  if (port === undefined) return (await import('#config/app')).appUrl
  const { reachableName } = await import('#start/development_world')
  return `http://${reachableName(host)}:${port}`
}
