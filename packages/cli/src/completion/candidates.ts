import type { Command, Option } from 'commander'

/** The completions of the last word: commands, options and choices. */
export function candidates(program: Command, words: string[]): string[] {
  const before = words.slice(0, -1)
  const typed = words.at(-1) ?? ''
  const { command, awaiting } = walk(program, before)
  const all = awaiting ? (awaiting.argChoices ?? []) : namesIn(command, typed)
  return all.filter((name) => name.startsWith(typed))
}

/** Finds the command that the words name; `awaiting` is an option whose value comes next. */
function walk(program: Command, words: string[]) {
  let command = program
  let awaiting: Option | undefined
  for (const word of words) {
    if (awaiting) awaiting = undefined
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short)
      awaiting = option?.required ? option : undefined
    } else {
      command = command.commands.find((each) => each.name() === word) ?? command
    }
  }
  return { command, awaiting }
}

function namesIn(command: Command, typed: string): string[] {
  if (typed.startsWith('-')) {
    const names = optionsOf(command).flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
    return [...names, '--help']
  }
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  return [
    ...command
      .createHelp()
      .visibleCommands(command)
      .map((each) => each.name()),
    ...choices,
  ]
}

function optionsOf(command: Command): Option[] {
  const own = [...command.options]
  return command.parent ? [...own, ...optionsOf(command.parent)] : own
}
