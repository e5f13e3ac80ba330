import { templateData, readText } from '../document.ts'
import { usageFailure } from '../errors.ts'

export interface SendOptions {
  idempotencyKey?: string
  type: string
  to: string
  email?: string[]
  emailsFile?: string
  template?: string
  data?: string[]
  dataFile?: string
  locale?: string
  rate?: number
  at?: string
  expect?: number
  detach?: boolean
  dryRun?: boolean
}

export type ChangeOptions = Partial<SendOptions>

/** Only what is to change. @throws a usage failure if that is nothing */
export function broadcastChanges(options: ChangeOptions) {
  const { type, template, locale, rate, at, to } = options
  if (to === undefined) refuseAddresses(options)
  const data = templateData(options.data, options.dataFile)
  const changes = {
    ...(type !== undefined && { type }),
    ...(to !== undefined && { audience: audience({ ...options, to }) }),
    ...(template !== undefined && { template }),
    ...(data && { data }),
    ...(locale !== undefined && { locale }),
    ...(rate !== undefined && { ratePerSecond: rate }),
    ...(at !== undefined && { scheduledAt: at }),
  }
  if (Object.keys(changes).length > 0) return changes
  throw usageFailure('Nothing to change: give at least one option')
}

/** See broadcasts.md#broadcast-request. */
export function broadcastRequest(options: SendOptions) {
  const { type, template, locale, rate, at } = options
  const data = templateData(options.data, options.dataFile)
  return {
    type,
    audience: audience(options),
    ...(template !== undefined && { template }),
    ...(data && { data }),
    ...(locale !== undefined && { locale }),
    ...(rate !== undefined && { ratePerSecond: rate }),
    ...(at !== undefined && { scheduledAt: at }),
  }
}

type Addresses = Pick<SendOptions, 'email' | 'emailsFile'>

function audience({ to, email = [], emailsFile }: Addresses & Pick<SendOptions, 'to'>) {
  if (to !== 'emails') refuseAddresses({ email, emailsFile })
  const [kind, roleCode] = to.split(/:(.*)/s)
  if (kind === 'role' && roleCode) return { kind, roleCode } as const
  if (to === 'application' || to === 'all') return { kind: to } as const
  if (to !== 'emails') throw usageFailure('--to must be application, role:<code>, emails or all')
  const listed = emailsFile === undefined ? [] : readText(emailsFile).split(/\r?\n/)
  const emails = [...email, ...listed].map((each) => each.trim()).filter((each) => each !== '')
  if (emails.length > 0) return { kind: to, emails } as const
  throw usageFailure('--to emails requires --email or --emails-file')
}

/** Otherwise a message for a few would go to the whole audience. */
function refuseAddresses({ email = [], emailsFile }: Addresses) {
  if (email.length === 0 && emailsFile === undefined) return
  throw usageFailure('--email and --emails-file require --to emails')
}
