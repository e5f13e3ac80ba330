import type { Command } from 'commander'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'

const PROGRAM = pathToFileURL(join(projectPath(), 'packages/cli/dist/program.js')).href

/** All commands with an action, with their help. */
export async function allCommands() {
  const { buildProgram } = (await import(PROGRAM)) as { buildProgram: () => Command }
  return leaves(buildProgram()).map((command) => {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 200 })
    command.outputHelp()
    return { name: nameOf(command), summary: command.summary(), help }
  })
}

function leaves(command: Command): Command[] {
  if (command.commands.length === 0) return command.name() === '__complete' ? [] : [command]
  return command.commands.flatMap(leaves)
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
