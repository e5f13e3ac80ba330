import { unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import type { Resource } from '../resource.ts'
import { unwrapData, withSession } from '../session.ts'
import { levelOption, printExplanation, resourceOption } from './check.ts'

interface Options {
  for?: string
  level?: 'view' | 'edit' | 'allowed'
  resource?: Resource
}

export function explain(program: Command): void {
  command(program, 'explain <app> <permission>', 'Explain why a user has a permission, or not', [
    'concierge explain shop orders --for alan@acme.example',
    'concierge explain shop orders --for alan@acme.example --level edit --resource order:42',
    'concierge explain shop orders   # about yourself',
    '',
    'Shows the rule and facts that decided, and what would allow it. Exits with 0 if allowed, 2 if',
    'denied. --for requires the panel level view on the application.',
  ])
    .option('--for <email>', 'user; yourself by default')
    .addOption(levelOption())
    .addOption(resourceOption())
    .action(
      withSession(async (session, app: string, permission: string, options: Options) => {
        const { for: email, level, resource } = options
        const question = {
          permission,
          ...(level && { level }),
          ...(resource && { resourceType: resource.type, resourceId: resource.id }),
        }
        const path = '/api/applications/{appCode}/access/explain'
        const params = { path: { appCode: app } }
        const explanation =
          email === undefined
            ? await unwrap(
                session.api.POST('/api/profile/me/check/explain', { body: { app, ...question } })
              )
            : await unwrapData(session.api.POST(path, { params, body: { email, ...question } }))
        printExplanation(session, explanation, { app, permission })
        process.exitCode = explanation.allowed ? EXIT.success : EXIT.negative
      })
    )
}
