import { readFile } from 'node:fs/promises'
import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { invalidField } from '#core/exceptions/problems'

/** Sends one message to many people (broadcasts.md#command-for-sending). */
export default class BroadcastSend extends BaseCommand {
  static override commandName = 'broadcast:send'
  static override description = 'Send one message to many people and show how far it has got'
  static override help = [
    'The service or queue:work does the sending; this command creates the broadcast and follows it. Ctrl-C leaves it',
    'running. Data comes as JSON; a type without templates takes "subject" and "body".',
    '',
    'Examples:',
    '  node ace broadcast:send shop --type=generic --to=application --data-file=news.json',
    `  node ace broadcast:send shop --type=sale --to=role:editor --data='{"what":"Shoes"}' --rate=50`,
    '  node ace broadcast:send shop --type=sale --to=emails --emails-file=people.txt --at=2030-01-01T08:00:00Z',
    '  node ace broadcast:send shop --type=generic --to=all --data-file=news.json --dry-run --json',
    '',
    'Exit codes: 0 created and, when followed, completed; 1 refused, nothing was created; 2 it was paused or ended',
    'without reaching everybody; 130 Ctrl-C, it goes on.',
  ]
  static override options: CommandOptions = { startApp: true }

  @args.string({ description: 'Code of the application that sends' })
  declare appCode: string

  @flags.string({ description: 'Code of the notification type' })
  declare type: string

  @flags.string({ description: 'Whom to: application, role:<code>, emails or all' })
  declare to: string

  @flags.array({ description: 'Addresses, for --to=emails' })
  declare email?: string[]

  @flags.string({ description: 'File with an address on each line, for --to=emails' })
  declare emailsFile?: string

  @flags.string({ description: 'Key of the template, where the type has several' })
  declare template?: string

  @flags.string({ description: 'Values for the template, as JSON' })
  declare data?: string

  @flags.string({ description: 'File with the values for the template, as JSON' })
  declare dataFile?: string

  @flags.string({ description: 'Language for everybody, instead of their own' })
  declare locale?: string

  @flags.number({ description: 'Most messages per second' })
  declare rate?: number

  @flags.string({ description: 'When to begin, as an ISO 8601 timestamp' })
  declare at?: string

  @flags.boolean({ description: 'Create it and do not follow it' })
  declare detach: boolean

  @flags.boolean({ description: 'Check everything, count the people and send nothing' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Print JSON only, and do not follow' })
  declare json: boolean

  override async run() {
    const { countAudience, createBroadcast } =
      await import('#app/broadcasts/actions/create_broadcast')
    const { broadcastResource } = await import('#app/broadcasts/transformers/broadcast')
    const author = { email: null, mayReachEverybody: true, mayReachOutsiders: true }
    try {
      const wanted = await this.#wanted()
      if (this.dryRun) {
        const total = await countAudience(this.appCode, wanted, author)
        const text = `Would send to ${total} ${total === 1 ? 'person' : 'people'}`
        return this.#say({ dryRun: true, total }, text)
      }
      const follows = !this.json && !this.detach
      const { ctrlC, followInTerminal } = await import('#app/broadcasts/console/follow_in_terminal')
      // From before it exists: whoever stops the command then has to hear of it.
      const leaving = follows ? ctrlC() : undefined
      const broadcast = await createBroadcast(this.appCode, wanted, author)
      const { id, status } = broadcast
      this.#say(broadcastResource(broadcast), `Created broadcast ${id}, which is ${status}`)
      if (follows) this.exitCode = await followInTerminal(this, id, leaving)
    } catch (error) {
      await this.#refuse(error)
    }
  }

  async #wanted() {
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
    if (kind !== 'emails') return kind === 'role' ? { kind, roleCode } : { kind }
    const listed = this.emailsFile ? await read('--emails-file', this.emailsFile) : ''
    const lines = listed.split(/\r?\n/).map((line) => line.trim())
    return { kind, emails: [...(this.email ?? []), ...lines.filter((line) => line !== '')] }
  }

  async #data() {
    const text = this.dataFile ? await read('--data-file', this.dataFile) : this.data
    if (text === undefined) return undefined
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw invalidField('data', 'json', 'The data are not valid JSON')
    }
  }

  #say(result: object, text: string) {
    if (this.json) process.stdout.write(`${JSON.stringify(result)}\n`)
    else this.logger.info(text)
  }

  async #refuse(error: unknown) {
    const { explainRefusal } = await import('#app/broadcasts/console/explain_refusal')
    const refusal = explainRefusal(error)
    this.exitCode = 1
    if (this.json) process.stdout.write(`${JSON.stringify({ error: refusal })}\n`)
    else this.logger.error(`${refusal.code}: ${refusal.message}`)
  }
}

async function read(option: string, file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw invalidField(option, 'file', `The file of ${option} cannot be read: ${file}`)
  }
}
