import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { notConcierge } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { type Explanation, explanationText, verdictText } from '../explanation_text.ts'
import { type Resource, parseResource } from '../resource.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import { warn } from '../terminal/say.ts'

interface Options {
  level?: 'view' | 'edit' | 'allowed'
  resource?: Resource
  explain?: boolean
}

export const levelOption = () =>
  new Option('--level <level>', 'required level; any by default').choices([
    'view',
    'edit',
    'allowed',
  ])

export const resourceOption = () =>
  new Option(
    '--resource <type:id>',
    'resource, such as order:42; the whole application by default'
  ).argParser(parseResource)

export function check(program: Command): void {
  command(program, 'check <email> <app> <permission>', 'Check whether a user has a permission', [
    'concierge check alan@acme.example shop orders --level view',
    'concierge check alan@acme.example shop orders --resource order:42 --explain',
    '',
    'Exits with 0 if allowed, 2 if denied. Requires the private network, but no token. Elsewhere, use',
    'concierge explain.',
  ])
    .addOption(levelOption())
    .addOption(resourceOption())
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

interface Asked {
  app: string
  permission: string
}

interface CheckRequest {
  session: Session
  body: Asked & { email: string }
}

async function runCheck({ session, body }: CheckRequest): Promise<boolean> {
  const decision = await unwrapData(session.api.POST('/api/check', { body }))
  requireVerdict(decision)
  if (session.options.output !== 'table') session.print(decision)
  else session.text(verdictText(decision.allowed))
  if (!decision.allowed) await warnIfUnknown({ session, body })
  return decision.allowed
}

/** What answers may be something else, and an error is never a verdict. */
function requireVerdict(decision: { allowed: unknown } | undefined) {
  if (typeof decision?.allowed === 'boolean') return
  throw notConcierge('has no decision')
}

/** The verdict is valid, whether or not it can be explained. */
async function warnIfUnknown({ session, body }: CheckRequest) {
  const explanation = await unwrapData(session.api.POST('/api/check/explain', { body })).catch(
    () => null
  )
  if (explanation) warnOfUnknown(explanation, body)
}

function warnOfUnknown({ unknown }: Explanation, { app, permission }: Asked) {
  if (unknown === 'application') warn(`there is no application ${printable(app)}`)
  if (unknown === 'permission') warn(`${printable(app)} has no permission ${printable(permission)}`)
}

async function explainCheck({ session, body }: CheckRequest): Promise<boolean> {
  const explanation = await unwrapData(session.api.POST('/api/check/explain', { body }))
  requireVerdict(explanation)
  printExplanation(session, explanation, body)
  return explanation.allowed
}

export function printExplanation(session: Session, explanation: Explanation, asked: Asked) {
  if (session.options.output !== 'table') session.print(explanation)
  else session.text(explanationText(explanation))
  warnOfUnknown(explanation, asked)
}
