import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import type { FileResult, Outcome } from '#development/module_generator/generate'
import type { ModuleRequest } from '#development/module_generator/stub_data'

/** What the exit code says. */
const EXIT = { refused: 1, obstacle: 2, incomplete: 3 }

/** Generates a whole section in this project's architecture. */
export default class MakeModule extends BaseCommand {
  static override commandName = 'make:module'
  static override description = 'Generate a section: from the migration to its tests, all passing'
  static override help = [
    'A section is a folder under app/ about one thing: who manages it is up to --guard.',
    '  application  /api/applications/:appCode/…, read and changed with that panel level on it',
    '  super-admin  /api/admin/…, for super admins alone',
    '',
    'A field is name:type, with a question mark for one that may be null or left out. Types:',
    '  string (one line), text, slug, email, url, integer, boolean, timestamp',
    'By the first field things are known: it is required, and unique (within its application).',
    '',
    'A second run completes what is missing and changes nothing else.',
    '',
    'Examples:',
    '  node ace make:module facilities --resource=room',
    '  node ace make:module facilities --resource=room --field=code:slug --field="size:integer?"',
    '  node ace make:module announcements --guard=super-admin --field=title:string --field=body:text',
    '  node ace make:module facilities --resource=room --dry-run --json',
    '',
    'Exit codes: 0 done, or nothing to do; 1 such a module cannot be made, and nothing was written;',
    '2 something in the project is in the way, and nothing was written; 3 written, but a command that',
    'generates a file from it failed.',
  ]
  static override options: CommandOptions = { startApp: false }

  @args.string({ description: 'Name of the section, such as facilities' })
  declare section: string

  @flags.string({ description: 'One thing of the section; by default its name in the singular' })
  declare resource?: string

  @flags.array({ description: 'A field, name:type or name:type? (code:slug and name:string)' })
  declare field?: string[]

  @flags.string({
    description: 'Who manages it: application or super-admin',
    default: 'application',
  })
  declare guard: string

  @flags.boolean({ description: 'Say what would be written and write nothing' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Write files of the module anew when they hold something else' })
  declare force: boolean

  @flags.boolean({ description: 'Print JSON only' })
  declare json: boolean

  override async run() {
    const { Obstacle, Refusal } = await import('#development/module_generator/refusal')
    try {
      if (this.app.inProduction) throw new Refusal('Modules are made in a checkout of the source')
      const request = await this.#request()
      const { generateModule } = await import('#development/module_generator/generate')
      const { dryRun, force } = this
      const outcome = await generateModule(request, this.app.makePath(), { dryRun, force })
      if (outcome.failure) this.exitCode = EXIT.incomplete
      this.#report(outcome, request)
    } catch (error) {
      if (error instanceof Refusal) this.#fail(EXIT.refused, error.message)
      else if (error instanceof Obstacle) this.#fail(EXIT.obstacle, error.message, error.files)
      else throw error
    }
  }

  async #request(): Promise<ModuleRequest> {
    const { Refusal } = await import('#development/module_generator/refusal')
    const { GUARDS } = await import('#development/module_generator/stub_data')
    const { moduleNames } = await import('#development/module_generator/names')
    const { moduleFields } = await import('#development/module_generator/fields')
    const guard = GUARDS.find((name) => name === this.guard)
    if (!guard) throw new Refusal(`"${this.guard}" is no guard: there are ${GUARDS.join(' and ')}`)
    const names = moduleNames(this.section, this.resource)
    return { guard, names, fields: moduleFields(this.field) }
  }

  #report({ files, failure }: Outcome, { names }: ModuleRequest) {
    const changing = files.filter(({ action }) => action !== 'keep')
    const changed = !this.dryRun && changing.length > 0
    if (this.json) return this.#printJson({ changed, dryRun: this.dryRun, files, failure })
    for (const file of changing) this.#reportFile(file)
    if (failure) return this.#reportFailure(failure)
    if (changing.length === 0) this.logger.info('Nothing to do: the module is there as generated')
    else if (this.dryRun) this.logger.info('A dry run: nothing was written')
    else this.logger.success(`Try it: npm test -- --files=${names.many.snake}`)
  }

  #reportFailure({ command, output, remaining }: NonNullable<Outcome['failure']>) {
    const again = [command, ...remaining].map((name) => `node ace ${name}`).join(', ')
    this.logger.error(`${command} failed:\n${output}\nOnce this is mended, run: ${again}`)
  }

  #reportFile({ path, action }: FileResult) {
    this.logger.log(`${this.colors.green(action.padEnd(10))} ${path}`)
  }

  #fail(exitCode: number, message: string, files: string[] = []) {
    this.exitCode = exitCode
    if (this.json) return this.#printJson({ changed: false, error: message, files })
    this.logger.error([message, ...files.map((file) => `  ${file}`)].join('\n'))
  }

  #printJson(result: object) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
}
