import { Argument, type Command } from 'commander'
import { command } from '../command.ts'
import { candidates } from '../completion/candidates.ts'
import { SCRIPTS, type Shell } from '../completion/scripts.ts'
import { withSession } from '../session.ts'

export function completion(program: Command): void {
  command(program, 'completion', 'Print a shell completion script', [
    'concierge completion bash > ~/.local/share/bash-completion/completions/concierge',
    'concierge completion zsh > ~/.zfunc/_concierge      # a folder in $fpath',
    'concierge completion fish > ~/.config/fish/completions/concierge.fish',
  ])
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(SCRIPTS)))
    .action(withSession((session, shell: Shell) => session.text(SCRIPTS[shell])))

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      withSession((session, words: string[]) => {
        const found = candidates(program, words)
        if (found.length > 0) session.text(found.join('\n'))
      })
    )
}
