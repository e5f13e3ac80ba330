import { conciergeCommand, option } from '@/api/commands'
import type { Audience } from '@/queries/broadcasts'

const COMMAND = '/api/admin/notifications/broadcast/:appCode'

/** How a broadcast is written as a command. */
function audienceWords(audience: Audience | undefined): string[] {
  if (!audience) return []
  if (audience.kind === 'role') return ['--to', `role:${audience.roleCode}`]
  if (audience.kind !== 'emails') return ['--to', audience.kind]
  return ['--to', 'emails', ...audience.emails.flatMap((email) => ['--email', email])]
}

function contentWords(body: Record<string, unknown>): string[] {
  const { type, audience, data, template, locale, ratePerSecond, scheduledAt } = body
  return [
    ...option('type', type),
    ...audienceWords(audience as Audience | undefined),
    ...option('template', template),
    ...(data ? ['--data', JSON.stringify(data)] : []),
    ...option('locale', locale),
    ...option('rate', ratePerSecond),
    ...option('at', scheduledAt),
  ]
}

conciergeCommand('POST', COMMAND, ([appCode], body) => [
  'broadcast',
  'send',
  appCode,
  ...contentWords(body),
  ...option('expect', body.expectedTotal),
])
conciergeCommand('POST', `${COMMAND}/preview`, ([appCode], body) => [
  'broadcast',
  'preview',
  appCode,
  ...contentWords(body),
])
/** The command line cannot set something back to its default. */
conciergeCommand('PUT', `${COMMAND}/:id`, ([appCode, id], body) =>
  Object.values(body).includes(null)
    ? null
    : ['broadcast', 'change', appCode, id, ...contentWords(body)]
)
for (const step of ['pause', 'resume', 'cancel'] as const) {
  conciergeCommand('POST', `${COMMAND}/:id/${step}`, ([appCode, id]) => [
    'broadcast',
    step,
    appCode,
    id,
  ])
}
