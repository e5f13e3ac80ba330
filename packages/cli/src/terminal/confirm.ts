import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { usageFailure } from '../errors.ts'
import { printable } from './printable.ts'

/**
 * Asks before an irreversible change. Without a terminal, `--yes` is required.
 *
 * @throws Failure unless the user agrees
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  const answer = await ask(question, '[y/N]')
  if (!/^y(es)?$/i.test(answer)) throw cancelled()
}

/**
 * Asks to type the name of what an irreversible change destroys.
 *
 * @throws Failure unless the user types it
 */
export async function confirmByName(
  question: string,
  name: string,
  yes: boolean | undefined
): Promise<void> {
  if (yes) return
  const answer = await ask(question, `Type ${printable(name)} to confirm:`)
  if (answer !== name) throw cancelled()
}

const cancelled = () => usageFailure('Cancelled; nothing was changed')

async function ask(question: string, prompt: string): Promise<string> {
  const text = printable(question)
  if (!process.stdin.isTTY)
    throw usageFailure(`${text} Confirmation requires a terminal; use --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.once('SIGINT', () => process.exit(130))
  // At the end of the input there is no answer.
  const ended = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(`${text} ${prompt} `), ended])
  terminal.close()
  return answer.trim()
}
