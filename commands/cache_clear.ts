import { flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'

const WAIT_MS = 5_000

export default class CacheClear extends JsonCommand {
  static override commandName = 'cache:clear'
  static override description = 'Clear the decision caches of the running service'
  static override help = [
    'On PostgreSQL, clears the cache of every process; on SQLite, that of the service at --url.',
    '',
    'Examples:',
    '  node ace cache:clear',
    '  node ace cache:clear --url=http://127.0.0.1:3333',
    '  node ace cache:clear --dry-run --json',
    '',
    'Exit codes: 0 success; 1 the service or the database could not be reached.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.string({ description: 'Address of the service; the default is the local one' })
  declare url?: string

  @flags.boolean({ description: 'Show what would be cleared without clearing it' })
  declare dryRun: boolean

  override async run() {
    const { usesPostgres } = await import('#core/database/dialect')
    const everyProcess = usesPostgres() && !this.url
    const target = everyProcess ? 'every process' : (this.url ?? (await localCheckUrl()))
    try {
      if (!this.dryRun) await (everyProcess ? this.#clearAll() : this.#clearOne(target))
      this.#show({ cleared: !this.dryRun, target })
    } catch (error) {
      this.exitCode = 1
      this.#show({ cleared: false, target, error: error instanceof Error ? error.message : '' })
    }
  }

  async #clearAll() {
    const { clearDecisionsEverywhere } = await import('#app/checks/actions/clear_decisions')
    await clearDecisionsEverywhere()
  }

  async #clearOne(url: string) {
    const path = '/api/check/cache/clear?everywhere=true'
    const signal = AbortSignal.timeout(WAIT_MS)
    const { default: authConfig } = await import('#config/auth')
    const [key] = authConfig.checkKeys
    const headers: Record<string, string> = key === undefined ? {} : { 'x-check-key': key }
    const response = await fetch(new URL(path, url), { method: 'POST', signal, headers }).catch(
      (cause) => {
        throw new Error('the service could not be reached', { cause })
      }
    )
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  }

  #show(result: { cleared: boolean; target: string; error?: string }) {
    const { cleared, target, error } = result
    this.report(result, () => {
      if (error !== undefined) {
        this.logger.error(`Could not clear the cache of ${target}: ${error}`)
      } else if (cleared) this.logger.success(`Cleared the cache of ${target}`)
      else this.logger.info(`Would clear the cache of ${target}`)
    })
  }
}

/** The local listener that serves the endpoint. */
async function localCheckUrl(): Promise<string> {
  const { default: authConfig } = await import('#config/auth')
  const { port, host } = authConfig.internalListener
  if (port === undefined) return (await import('#config/app')).appUrl
  const { reachableHost } = await import('#core/network/loopback')
  return `http://${reachableHost(host)}:${port}`
}
