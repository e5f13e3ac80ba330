import type { AccessChange } from '@concierge/client'
import type { Command } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { readList } from '../document.ts'
import { DEFAULT_FLIPS, printPreview } from '../preview.ts'
import { withSession } from '../session.ts'

interface Bounds {
  limit: number
  all?: boolean
}

export function access(program: Command): void {
  const parent = group(program, 'access', 'Preview access changes')

  command(parent, 'preview <app> <file>', 'Show which decisions changes would flip', [
    'concierge access preview shop changes.json',
    'concierge access preview shop changes.yaml --all --output json',
    '',
    'The file is a list of changes in JSON or YAML, such as [{"op": "deleteRole", "role":',
    '"clerk"}]; - reads stdin. They are tried out together, and nothing is changed.',
  ])
    .option('--limit <count>', 'maximum number of flips', positiveInteger, DEFAULT_FLIPS)
    .option('--all', 'list all flips')
    .action(
      withSession(async (session, app: string, file: string, bounds: Bounds) => {
        // The service validates them.
        const changes = readList(file, 'changes') as AccessChange[]
        await printPreview(session, app, changes, bounds)
      })
    )
}
