import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { dataFileOption, dataOption, readText, templateData } from '../document.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { describeWarning } from '../templates/describe_warning.ts'
import { findTemplate } from '../templates/find_template.ts'
import { type Change, planChanges } from '../templates/plan_changes.ts'
import { readFolder, writeFolder } from '../templates/folder.ts'
import { readRemote } from '../templates/remote.ts'
import { sampleNamed } from '../templates/samples.ts'
import { TemplateWriter } from '../templates/template_writer.ts'
import { printable } from '../terminal/printable.ts'
import { say, warn } from '../terminal/say.ts'
import { templateHistory } from './template_history.ts'

interface PushOptions {
  dryRun?: boolean
  prune?: boolean
}

interface PreviewOptions {
  data?: string[]
  dataFile?: string
  sample?: string
  html?: boolean
  subject?: string
  bodyFile?: string
}

export function templates(program: Command): void {
  const parent = group(program, 'templates', 'Manage notification texts as files')

  command(parent, 'pull <app> <folder>', 'Download types, templates and languages into a folder', [
    'concierge templates pull shop ./texts',
    '',
    'Writes <type>/type.yaml, <type>/samples.yaml, <type>/<template>/template.yaml and for each',
    'language <locale>.subject.txt and <locale>.html. Overwrites existing files; deletes none.',
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
    'concierge templates preview shop shipped main cs --sample "First order"',
    'concierge templates preview shop shipped main cs --body-file draft.html',
  ])
    .addOption(dataOption())
    .addOption(dataFileOption())
    .option('--sample <name>', 'use sample data of the type, which --data and --data-file complete')
    .option('--html', 'print only the HTML')
    .option('--subject <text>', 'preview this subject instead of the stored one')
    .option('--body-file <file>', 'preview this body instead of the stored one; - reads stdin')
    .action(withSession(preview))

  templateHistory(parent)
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
    for (const warning of (await work()) ?? []) {
      warn(printable(`${what}: ${describeWarning(warning)}`))
    }
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
  const { id } = await findTemplate(session, { app, type, key })
  const { sample } = options
  const sampled = sample === undefined ? {} : await sampleNamed(session, app, type, sample)
  const values = { ...sampled, ...templateData(options.data, options.dataFile) }
  const message = await unwrapData(
    session.api.POST('/api/admin/notifications/templates/{id}/locales/{locale}/preview', {
      params: { path: { id, locale } },
      body: {
        data: values,
        ...(options.subject !== undefined && { subject: options.subject }),
        ...(options.bodyFile !== undefined && { body: readText(options.bodyFile) }),
      },
    })
  )
  for (const warning of message.warnings) warn(printable(describeWarning(warning)))
  if (options.html) return session.text(message.html)
  if (session.options.output !== 'table') return session.print(message)
  session.text(
    `${printable(message.subject)}\n\n${message.text.split('\n').map(printable).join('\n')}`
  )
}
