import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { dataFileOption, dataOption, templateData } from '../document.ts'
import { notFound } from '../errors.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { type Change, planChanges } from '../templates/plan_changes.ts'
import { readFolder, writeFolder } from '../templates/folder.ts'
import { readRemote } from '../templates/remote.ts'
import { TemplateWriter } from '../templates/template_writer.ts'
import { printable } from '../terminal/printable.ts'
import { say, warn } from '../terminal/say.ts'

interface PushOptions {
  dryRun?: boolean
  prune?: boolean
}

interface PreviewOptions {
  data?: string[]
  dataFile?: string
  html?: boolean
}

export function templates(program: Command): void {
  const parent = group(program, 'templates', 'Manage notification texts as files')

  command(parent, 'pull <app> <folder>', 'Download types, templates and languages into a folder', [
    'concierge templates pull shop ./texts',
    '',
    'Writes <type>/type.yaml, <type>/<template>/template.yaml and for each language',
    '<locale>.subject.txt and <locale>.html. Overwrites existing files; deletes none.',
  ]).action(
    withSession(async (session, app: string, folder: string) => {
      const texts = await readRemote(session, app)
      const versions = writeFolder(folder, texts)
      session.print({ folder, types: texts.types.size, versions })
    })
  )

  command(parent, 'push <app> <folder>', 'Upload types, templates and languages from a folder', [
    'concierge templates push shop ./texts --dry-run',
    'concierge templates push shop ./texts --yes',
    'concierge templates push shop ./texts --prune --dry-run',
  ])
    .option('--dry-run', 'show the changes without applying them')
    .option('--prune', 'delete templates and languages missing from the folder')
    .action(withSession(push))

  command(parent, 'preview <app> <type> <template> <locale>', 'Preview a message of a template', [
    'concierge templates preview shop shipped main cs --data orderId=42',
    'concierge templates preview shop shipped main cs --data-file order.yaml --html > mail.html',
  ])
    .addOption(dataOption())
    .addOption(dataFileOption())
    .option('--html', 'print only the HTML')
    .action(withSession(preview))
}

async function push(session: Session, app: string, folder: string, options: PushOptions) {
  const local = readFolder(folder)
  const remote = await readRemote(session, app)
  const writer = new TemplateWriter(session, app)
  const planned = planChanges(writer, local, remote, options.prune ?? false)
  session.print(
    planned.map(({ action, what }) => ({ action, what })),
    ['action', 'what']
  )
  if (planned.length === 0) say('The service already matches the folder')
  if (options.dryRun || planned.length === 0) return
  await session.confirm(`Apply these ${planned.length} changes to ${app}?`)
  for (const change of planned) await apply(change)
  say(`Applied ${planned.length} changes`)
}

/** After a failure, the next push continues with the remaining changes. */
async function apply({ action, what, apply: work }: Change) {
  try {
    const warnings = await work()
    for (const text of Array.isArray(warnings) ? warnings : []) warn(printable(`${what}: ${text}`))
  } catch (error) {
    say(printable(`Stopped at: ${action} ${what}`))
    throw error
  }
}

async function preview(
  session: Session,
  app: string,
  type: string,
  key: string,
  locale: string,
  options: PreviewOptions
) {
  const path = { appCode: app, type }
  const listed = await unwrapData(
    session.api.GET('/api/admin/notifications/types/{appCode}/{type}/templates', {
      params: { path },
    })
  )
  const template = listed.find((each) => each.key === key)
  if (!template) throw notFound('TEMPLATE_NOT_FOUND', `${type} has no template ${key}`)
  const values = templateData(options.data, options.dataFile)
  const message = await unwrapData(
    session.api.POST('/api/admin/notifications/templates/{id}/locales/{locale}/preview', {
      params: { path: { id: template.id, locale } },
      body: values ? { data: values } : {},
    })
  )
  if (message.missing.length > 0) warn(printable(`missing: ${message.missing.join(', ')}`))
  if (options.html) return session.text(message.html)
  if (session.options.output !== 'table') return session.print(message)
  session.text(
    `${printable(message.subject)}\n\n${message.text.split('\n').map(printable).join('\n')}`
  )
}
