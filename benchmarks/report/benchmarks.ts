/** All benchmarks with a place on the page, in its order. */
export const BENCHMARKS = [
  {
    folder: 'checks',
    command: 'checks',
    title: 'Checks',
    about:
      'The CPU time of a request at its server, beside a bare `node:http` echo, other libraries and another authorization server that answer the same questions.',
  },
  {
    folder: 'reads',
    command: 'reads',
    title: 'Reads of one user',
    about: 'What applications and the panel read most, with a verified token.',
  },
  {
    folder: 'delivery',
    command: 'delivery',
    title: 'Sends and the inbox',
    about:
      'Single and bulk sends by SMTP, beside plain nodemailer that sends the same mails with the same DKIM key.',
  },
  {
    folder: 'broadcast',
    command: 'broadcast',
    title: 'Broadcasts',
    about: 'Mails to a large audience, what they cost checks meanwhile, and the memory they need.',
  },
  {
    folder: 'inbox_streams',
    command: 'inbox-streams',
    title: 'Live inboxes',
    about: '5,000 open streams in one process.',
  },
  {
    folder: 'near_cache',
    command: 'near-cache',
    title: 'Near caches',
    about:
      'Checks that the calling application remembers itself, and the streams that keep them right.',
  },
  {
    folder: 'search',
    command: 'search',
    title: 'Searches',
    about: 'Who may do what, and what may be done, on PostgreSQL with a million users.',
  },
  {
    folder: 'preview',
    command: 'preview',
    title: 'Previews of changes',
    about: 'Who would gain and lose what, with 10,000 users.',
  },
  {
    folder: 'decision_log',
    command: 'decision-log',
    title: 'Decision log',
    about: 'What it adds to a cached check.',
  },
  {
    folder: 'audit',
    command: 'audit',
    title: 'Audit trail',
    about:
      'What it adds to changes, and how its list grows from ten thousand entries to ten million.',
  },
  {
    folder: 'start',
    command: 'start',
    title: 'Start and memory at rest',
    about: 'The production build on a migrated SQLite database, before its first request.',
  },
  {
    folder: 'simulate',
    command: 'simulate',
    title: 'Simulated deployments',
    about:
      'Not measured but calculated from the figures above: how many machines of 16 cores and replicas answer how many checks, and what is overloaded first.',
  },
] as const
