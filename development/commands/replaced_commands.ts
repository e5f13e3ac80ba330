import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** Generators of the framework that write to the wrong folder, and where their files go here. */
const DESTINATIONS: Record<string, string> = {
  'make:controller': 'app/<section>/controllers/<things>_controller.ts',
  'make:model': 'app/<section>/models/<thing>.ts',
  'make:validator': 'app/<section>/validators/<thing>_validator.ts',
  'make:transformer': 'app/<section>/transformers/<thing>_resource.ts, a typed function',
  'make:exception': 'app/<section>/exceptions.ts, with defineProblem',
  'make:event': 'app/<section>/events/<thing_happened>.ts',
  'make:listener': 'app/<section>/listeners/<do_something>.ts, wired in start/events.ts',
  'make:middleware': 'app/<section>/middleware/<name>_middleware.ts, named in start/kernel.ts',
  'make:service': 'app/<section>/actions/<do_something>.ts',
  'make:factory': 'database/factories/<thing>_factory.ts',
  'make:view': 'nowhere, because this service renders no pages',
}

function replacement(commandName: string, place: string) {
  const command = class extends BaseCommand {
    static override commandName = commandName
    static override description = `Not used in this project; shows where the file belongs`
    static override options: CommandOptions = { startApp: false, allowUnknownFlags: true }

    override async run() {
      this.exitCode = 1
      this.logger.error(
        `This project is organised by section, so ${commandName} would write to the wrong folder.\n` +
          `  A single file:   ${place}, like those beside it\n` +
          '  A new section:   node ace make:module <section> (node ace make:module --help)'
      )
    }
  }
  command.defineArgument('names', { type: 'spread', required: false })
  return command
}

export const replacedCommands = Object.entries(DESTINATIONS).map(([commandName, place]) =>
  replacement(commandName, place)
)
