import { readFile, writeFile } from 'node:fs/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

const FILE = 'docs/reference/openapi.json'

export default class OpenapiGenerate extends BaseCommand {
  static override commandName = 'openapi:generate'
  static override description = `Write ${FILE} from the routes, validators and controllers`
  static override help = [
    'Examples:',
    '  node ace openapi:generate',
    '  node ace openapi:generate --check',
    '',
    'Exit codes: 0 done; 1 a route cannot be described or, with --check, the file is out of date.',
  ]
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({
    description: 'Change nothing; print the differences and exit 1 if the file is out of date',
  })
  declare check: boolean

  override async run() {
    const { generateOpenApi, printOpenApi } = await import('#development/openapi/generate')
    const { describeDifference } = await import('#development/openapi/difference')
    const path = this.app.makePath(FILE)
    const document = await generateOpenApi().catch((error: Error) => this.#explain(error))
    if (!document) return
    const expected = printOpenApi(document)
    const current = await readFile(path, 'utf8').catch(() => '')
    if (current === expected) return this.logger.info(`${FILE} is up to date`)
    if (this.check) {
      this.exitCode = 1
      this.logger.error(`${FILE} is out of date. Run node ace openapi:generate`)
      return describeDifference(current, expected).forEach((line) => this.logger.log(line))
    }
    await writeFile(path, expected)
    this.logger.success(`Wrote ${FILE}`)
  }

  #explain({ message }: Error) {
    this.exitCode = 1
    this.logger.error(
      `The API description could not be generated (see docs/how-to/describe-a-route.md):\n${message}`
    )
  }
}
