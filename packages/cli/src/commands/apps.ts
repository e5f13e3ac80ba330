import type { Command } from 'commander'
import { codeList, command, group, textOrNull } from '../command.ts'
import { DRY_RUN, type DeletionOptions, printDeletion, withDryRun } from '../deletion.ts'
import { unwrapData, withSession } from '../session.ts'

const COLUMNS = ['code', 'name', 'description', 'supportedLanguages']

interface Fields {
  name?: string
  description?: string
  languages?: string[]
}

export function apps(program: Command): void {
  const parent = group(program, 'apps', 'Manage applications')

  command(parent, 'list', 'List the applications you can see', ['concierge apps list']).action(
    withSession(async (session) => {
      session.print(await unwrapData(session.api.GET('/api/applications')), COLUMNS)
    })
  )

  command(parent, 'show <app>', 'Show an application', [
    'concierge apps show shop --output json',
  ]).action(
    withSession(async (session, appCode: string) => {
      const params = { path: { appCode } }
      session.print(await unwrapData(session.api.GET('/api/applications/{appCode}', { params })))
    })
  )

  withFields(
    command(parent, 'create <app>', 'Create an application', [
      'concierge apps create shop --name Shop',
      'concierge apps create shop --name Shop --languages cs,en',
    ])
  ).action(
    withSession(async (session, code: string, { name = code, ...fields }: Fields) => {
      const body = { code, name, ...bodyOf(fields) }
      session.print(await unwrapData(session.api.POST('/api/applications', { body })))
    })
  )

  withFields(
    command(parent, 'update <app>', 'Update an application', [
      "concierge apps update shop --description 'Sells things'",
      "concierge apps update shop --languages ''   # no restriction",
    ])
  ).action(
    withSession(async (session, appCode: string, { name, ...fields }: Fields) => {
      const params = { path: { appCode } }
      const body = { ...(name !== undefined && { name }), ...bodyOf(fields) }
      session.print(
        await unwrapData(session.api.PUT('/api/applications/{appCode}', { params, body }))
      )
    })
  )

  withDryRun(
    command(parent, 'delete <app>', 'Delete an application and all its data', [
      'concierge apps delete shop --dry-run',
      'concierge apps delete shop',
    ])
  ).action(
    withSession(async (session, appCode: string, { dryRun }: DeletionOptions) => {
      const params = { path: { appCode } }
      if (dryRun) {
        const result = session.api.DELETE('/api/applications/{appCode}', {
          params: { ...params, query: DRY_RUN },
        })
        return printDeletion(session, result)
      }
      await session.confirm(`Delete ${appCode} with its permissions, roles and templates?`)
      await session.finish(session.api.DELETE('/api/applications/{appCode}', { params }))
    })
  )
}

function withFields(target: Command) {
  return target
    .option('--name <text>', 'display name')
    .option('--description <text>', 'description; an empty string removes it')
    .option('--languages <codes>', 'supported languages, comma-separated', codeList)
}

function bodyOf({ description, languages }: Omit<Fields, 'name'>) {
  return {
    ...(description !== undefined && { description: textOrNull(description) }),
    ...(languages !== undefined && { supportedLanguages: languages }),
  }
}
