import { BaseCommand, flags } from '@adonisjs/core/ace'

/** A command with `--json`, which prints one JSON object on standard output and nothing else. */
export abstract class JsonCommand extends BaseCommand {
  @flags.boolean({ description: 'Print only JSON' })
  declare json: boolean

  /** @param show prints the result for people */
  protected report(result: object, show: () => void) {
    if (this.json) process.stdout.write(`${JSON.stringify(result)}\n`)
    else show()
  }
}
