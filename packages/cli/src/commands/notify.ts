import type { Command } from 'commander'
import { command, wholeNumber } from '../command.ts'
import { printDeliveryExplanation } from '../delivery_explanation_text.ts'
import { dataFileOption, dataOption, templateData } from '../document.ts'
import { EXIT } from '../exit_codes.ts'
import { withSession } from '../session.ts'
import { toTimestamp } from '../timestamp.ts'

interface Options {
  data?: string[]
  dataFile?: string
  template?: string
  locale?: string
  retryHours?: number
  sendAt?: string
  idempotencyKey?: string
  explain?: boolean
}

export function notify(program: Command): void {
  command(program, 'notify <email> <app> <type>', 'Send a notification to one recipient', [
    'concierge notify alan@acme.example shop generic --data subject=Hello --data "body=It is here"',
    'concierge notify alan@acme.example shop shipped --template express --data-file order.yaml',
    'concierge notify alan@acme.example shop generic --data-file news.yaml --send-at 2030-01-31T09:00+01:00',
    'concierge notify alan@acme.example shop shipped --data-file order.yaml --explain',
    '',
    'Requires a key of the application or platform. Exits with 2 if sending failed or was skipped,',
    'or with --explain would fail, be skipped or refused.',
  ])
    .addOption(dataOption())
    .addOption(dataFileOption())
    .option('--template <key>', 'template; required if the type has several')
    .option('--locale <code>', 'language instead of that of the recipient')
    .option('--retry-hours <hours>', 'retry temporary failures for 0 to 72 hours', wholeNumber)
    .option('--send-at <time>', 'send it at this time, at most 90 days ahead', toTimestamp)
    .option('--idempotency-key <key>', 'key that prevents the same message from being sent twice')
    .option('--explain', 'show what would be sent and why, and send nothing')
    .action(
      withSession(async (session, recipientEmail: string, appCode: string, type, options) => {
        const { data, dataFile, template, locale, retryHours, sendAt, idempotencyKey, explain } =
          options as Options
        const values = templateData(data, dataFile)
        const request = {
          recipientEmail,
          appCode,
          type: type as string,
          ...(template !== undefined && { template }),
          ...(locale !== undefined && { locale }),
          ...(retryHours !== undefined && { retryHours }),
          ...(sendAt !== undefined && { sendAt }),
          ...(values && { data: values }),
        }
        if (explain) {
          const explanation = await session.client().explainSend(request)
          printDeliveryExplanation(session, explanation)
          const isSent = ['send', 'schedule'].includes(explanation.decision)
          process.exitCode = isSent ? EXIT.success : EXIT.negative
          return
        }
        const key = idempotencyKey === undefined ? {} : { idempotencyKey }
        const result = await session.client().notify(request, key)
        session.print(result)
        const isDone = ['sent', 'scheduled'].includes(result.status)
        process.exitCode = isDone ? EXIT.success : EXIT.negative
      })
    )
}
