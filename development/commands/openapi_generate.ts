import { readFile, writeFile } from 'node:fs/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

const FILE = 'docs/reference/openapi.json'

/** Writes the API description from the routes and what serves them, so that the two cannot drift apart. */
export default class OpenapiGenerate extends BaseCommand {
  static override commandName = 'openapi:generate'
  static override description = `Write ${FILE} from the routes, validators and controllers`
  static override help = [
    'Examples:',
    '  node ace openapi:generate',
    '  node ace openapi:generate --check',
    '',
    'Exit codes: 0 done, 1 a route cannot be described or, with --check, the file is out of date.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Change nothing; exit 1 with the difference when the file is old' })
  declare check: boolean

  override async run() {
    const { generateOpenApi, printOpenApi } = await import('#development/openapi/generate')
    const { describeDifference } = await import('#development/openapi/difference')
    const path = this.app.makePath(FILE)
    const document = await generateOpenApi().catch((error: Error) => this.#explain(error))
    if (!document) return
    const wanted = printOpenApi(document)
    const current = await readFile(path, 'utf8').catch(() => '')
    if (current === wanted) return this.logger.info(`${FILE} is up to date`)
    if (this.check) {
      this.exitCode = 1
      this.logger.error(`${FILE} is out of date: run node ace openapi:generate`)
      return describeDifference(current, wanted).forEach((line) => this.logger.log(line))
    }
    await writeFile(path, wanted)
    this.logger.success(`Wrote ${FILE}`)
  }

  #explain({ message }: Error) {
    this.exitCode = 1
    this.logger.error(`The API cannot be described (docs/how-to/describe-a-route.md):\n${message}`)
  }
}
