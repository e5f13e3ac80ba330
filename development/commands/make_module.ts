import { args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { JsonCommand } from '#core/console/json_command'
import type { FileResult, Outcome } from '#development/module_generator/generate'
import type { ModuleRequest } from '#development/module_generator/stub_data'

const EXIT = { invalid: 1, conflict: 2, incomplete: 3 }

export default class MakeModule extends JsonCommand {
  static override commandName = 'make:module'
  static override description = 'Generate a section of the API, from the migration to the tests'
  static override help = [
    'A section is a folder under app/ for one resource. --guard sets who manages it:',
    '  application  /api/applications/:appCode/…, with the panel level `view` or `edit`',
    '  super-admin  /api/admin/…, for super admins only',
    '',
    'A field is name:type, or name:type? if it may be null or omitted. Types:',
    '  string (one line), text, slug, email, url, integer, boolean, timestamp',
    'The first field identifies a resource: it is required and unique within the application.',
    '',
    '--with=panel adds a screen to the admin panel: a list, a form, texts, its place in the navigation.',
    '',
    'A second run adds what is missing and changes nothing else.',
    '',
    'Examples:',
    '  node ace make:module facilities --resource=room',
    '  node ace make:module facilities --resource=room --field=code:slug --field="size:integer?"',
    '  node ace make:module announcements --guard=super-admin --field=title:string --field=body:text',
    '  node ace make:module facilities --resource=room --with=panel',
    '  node ace make:module facilities --resource=room --dry-run --json',
    '',
    'Exit codes: 0 done, or nothing to do; 1 the request is invalid, nothing was written; 2 a file of',
    'the project is in the way, nothing was written; 3 written, but generating another file failed.',
  ]
  static override options: CommandOptions = { startApp: false }

  @args.string({ description: 'Name of the section, such as facilities' })
  declare section: string

  @flags.string({ description: 'Name of the resource; default: the singular of the section' })
  declare resource?: string

  @flags.array({
    description: 'A field, name:type or name:type?; default: code:slug and name:string',
  })
  declare field?: string[]

  @flags.string({
    description: 'Who manages it: application or super-admin',
    default: 'application',
  })
  declare guard: string

  @flags.array({ description: 'What else to generate: panel' })
  declare with?: string[]

  @flags.boolean({ description: 'List the files without writing them' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Overwrite files of the module that were changed' })
  declare force: boolean

  override async run() {
    const errors = await import('#development/module_generator/generator_errors')
    try {
      if (this.app.inProduction)
        throw new errors.InvalidModuleRequest(
          'Modules can only be generated in a checkout of the source'
        )
      const request = await this.#request()
      const { generateModule } = await import('#development/module_generator/generate')
      const { dryRun, force } = this
      const outcome = await generateModule(request, this.app.makePath(), { dryRun, force })
      if (outcome.failure) this.exitCode = EXIT.incomplete
      this.#show(outcome, request)
    } catch (error) {
      if (error instanceof errors.InvalidModuleRequest) this.#fail(EXIT.invalid, error.message)
      else if (error instanceof errors.ProjectConflict)
        this.#fail(EXIT.conflict, error.message, error.files)
      else throw error
    }
  }

  async #request(): Promise<ModuleRequest> {
    const errors = await import('#development/module_generator/generator_errors')
    const { GUARDS } = await import('#development/module_generator/stub_data')
    const { moduleNames } = await import('#development/module_generator/names')
    const { moduleFields } = await import('#development/module_generator/fields')
    const guard = GUARDS.find((name) => name === this.guard)
    if (!guard)
      throw new errors.InvalidModuleRequest(
        `"${this.guard}" is not a guard: use ${GUARDS.join(' or ')}`
      )
    const unknown = this.with?.find((part) => part !== 'panel')
    if (unknown !== undefined)
      throw new errors.InvalidModuleRequest(`"${unknown}" cannot be generated: use --with=panel`)
    const names = moduleNames(this.section, this.resource)
    return { guard, names, fields: moduleFields(this.field), withPanel: this.with !== undefined }
  }

  #show({ files, failure }: Outcome, { names }: ModuleRequest) {
    const changing = files.filter(({ action }) => action !== 'keep')
    const changed = !this.dryRun && changing.length > 0
    this.report({ changed, dryRun: this.dryRun, files, failure }, () => {
      for (const file of changing) this.#showFile(file)
      if (failure) this.#showFailure(failure)
      else if (changing.length === 0) this.logger.info('Nothing to do: the module is complete')
      else if (this.dryRun) this.logger.info('This was a dry run: nothing was written')
      else this.logger.success(`Run its tests: npm test -- --files=${names.many.snake}`)
    })
  }

  #showFailure({ command, output, remaining }: NonNullable<Outcome['failure']>) {
    const commands = [command, ...remaining].map((name) => `node ace ${name}`).join(', ')
    this.logger.error(`${command} failed:\n${output}\nFix this, then run: ${commands}`)
  }

  #showFile({ path, action }: FileResult) {
    this.logger.log(`${this.colors.green(action.padEnd(10))} ${path}`)
  }

  #fail(exitCode: number, message: string, files: string[] = []) {
    this.exitCode = exitCode
    this.report({ changed: false, error: message, files }, () => {
      this.logger.error([message, ...files.map((file) => `  ${file}`)].join('\n'))
    })
  }
}
