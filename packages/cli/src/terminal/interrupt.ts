import { EXIT } from '../exit_codes.ts'
import { say } from './say.ts'

/** On Ctrl-C the command ends and says how to take it up again. Answers how to stop listening. */
export function onInterrupt(message: string): () => void {
  const end = () => {
    say(`\n${message}`)
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', end)
  return () => void process.off('SIGINT', end)
}
