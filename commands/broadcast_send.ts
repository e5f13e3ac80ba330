import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import { invalidField } from '#core/exceptions/problems'

/** See broadcasts.md#command-for-sending. */
export default class BroadcastSend extends JsonCommand {
  static override commandName = 'broadcast:send'
  static override description = 'Send one message to many recipients and show the progress'
  static override help = [
    'Creates the broadcast and shows its progress; the service or queue:work sends it. Ctrl-C stops only',
    'the progress. Types without templates require "subject" and "body" in the data.',
    '',
    'Examples:',
    '  node ace broadcast:send shop --type=generic --to=application --data-file=news.json',
    `  node ace broadcast:send shop --type=sale --to=role:editor --data='{"what":"Shoes"}' --rate=50`,
    '  node ace broadcast:send shop --type=sale --to=emails --emails-file=recipients.txt --at=2030-01-01T08:00:00Z',
    '  node ace broadcast:send shop --type=generic --to=all --data-file=news.json --dry-run --json',
    '',
    'Exit codes: 0 created and, if followed, completed; 1 refused, nothing was created; 2 paused or ended',
    'early; 130 interrupted by Ctrl-C, the broadcast continues.',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'Code of the sending application' })
  declare appCode: string

  @flags.string({ description: 'Code of the notification type' })
  declare type: string

  @flags.string({ description: 'Audience: application, role:<code>, emails or all' })
  declare to: string

  @flags.array({ description: 'Recipient address for --to=emails; repeatable' })
  declare email?: string[]

  @flags.string({ description: 'File with one address per line, for --to=emails' })
  declare emailsFile?: string

  @flags.string({ description: 'Template key; required if the type has several templates' })
  declare template?: string

  @flags.string({ description: 'Template values, as JSON' })
  declare data?: string

  @flags.string({ description: 'File with template values, as JSON' })
  declare dataFile?: string

  @flags.string({ description: 'Language for all recipients, instead of their own' })
  declare locale?: string

  @flags.number({ description: 'Maximum messages per second' })
  declare rate?: number

  @flags.string({ description: 'Start time, as an ISO 8601 timestamp' })
  declare at?: string

  @flags.boolean({ description: 'Create the broadcast without showing progress' })
  declare detach: boolean

  @flags.boolean({ description: 'Validate and count the recipients without sending' })
  declare dryRun: boolean

  override async run() {
    const { countAudience } = await import('#app/broadcasts/actions/count_audience')
    const { createBroadcast } = await import('#app/broadcasts/actions/create_broadcast')
    const { broadcastResource } = await import('#app/broadcasts/transformers/broadcast_resource')
    const author = { email: null, mayReachEveryone: true, mayReachOutsiders: true }
    try {
      const request = await this.#request()
      if (this.dryRun) {
        const total = await countAudience(this.appCode, request, author)
        const text = `Would send to ${total} ${total === 1 ? 'recipient' : 'recipients'}`
        return this.report({ dryRun: true, total }, () => this.logger.info(text))
      }
      const shouldFollow = !this.json && !this.detach
      const { abortOnInterrupt, followInTerminal } =
        await import('#app/broadcasts/console/follow_in_terminal')
      // Listens before the broadcast exists, so that Ctrl-C never hides that it was created.
      const interrupt = shouldFollow ? abortOnInterrupt() : undefined
      const broadcast = await createBroadcast(this.appCode, request, author)
      const { id, status } = broadcast
      this.report(broadcastResource(broadcast), () => {
        this.logger.info(`Created broadcast ${id} (${status})`)
      })
      if (shouldFollow) this.exitCode = await followInTerminal(this, id, interrupt)
    } catch (error) {
      await this.#reportError(error)
    }
  }

  async #request() {
    const { broadcastValidator } = await import('#app/broadcasts/validators/broadcast_validator')
    return broadcastValidator.validate({
      type: this.type,
      template: this.template,
      data: await this.#data(),
      locale: this.locale,
      audience: await this.#audience(),
      ratePerSecond: this.rate,
      scheduledAt: this.at,
    })
  }

  async #audience() {
    const [kind, roleCode] = (this.to ?? '').split(/:(.*)/s)
    if (kind !== 'emails') {
      if (this.email?.length || this.emailsFile) {
        const message = '--email and --emails-file require --to=emails'
        throw invalidField('audience', 'emails', message)
      }
      return kind === 'role' ? { kind, roleCode } : { kind }
    }
    const listed = this.emailsFile ? await readInput('--emails-file', this.emailsFile) : ''
    const lines = listed.split(/\r?\n/).map((line) => line.trim())
    return { kind, emails: [...(this.email ?? []), ...lines.filter((line) => line !== '')] }
  }

  async #data() {
    const text = this.dataFile ? await readInput('--data-file', this.dataFile) : this.data
    if (text === undefined) return undefined
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw invalidField('data', 'json', 'The data must be valid JSON')
    }
  }

  async #reportError(error: unknown) {
    const { describeCommandError } = await import('#app/broadcasts/console/describe_command_error')
    const refusal = describeCommandError(error)
    this.exitCode = 1
    this.report({ error: refusal }, () => {
      this.logger.error(`${refusal.code}: ${refusal.message}`)
    })
  }
}

async function readInput(option: string, file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw invalidField(option, 'file', `The file for ${option} cannot be read: ${file}`)
  }
}
