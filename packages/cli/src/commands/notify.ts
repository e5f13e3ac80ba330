import type { Command } from 'commander'
import { command, several } from '../command.ts'
import { templateData } from '../document.ts'
import { EXIT } from '../exit_codes.ts'
import { withSession } from '../session.ts'

interface Options {
  data?: string[]
  dataFile?: string
  template?: string
  locale?: string
  idempotencyKey?: string
}

export function notify(program: Command): void {
  command(program, 'notify <email> <app> <type>', 'Tell one person something', [
    'concierge notify alan@acme.example shop generic --data subject=Hello --data "body=It is here"',
    'concierge notify alan@acme.example shop shipped --template express --data-file order.yaml',
    '',
    'Needs a key of the application or of the platform. Exits with 2 when nothing was sent: it failed, or the person has switched it off.',
  ])
    .option('--data <name=value>', 'a value for the template, or a JSON object of them', several)
    .option('--data-file <file>', 'values for the template, JSON or YAML; - is stdin')
    .option('--template <key>', 'template, where the type has several')
    .option('--locale <code>', 'language instead of theirs')
    .option('--idempotency-key <key>', 'the same key and message again sends nothing')
    .action(
      withSession(async (session, recipientEmail: string, appCode: string, type, options) => {
        const { data, dataFile, template, locale, idempotencyKey } = options as Options
        const values = templateData(data, dataFile)
        const request = {
          recipientEmail,
          appCode,
          type: type as string,
          ...(template !== undefined && { template }),
          ...(locale !== undefined && { locale }),
          ...(values && { data: values }),
        }
        const key = idempotencyKey === undefined ? {} : { idempotencyKey }
        const result = await session.client().notify(request, key)
        session.print(result)
        process.exitCode = result.status === 'sent' ? EXIT.done : EXIT.no
      })
    )
}
