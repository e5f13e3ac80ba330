import { stripVTControlCharacters } from 'node:util'
import { args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import type Broadcast from '#app/broadcasts/models/broadcast'
import { invalidField } from '#core/exceptions/problems'

const LATEST = 20

/** See broadcasts.md#command-for-progress. */
export default class BroadcastStatus extends JsonCommand {
  static override commandName = 'broadcast:status'
  static override description = 'Show the progress of broadcasts'
  static override help = [
    `Without an id, shows the latest ${LATEST} broadcasts of the application.`,
    '',
    'Examples:',
    '  node ace broadcast:status shop',
    '  node ace broadcast:status shop 42 --follow',
    '  node ace broadcast:status shop 42 --json',
    '',
    'Exit codes: 0 shown and, if followed, completed; 1 application or broadcast not found; 2 the followed',
    'broadcast was paused or ended early; 130 interrupted by Ctrl-C, the broadcast continues.',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'Code of the application' })
  declare appCode: string

  @args.string({ description: 'Id of a broadcast', required: false })
  declare id?: string

  @flags.boolean({ description: 'Show a progress bar until the broadcast ends; requires an id' })
  declare follow: boolean

  override async run() {
    const { broadcastResource } = await import('#app/broadcasts/transformers/broadcast_resource')
    try {
      const broadcasts = await this.#find()
      const resources = broadcasts.map(broadcastResource)
      if (this.follow && this.id && !this.json) {
        const { followInTerminal } = await import('#app/broadcasts/console/follow_in_terminal')
        this.exitCode = await followInTerminal(this, broadcasts[0].id)
        return
      }
      this.report(this.id ? resources[0] : { broadcasts: resources }, () => this.#show(broadcasts))
    } catch (error) {
      const { describeCommandError } =
        await import('#app/broadcasts/console/describe_command_error')
      const refusal = describeCommandError(error)
      this.exitCode = 1
      this.report({ error: refusal }, () => {
        this.logger.error(`${refusal.code}: ${refusal.message}`)
      })
    }
  }

  async #find(): Promise<Broadcast[]> {
    const { default: Application } = await import('#app/applications/models/application')
    const { default: Broadcasts } = await import('#app/broadcasts/models/broadcast')
    if (this.id !== undefined) {
      const id = Number(this.id)
      if (!Number.isSafeInteger(id) || id < 1) {
        throw invalidField('id', 'id', 'The id must be a positive integer')
      }
      return [await Broadcasts.of(this.appCode, id)]
    }
    const application = await Application.withCode(this.appCode)
    return Broadcasts.query()
      .where('applicationId', application.id)
      .orderBy('id', 'desc')
      .limit(LATEST)
  }

  #show(broadcasts: Broadcast[]) {
    if (broadcasts.length === 0) return this.logger.info('No broadcasts yet')
    const table = this.ui.table().useRenderer(plainInPipes)
    table.head(['Id', 'Status', 'Type', 'Processed', 'Sent', 'Failed', 'Skipped', 'Created'])
    for (const one of broadcasts) {
      const progress = `${one.processed} of ${one.total}`
      const counts = [one.sent, one.failed, one.skipped].map(String)
      const created = one.createdAt.toUTC().toFormat('yyyy-MM-dd HH:mm')
      table.row([String(one.id), one.status, one.type, progress, ...counts, created])
    }
    table.render()
    for (const { id, statusReason } of broadcasts) {
      if (statusReason !== null) this.logger.warning(`${id}: ${statusReason}`)
    }
  }
}

const hasColors = process.stdout.isTTY && !process.env.NO_COLOR

/** The table library also colours its lines in pipes. */
const plainInPipes = {
  log: (text: string) => print(hasColors ? text : stripVTControlCharacters(text)),
  logError: print,
  logUpdate: print,
  logUpdatePersist() {},
  getLogs: () => [],
  flushLogs() {},
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}
