import { CommanderError } from 'commander'
import { describeError } from './errors.ts'
import { EXIT } from './exit_codes.ts'
import { buildProgram } from './program.ts'
import { say, styled } from './terminal/say.ts'

/** Sets the exit code instead of exiting, so that all output is written. */
export async function run(argv: string[]): Promise<void> {
  process.stdout.on('error', endQuietly)
  try {
    await buildProgram().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.success : EXIT.usage
      return
    }
    const { message, exitCode, hint } = describeError(error)
    say(`${styled('red', 'error:')} ${message}`)
    if (hint !== undefined) say(hint)
    process.exitCode = exitCode
  }
}

/** The reader closed the pipe, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException) {
  if (error.code === 'EPIPE') process.exit(process.exitCode)
  throw error
}
