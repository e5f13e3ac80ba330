import { readFile, writeFile } from 'node:fs/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'

/** A command that writes a page of the reference from the code, or checks that it is up to date. */
export abstract class GeneratedPage extends BaseCommand {
  /** Relative to the project. */
  abstract readonly file: string

  /** @returns the page as it should be */
  abstract render(): Promise<string>

  @flags.boolean({ description: 'Change nothing; exit 1 if the file is out of date' })
  declare check: boolean

  override async run() {
    const path = this.app.makePath(this.file)
    const wanted = await this.render()
    const current = await readFile(path, 'utf8').catch(() => '')
    if (current === wanted) return this.logger.info(`${this.file} is up to date`)
    if (this.check) {
      this.exitCode = 1
      return this.logger.error(`${this.file} is out of date. Run: node ace ${this.commandName}`)
    }
    await writeFile(path, wanted)
    this.logger.success(`Wrote ${this.file}`)
  }
}

export const helpFor = (name: string) => [
  'Examples:',
  `  node ace ${name}`,
  `  node ace ${name} --check`,
  '',
  'Exit codes: 0 done, 1 with --check: the file is out of date.',
]
