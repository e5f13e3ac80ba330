import { EXIT } from '../exit_codes.ts'
import { say } from './say.ts'

/** Ends the command on Ctrl-C with a message. Returns a function that removes the listener. */
export function onInterrupt(message: string): () => void {
  const end = () => {
    say(`\n${message}`)
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', end)
  return () => void process.off('SIGINT', end)
}
