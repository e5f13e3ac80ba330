import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { positiveInteger } from './command.ts'
import { access } from './commands/access.ts'
import { accessReview } from './commands/access_review.ts'
import { activity } from './commands/activity.ts'
import { apps } from './commands/apps.ts'
import { assignments } from './commands/assignments.ts'
import { attention } from './commands/attention.ts'
import { audit } from './commands/audit.ts'
import { brands } from './commands/brands.ts'
import { broadcast } from './commands/broadcast.ts'
import { cache } from './commands/cache.ts'
import { changes } from './commands/changes.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { explain } from './commands/explain.ts'
import { grants } from './commands/grants.ts'
import { instances } from './commands/instances.ts'
import { keys } from './commands/keys.ts'
import { languages } from './commands/languages.ts'
import { log } from './commands/log.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { notify } from './commands/notify.ts'
import { operations } from './commands/operations.ts'
import { permissions } from './commands/permissions.ts'
import { policy } from './commands/policy.ts'
import { profiles } from './commands/profiles.ts'
import { resources } from './commands/resources.ts'
import { roles } from './commands/roles.ts'
import { search } from './commands/search.ts'
import { suppressions } from './commands/suppressions.ts'
import { templates } from './commands/templates.ts'
import { users } from './commands/users.ts'
import { webhooks } from './commands/webhooks.ts'
import { FORMATS } from './terminal/print.ts'

const GROUPS = {
  'Access:': [
    apps,
    instances,
    permissions,
    roles,
    users,
    grants,
    assignments,
    policy,
    resources,
    keys,
    changes,
    check,
    explain,
    search,
    access,
    accessReview,
  ],
  'Messages:': [templates, notify, broadcast, log, suppressions, webhooks, brands, languages],
  'Setup:': [
    doctor,
    attention,
    activity,
    audit,
    operations,
    cache,
    login,
    logout,
    profiles,
    completion,
  ],
}

const FOOTER = `
The address and credentials come from options, then from the environment (CONCIERGE_URL,
CONCIERGE_TOKEN, CONCIERGE_INTERNAL_KEY, CONCIERGE_CHECK_KEY), then from the current profile.

Exit codes: 0 success, 1 refused, 2 negative result such as a denied check, 3 Concierge cannot be
reached, 64 invalid usage, 130 interrupted by Ctrl-C.

Examples:
  concierge login --url https://concierge.example.com
  concierge doctor
  concierge check alan@acme.example shop orders --level view --explain`

export function buildProgram(): Command {
  const program = new Command('concierge')
    .description('Operate Concierge from a terminal')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .option('--url <address>', 'address of the service, such as https://concierge.example.com')
    .option('--token <token>', 'access token; - reads it from stdin')
    .option(
      '--internal-key <key>',
      'key of an application or of the platform; - reads it from stdin'
    )
    .option('--check-key <key>', 'key of /api/check; - reads it from stdin')
    .option('--reason <text>', 'why you make a change, for the audit trail')
    .option('--profile <name>', 'profile to use instead of the current one')
    .addOption(
      new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table')
    )
    .option('-y, --yes', 'skip confirmation')
    .option('--timeout <seconds>', 'time limit per request', positiveInteger, 30)
    .addHelpText('after', FOOTER)
    .exitOverride()
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading)
    for (const add of commands) add(program)
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').description('Show help for a command')
  )
  return program
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
