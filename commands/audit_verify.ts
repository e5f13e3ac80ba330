import { flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import type { ChainReport } from '#app/audit/actions/verify_chain'
import type { ChainPosition } from '#app/audit/values/chain'

/** See audit.md#verification. */
export default class AuditVerify extends JsonCommand {
  static override commandName = 'audit:verify'
  static override description = 'Verify that no audit entry was altered, removed or added'
  static override help = [
    'Verifies the chain of hashes from the oldest remaining entry to the newest.',
    'With a head that was kept elsewhere, it also detects whether the end of the',
    'chain was removed or the whole chain rewritten.',
    '',
    'Examples:',
    '  node ace audit:verify',
    '  node ace audit:verify --from-head=<sequence>:<hash>',
    '',
    'Exit codes: 0 the chain is intact; 1 wrong arguments, or the database cannot be',
    'read; 2 the chain is broken, and the output names the first fault.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.string({ description: 'A head from `GET /api/admin/audit/head`, as sequence:hash' })
  declare fromHead?: string

  override async run() {
    const known = this.fromHead === undefined ? undefined : parseHead(this.fromHead)
    if (known === null) {
      this.exitCode = 1
      const message = '--from-head must be a sequence and a hash, such as 1024:9f86d0…'
      return this.report({ error: { code: 'USAGE', message } }, () => this.logger.error(message))
    }
    const { verifyChain } = await import('#app/audit/actions/verify_chain')
    const { describeError } = await import('#core/exceptions/describe_error')
    try {
      this.#show(await verifyChain(known))
    } catch (error) {
      const { code } = describeError(error)
      if (code === undefined) throw error
      this.exitCode = 1
      const message = `Nothing was verified. The database returned ${code}; check that it is migrated.`
      this.report({ error: { code, message } }, () => this.logger.error(message))
    }
  }

  #show(result: ChainReport) {
    const { first, last, fault } = result
    if (fault) this.exitCode = 2
    this.report({ intact: fault === null, ...result }, () => {
      if (fault) this.logger.error(`Entry ${fault.sequence}: ${fault.message}`)
      else if (last === null) this.logger.success('There are no entries yet')
      else this.logger.success(`Entries ${first} to ${last} are intact`)
    })
  }
}

function parseHead(text: string): ChainPosition | null {
  const [, sequence, hash] = /^(\d{1,10}):([\da-f]{64})$/.exec(text) ?? []
  return hash === undefined ? null : { sequence: Number(sequence), hash }
}
