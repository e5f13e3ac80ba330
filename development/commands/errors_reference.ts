import { readFile, writeFile } from 'node:fs/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

const FILE = 'docs/reference/errors.md'

export default class ErrorsReference extends BaseCommand {
  static override commandName = 'errors:reference'
  static override description = `Write ${FILE} from the problems the code declares`
  static override help = [
    'Examples:',
    '  node ace errors:reference',
    '  node ace errors:reference --check',
    '',
    'Exit codes: 0 done; 1 with --check, the file is out of date.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Change nothing; exit 1 if the file is out of date' })
  declare check: boolean

  override async run() {
    const { renderErrorsReference } = await import('#core/exceptions/reference')
    const path = this.app.makePath(FILE)
    const expected = await renderErrorsReference()
    const current = await readFile(path, 'utf8').catch(() => '')
    if (current === expected) return this.logger.info(`${FILE} is up to date`)
    if (this.check) {
      this.exitCode = 1
      return this.logger.error(`${FILE} is out of date. Run node ace errors:reference`)
    }
    await writeFile(path, expected)
    this.logger.success(`Wrote ${FILE}`)
  }
}
