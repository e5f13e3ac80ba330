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
  const text = printable(question)
  if (!process.stdin.isTTY)
    throw usageFailure(`${text} Confirmation requires a terminal; use --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.once('SIGINT', () => process.exit(130))
  const answer = await terminal.question(`${text} [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw usageFailure('Cancelled; nothing was changed')
}
