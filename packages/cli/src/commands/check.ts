import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { explanationText, verdictText } from '../explanation_text.ts'
import { type Resource, resource } from '../resource.ts'
import { type Session, data, withSession } from '../session.ts'

interface Options {
  level?: 'view' | 'edit' | 'allowed'
  resource?: Resource
  explain?: boolean
}

export function check(program: Command): void {
  command(program, 'check <email> <app> <permission>', 'May this person do this?', [
    'concierge check alan@acme.example shop orders --level view',
    'concierge check alan@acme.example shop orders --resource order:42 --explain',
    '',
    'Exits with 0 for yes and 2 for no. Asked from the private network, without a token.',
  ])
    .addOption(
      new Option('--level <level>', 'level that is needed; any by default').choices([
        'view',
        'edit',
        'allowed',
      ])
    )
    .addOption(new Option('--resource <type:id>', 'on this resource').argParser(resource))
    .option('--explain', 'say which rule decided, by which facts, and what would allow it')
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
        const ask = { session, body }
        const allowed = explain ? await explained(ask) : await answered(ask)
        process.exitCode = allowed ? EXIT.done : EXIT.no
      })
    )
}

interface Asked {
  session: Session
  body: { email: string; app: string; permission: string }
}

async function answered({ session, body }: Asked): Promise<boolean> {
  const answer = await data(session.api.POST('/api/check', { body }))
  if (session.options.output !== 'table') session.print(answer)
  else session.text(verdictText(answer.allowed))
  return answer.allowed
}

async function explained({ session, body }: Asked): Promise<boolean> {
  const answer = await data(session.api.POST('/api/check/explain', { body }))
  if (session.options.output !== 'table') session.print(answer)
  else session.text(explanationText(answer))
  return answer.allowed
}
