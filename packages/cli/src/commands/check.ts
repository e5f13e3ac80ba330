import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { explanationText, verdictText } from '../explanation_text.ts'
import { type Resource, parseResource } from '../resource.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

interface Options {
  level?: 'view' | 'edit' | 'allowed'
  resource?: Resource
  explain?: boolean
}

export function check(program: Command): void {
  command(program, 'check <email> <app> <permission>', 'Check whether a person has a permission', [
    'concierge check alan@acme.example shop orders --level view',
    'concierge check alan@acme.example shop orders --resource order:42 --explain',
    '',
    'Exits with 0 if allowed, 2 if denied. Requires the private network, but no token.',
  ])
    .addOption(
      new Option('--level <level>', 'required level; any by default').choices([
        'view',
        'edit',
        'allowed',
      ])
    )
    .addOption(new Option('--resource <type:id>', 'resource to check').argParser(parseResource))
    .option('--explain', 'show the rule and facts that decided, and what would allow it')
    .action(
      withSession(async (session, email: string, app: string, permission: string, options) => {
        const { level, resource: where, explain } = options as Options
        const body = {
          email,
          app,
          permission,
          ...(level && { level }),
          ...(where && { resourceType: where.type, resourceId: where.id }),
        }
        const request = { session, body }
        const allowed = explain ? await explainCheck(request) : await runCheck(request)
        process.exitCode = allowed ? EXIT.success : EXIT.negative
      })
    )
}

interface CheckRequest {
  session: Session
  body: { email: string; app: string; permission: string }
}

async function runCheck({ session, body }: CheckRequest): Promise<boolean> {
  const answer = await unwrapData(session.api.POST('/api/check', { body }))
  if (session.options.output !== 'table') session.print(answer)
  else session.text(verdictText(answer.allowed))
  return answer.allowed
}

async function explainCheck({ session, body }: CheckRequest): Promise<boolean> {
  const answer = await unwrapData(session.api.POST('/api/check/explain', { body }))
  if (session.options.output !== 'table') session.print(answer)
  else session.text(explanationText(answer))
  return answer.allowed
}
