import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** The framework's generators that know folders by type only, and where what they make goes here. */
const GOES: Record<string, string> = {
  'make:controller': 'app/<section>/controllers/<things>_controller.ts',
  'make:model': 'app/<section>/models/<thing>.ts',
  'make:validator': 'app/<section>/validators/<thing>_validator.ts',
  'make:transformer': 'app/<section>/transformers/<thing>.ts, a typed function',
  'make:exception': 'app/<section>/exceptions.ts, with defineProblem',
  'make:event': 'app/<section>/events/<thing_happened>.ts',
  'make:listener': 'app/<section>/listeners/<do_something>.ts, wired in start/events.ts',
  'make:middleware': 'app/<section>/middleware/<name>_middleware.ts, named in start/kernel.ts',
  'make:service': 'app/<section>/actions/<do_something>.ts',
  'make:factory': 'database/factories/<thing>_factory.ts',
  'make:view': 'nowhere: this service renders no pages',
}

/** A command that says where its file goes instead of writing it to the wrong place. */
function replaced(commandName: string, place: string) {
  const command = class extends BaseCommand {
    static override commandName = commandName
    static override description = `Says where it goes here; make:module makes a whole section`
    static override options: CommandOptions = { startApp: false, allowUnknownFlags: true }

    override async run() {
      this.exitCode = 1
      this.logger.error(
        `This project is grouped by section, so ${commandName} would write to the wrong folder.\n` +
          `  One more file:   ${place}, written like those beside it\n` +
          '  A new section:   node ace make:module <section> (node ace make:module --help)'
      )
    }
  }
  command.defineArgument('names', { type: 'spread', required: false })
  return command
}

export const replacedCommands = Object.entries(GOES).map(([commandName, place]) =>
  replaced(commandName, place)
)
