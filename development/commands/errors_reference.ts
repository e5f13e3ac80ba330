import { readFile, writeFile } from 'node:fs/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

const FILE = 'docs/reference/errors.md'

/** Writes the error reference from the problems the code declares, so that the two cannot drift apart. */
export default class ErrorsReference extends BaseCommand {
  static override commandName = 'errors:reference'
  static override description = `Write ${FILE} from the problems the code declares`
  static override help = [
    'Examples:',
    '  node ace errors:reference',
    '  node ace errors:reference --check',
    '',
    'Exit codes: 0 done, 1 with --check: it is out of date.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Change nothing; exit 1 when the file is out of date' })
  declare check: boolean

  override async run() {
    const { renderErrorsReference } = await import('#core/exceptions/reference')
    const path = this.app.makePath(FILE)
    const wanted = await renderErrorsReference()
    const current = await readFile(path, 'utf8').catch(() => '')
    if (current === wanted) return this.logger.info(`${FILE} is up to date`)
    if (this.check) {
      this.exitCode = 1
      return this.logger.error(`${FILE} is out of date: run node ace errors:reference`)
    }
    await writeFile(path, wanted)
    this.logger.success(`Wrote ${FILE}`)
  }
}
